import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support
import TestSupport
import Testing

/// What a comparison says of lines that differ, are missing or come again.
@Suite struct DigestComparisonTests {
  private let header: DigestHeader

  init() throws {
    let parameters = ParameterSet(ReplaySession.declarations)
    header = DigestHeader(
      recordingID: "r", preset: "p", parameters: parameters, schedule: DepthSchedule(parameters), frameCount: nil,
      background: nil)
  }

  /// A file of frames, each with one word for each stage: letters that differ are digests that differ.
  private func file(_ frames: [(Int, String)], order: PlayOrder = .everything, isCut: Bool = false) throws
    -> DigestFileReader
  {
    var header = header
    header.order = order
    var roll = DigestRoll()
    var text = header.json.text + "\n"
    for (frame, letters) in frames {
      let line = DigestLine(
        frame: frame, digests: letters.map { $0 == "-" ? "none" : String(repeating: $0, count: 32) })
      roll.add(line)
      text += line.json.text + "\n"
    }
    if !isCut { text += DigestFooter(frames: roll.frames, all: roll.hex).json.text + "\n" }
    return try DigestFileReader(name: "file", bytes: Array(text.utf8))
  }

  @Test func `the first frame and the first stage on its way, and how many differ in each`() throws {
    let a = try file([(0, "aaaaaa"), (1, "aaaaaa"), (2, "aaaa-a"), (3, "aaaaaa")])
    let b = try file([(0, "aaaaaa"), (1, "aaabba"), (2, "baaacb"), (3, "aaaaaa")])
    let found = try DigestFileComparison(a, b)
    #expect(!found.isEqual)
    let digest = (a: String(repeating: "a", count: 32), b: String(repeating: "b", count: 32))
    #expect(found.frames.firstDifference == .frame(1, stage: .mask, a: digest.a, b: digest.b))
    #expect(found.frames.stageCounts == [1, 0, 0, 1, 2, 1])
    #expect(found.frames.commonCount == 4)
    #expect(found.frames.differingCount == 2)
    #expect(found.headers.isEmpty)
  }

  @Test func `frames that only one has are named and counted`() throws {
    let a = try file([0, 1, 2, 4, 5, 9].map { ($0, "aaaaaa") })
    let b = try file([2, 3, 4, 9, 10].map { ($0, $0 == 9 ? "aaaaab" : "aaaaaa") })
    let frames = try DigestFileComparison(a, b).frames
    #expect(frames.firstDifference == .missingFrame(0))
    #expect(frames.missing.text == "0-1, 5" && frames.missing.count == 3)
    #expect(frames.extra.text == "3, 10" && frames.extra.count == 2)
    guard case .frame(9, stage: .composite, _, _) = frames.firstFrameDifference else {
      Issue.record("\(String(describing: frames.firstFrameDifference))")
      return
    }
    var many = FrameRuns()
    for frame in 0..<100 { many.add(3 * frame) }
    #expect(many.count == 100 && many.text == "0, 3, 6, 9, 12, 15, 18, 21, …")
  }

  @Test func `one that has no frame, and one that was cut off, are not equal to one that has them`() throws {
    let none = try DigestFileComparison(file([]), file([(3, "aaaaaa")]))
    #expect(none.frames.firstDifference == .extraFrame(3))
    #expect(try DigestFileComparison(file([(3, "aaaaaa")]), file([(3, "aaaaaa")])).isEqual)
    let cut = try DigestFileComparison(file([(3, "aaaaaa")]), file([(3, "aaaaaa")], isCut: true))
    #expect(cut.frames.firstDifference == nil)
    #expect(cut.cut.count == 1 && !cut.isEqual)
  }

  @Test func `passes meet their like, forwards and backwards`() throws {
    let numbers = [4, 3, 2, 4, 3, 2, 4, 3, 2]
    var order = PlayOrder(frames: 2..<5)
    order.isReversed = true
    order.passCount = 3
    let a = try file(numbers.map { ($0, "aaaaaa") }, order: order)
    // Frame 3 is missing from the first pass, and another in the second.
    let b = try file(
      [(4, "aaaaaa"), (2, "aaaaaa"), (4, "aaaaaa"), (3, "aaaabb"), (2, "aaaaaa"), (4, "aaaaaa")], order: order)
    let frames = try DigestFileComparison(a, b).frames
    #expect(frames.firstDifference == .missingFrame(3))
    #expect(frames.firstFramePass == 1)
    #expect(frames.commonCount == 6)
    #expect(frames.differingCount == 1)
    #expect(frames.missing.count == 3)
    #expect(throws: RetakeError.self) { try DigestFileComparison(file([(0, "aaaaaa")]), file([], order: order)) }
  }

  @Test func `a sink finds at once what a file says otherwise`() throws {
    let replays = try ComparedReplays()
    let path = try replays.digests("truedepth-backdrop")
    func check(_ assignments: [String]) throws -> DigestCheckSink {
      let request = ReplayRequest(
        preset: "truedepth-backdrop", parameters: try replays.parameters("truedepth-backdrop", assignments))
      let sink = DigestCheckSink(try DigestFileReader(path: path))
      let session = try ReplaySession(Recording(path: replays.recording), request, threadCount: 1)
      _ = try session.run(RenderOutputs([("check", sink)]))
      return sink
    }
    #expect(try check([]).firstDifference == nil)
    #expect(try check([]).comparison.commonCount == 14)
    let other = try check(["matte.blur=6"])
    guard case .frame(0, stage: .matte, _, _) = other.firstDifference else {
      Issue.record("\(String(describing: other.firstDifference))")
      return
    }
    #expect(other.firstDifference?.sentence.contains("Frame 0 differs, first in matte") == true)
  }
}
