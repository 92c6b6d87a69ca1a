import Foundation
import FrameModel
import Kernels
import MattePipeline
import Parameters
import RecordingStore
import RecordingTestSupport
import Replay
import TestSupport
import Testing

/// A stored alignment moves depth in every replay, as the parameters do by hand.
@Suite struct AlignmentReplayTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try ComparisonScene.record(folder)
  }

  private struct Outcome: Equatable {
    var lines: [String]
    var header: String?
  }

  private func replay(_ assignments: [String] = [], _ path: String? = nil) throws -> Outcome {
    var parameters = try Preset.named("truedepth-backdrop").parameters(ReplaySession.declarations)
    for assignment in assignments { try parameters.set(assignment) }
    let session = try ReplaySession(
      Recording(path: path ?? self.path), ReplayRequest(preset: "truedepth-backdrop", parameters: parameters))
    let collector = DigestCollector()
    _ = try session.run(RenderOutputs([("digests", collector)]))
    return Outcome(lines: collector.lines, header: session.header.alignment)
  }

  private func store(_ x: Int, _ y: Int, in path: String? = nil) throws {
    let alignment = ColorAlignment(x: x, y: y, uncertainty: 500, frameCount: 14)
    try AlignmentFile(RecordingFolder(path: path ?? self.path)).write(alignment)
  }

  @Test func `a stored alignment moves depth by its whole pixels, and parameters add to it`() throws {
    let plain = try replay()
    let byHand = try replay(["depth.shift-x=2", "depth.shift-y=-3"])
    #expect(plain.lines != byHand.lines && plain.header == nil && byHand.header == nil)
    try store(1_875, -2_812)
    #expect(try replay() == Outcome(lines: byHand.lines, header: "2 -3"))
    #expect(try replay(["depth.shift-x=-2", "depth.shift-y=3"]).lines == plain.lines)
    try store(312, -480)
    #expect(try replay() == plain)
  }

  @Test func `a cut part replays as the whole, aligned`() throws {
    try store(2_000, 1_000)
    let part = folder.path("part.retake")
    let recording = try Recording(path: path)
    let selection = try FrameSelection(recording, frameSets: 0..<6)
    _ = try Trim.run(recording, selection, into: RecordingFolder(path: part), keepsTimes: true)
    let whole = try replay()
    #expect(try replay([], part) == Outcome(lines: Array(whole.lines.prefix(6)), header: "2 1"))
  }

  @Test func `digests of another alignment say so first`() throws {
    let replays = try ComparedReplays()
    let before = try replays.digests("truedepth-backdrop")
    try store(1_000, 0, in: replays.recording)
    let after = try replays.digests("truedepth-backdrop")
    let header = try DigestFileReader(path: after).header
    #expect(header.alignment == "1 0")
    #expect(try DigestFileReader(path: before).header.alignment == nil)
    let found = try ComparedReplays.compare(before, after)
    #expect(found.headers == [.header(field: "alignment", a: "none", b: "1 0")])
    guard case .frame(_, let stage, _, _) = found.frames.firstFrameDifference else {
      Issue.record("no frame differs")
      return
    }
    #expect(stage == .depth)
  }

  @Test func `the simulated camera is found to be aligned, to the same bits each time`() throws {
    for options in ["seed=3", "depth=raw11&seed=5", "depth-size=160x120"] {
      let made = try SimulatedRecording("frames=40&size=320x240&alpha=0&\(options)")
      let report = try AlignmentEstimator(made.recording).run()
      let alignment = report.alignment
      #expect(alignment.frameCount == 40)
      #expect(max(abs(alignment.x), abs(alignment.y)) <= 500, "\(options): \(alignment)")
      #expect(try AlignmentEstimator(made.recording).run() == report)
      // Fewer frame sets say less, and not something else.
      let glance = try AlignmentEstimator(made.recording).run(frameLimit: AlignmentEstimator.glanceFrameLimit)
      #expect(glance.alignment.frameCount == AlignmentEstimator.glanceFrameLimit)
      #expect(max(abs(glance.alignment.x), abs(glance.alignment.y)) <= 500, "\(options): \(glance)")
    }
  }
}
