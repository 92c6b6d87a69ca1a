import Foundation
import Scores
import TestSupport
import Testing

/// Every score of a recording beside one that numpy, scipy and scikit-image computed of the same bytes by its definition.
@Suite(.long) struct ScoredRecordingReferenceTests {
  @Test(arguments: [
    MadeRecording(width: 83, height: 61, count: 20, seed: 1),
    MadeRecording(width: 64, height: 48, count: 24, seed: 2, lag: 0),
    MadeRecording(width: 130, height: 97, count: 7, seed: 3),
  ])
  func `each frame's and the summary's are those of the definitions`(recording: MadeRecording) throws {
    let expected = try Self.reference(recording)
    let scored = recording.scored(Set(ScoreKind.allCases))
    #expect(scored.frames.map(\.number) == recording.frames.map(\.number))
    #expect(scored.frames.map(\.hasMatte) == recording.frames.map { $0.matte != nil })
    let frames = try #require(expected["frames"] as? [[String: Any]])
    try #require(frames.count == scored.frames.count)
    for (frame, expected) in zip(scored.frames, frames) { expect(frame.scores, expected, "frame \(frame.number)") }
    expect(scored.summary, try #require(expected["summary"] as? [String: Any]), "summary")
    // Otherwise absence on both sides would prove nothing.
    for kind in ScoreKind.allCases where kind != .lag || recording.frames.count > 16 {
      #expect(scored.summary[kind] != nil, "\(kind)")
      #expect(!kind.isOfFrames || scored.frames.contains { $0.scores[kind] != nil }, "\(kind)")
    }
  }

  /// Equal but for the order in which floating-point sums were taken, and absent where it is absent. Gradients are
  /// filtered in 16-bit fixed point.
  private func expect(_ row: ScoreRow, _ expected: [String: Any], _ place: String) {
    for kind in ScoreKind.allCases {
      let wanted = expected[kind.name] as? Double
      guard let score = row[kind], let wanted else {
        #expect(row[kind] == nil && wanted == nil, "\(place), \(kind): \(String(describing: row[kind]))")
        continue
      }
      let tolerance = kind == .gradient ? 1e-4 : 1e-9
      #expect(abs(score - wanted) <= tolerance * max(1, abs(wanted)), "\(place), \(kind): \(score), not \(wanted)")
    }
  }

  private static func reference(_ recording: MadeRecording) throws -> [String: Any] {
    let folder = try TemporaryFolder()
    var planes = Data()
    let none = [UInt8](repeating: 0, count: recording.width * recording.height)
    for frame in recording.frames {
      let judged = frame.judged ?? [UInt8](repeating: 255, count: none.count)
      for bytes in [frame.picture, frame.matte ?? none, frame.truth ?? none, frame.reference ?? none, judged] {
        planes.append(contentsOf: bytes)
      }
    }
    try planes.write(to: URL(fileURLWithPath: folder.path("planes")))
    let facts: [String: Any] = [
      "width": recording.width, "height": recording.height, "lag": 15,
      "frames": recording.frames.map { frame in
        [
          "number": frame.number, "matte": frame.matte != nil, "truth": frame.truth != nil,
          "faces": frame.faces.map { [$0.box.x, $0.box.y, $0.box.width, $0.box.height] },
        ] as [String: Any]
      },
    ]
    try JSONSerialization.data(withJSONObject: facts).write(to: URL(fileURLWithPath: folder.path("facts")))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("score_recording.py").path
    let result = try ChildProcess.run(Checkout.python, [script, folder.path("facts"), folder.path("planes")])
    try #require(result.status == 0, "\(result.errors)")
    return try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  }
}

extension MadeRecording: CustomTestStringConvertible {
  var testDescription: String { "\(width)x\(height), \(frames.count) frames" }
}
