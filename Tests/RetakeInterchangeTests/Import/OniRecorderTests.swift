import CommandTestSupport
import Foundation
import RecordingStore
import TestSupport
import Testing

/// What OpenNI2's own recorder wrote of its dummy device, `retake import` records, pixel for pixel.
@Suite(.long) struct OniRecorderTests {
  @Test func `a recording of OpenNI2 comes over with its pixels and times`() throws {
    let folder = try TemporaryFolder()
    let (file, recording) = (folder.path("a.oni"), folder.path("a.retake"))
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/write_oni.py"
    let made = try ChildProcess.run(Checkout.python, [script, file])
    try #require(made.status == 0, "\(made.errors)")
    let expected = try CommandLineTool.jsonLines(made.text)
    try ForeignFiles.importFile(file, to: recording)
    let found = try ForeignFiles.read(recording)
    for kind in ["depth", "color"] {
      func frames(_ lines: [[String: Any]]) throws -> [(sha: String, tick: Int)] {
        try lines.filter { $0["kind"] as? String == kind }.map {
          (try #require($0["sha256"] as? String), try #require($0["tick"] as? Int))
        }
      }
      // Recorder and reader may each miss a frame at their ends, and the recorder counts time from its first one. The
      // dummy's frames all differ.
      let read = Dictionary(try frames(expected).map { ($0.sha, $0.tick) }, uniquingKeysWith: { first, _ in first })
      let shifts = try frames(found).compactMap { frame in read[frame.sha].map { frame.tick - $0 } }
      #expect(shifts.count >= 8, "\(kind): \(shifts.count) equal frames")
      #expect(Set(shifts).count == 1, "\(kind): \(shifts)")
    }
    #expect(try Recording(path: recording).streams.map(\.kind) == [.depth, .color])
    try CommandLineTool.run(["verify", recording])
  }
}
