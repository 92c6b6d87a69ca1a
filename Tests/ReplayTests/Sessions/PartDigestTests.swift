import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import RecordingTestSupport
import Replay
import Support
import TestSupport
import Testing

/// A part that was cut out with what it depends on, as a bundle holds it, gives what the whole recording gives there.
@Suite struct PartDigestTests {
  private static let frameCount = 40
  private static let made = Result { try SimulatedRecording("frames=40&size=48x36&seed=3&face-lost=17-18") }
  private let recording: Recording

  init() throws { recording = try Self.made.get().recording }

  private struct Outcome {
    var lines: [String]
    var counts: ReplayCounts
    var skipped: Int
  }

  private func replay(_ recording: Recording, _ request: ReplayRequest) throws -> Outcome {
    let session = try ReplaySession(recording, request, threadCount: 1)
    let collector = DigestCollector()
    let result = try session.run(RenderOutputs([("digests", collector)]))
    return Outcome(lines: collector.lines, counts: result.counts, skipped: result.skipped)
  }

  /// Plays the part in the whole recording and in a recording of its own.
  private func compare(_ request: ReplayRequest) throws -> (whole: Outcome, part: Outcome, used: Range<Int>) {
    let plan = ReplayPlan(request.parameters, order: request.order, firstNumber: request.firstNumber)
    let used = try plan.usedFrameSets(of: recording)
    let folder = try TemporaryFolder()
    let selection = try FrameSelection(recording, frameSets: used)
    let path = folder.path("part.retake")
    _ = try Trim.run(recording, selection, into: RecordingFolder(path: path), keepsTimes: true)
    let cut = try Recording(path: path)
    #expect(try cut.frameSetCount() == used.count)
    var own = request
    own.firstNumber = request.firstNumber + used.lowerBound
    let frames = request.order.frames
    own.order.frames = frames.lowerBound - used.lowerBound..<frames.upperBound - used.lowerBound
    let part = try replay(cut, own)
    return (try replay(recording, request), part, used)
  }

  private func request(
    _ assignments: [String], preset: String = "truedepth-backdrop", frames: Range<Int>
  ) throws -> ReplayRequest {
    var parameters = try Preset.named(preset).parameters(ReplaySession.declarations)
    // A face that moves decides where the person ends.
    try parameters.set("mask.offset=0.01")
    for assignment in assignments { try parameters.set(assignment) }
    return ReplayRequest(preset: preset, parameters: parameters, order: PlayOrder(frames: frames))
  }

  @Test(arguments: [
    (["depth.latency=3", "fault.depth-swap=1"], 11), (["faces.latency=2", "fault.color-swap=1"], 10),
    (["depth.latency=2", "fault.depth-duplicate=1"], 20), (["depth.latency=1", "fault.stuck-from=4"], 20),
    (["faces.latency=3", "fault.faces-lost-from=9", "fault.faces-lost-frames=1"], 12),
    (["fault.depth-jitter=6", "fault.depth-swap=1"], 21),
  ])
  func `one frame set whose content is another's that came late`(assignments: [String], number: Int) throws {
    let (whole, part, _) = try compare(try request(assignments, frames: number..<number + 1))
    #expect(whole.lines.count == 1)
    #expect((part.lines == whole.lines) == true)
    #expect(part.counts == whole.counts && part.skipped == whole.skipped)
  }

  @Test func `without faults a part takes along what is late, and nothing else`() throws {
    #expect(try compare(try request([], frames: 10..<20)).used == 10..<20)
    #expect(try compare(try request(["depth.latency=3", "faces.latency=2"], frames: 10..<20)).used == 7..<20)
    #expect(try compare(try request(["depth.rate=1/5"], frames: 12..<13)).used == 10..<13)
  }

  @Test(arguments: 0..<180)
  func `any part with any faults gives the digests of the whole`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var assignments = ["fault.seed=\(random.next(below: 1_000_000))"]
    for name in ["depth-swap", "depth-drop", "color-swap", "color-drop", "depth-duplicate", "color-duplicate"]
    where random.next(below: 2) == 0 {
      assignments.append("fault.\(name)=\(random.pick(["0.1", "0.3", "0.5", "0.7", "1"]))")
    }
    // All colour lost, there is nothing to compare.
    assignments.removeAll { $0 == "fault.color-drop=1" }
    for name in ["depth.latency", "faces.latency", "fault.depth-jitter"] where random.next(below: 2) == 0 {
      assignments.append("\(name)=\(random.next(below: 6))")
    }
    for name in ["depth.rate", "faces.rate", "throttle.rate"] where random.next(below: 3) == 0 {
      assignments.append("\(name)=\(random.pick(["1/2", "2/3", "3/4", "4/5", "1/7"]))")
    }
    for name in ["throttle.from", "fault.stuck-from", "fault.faces-lost-from"] where random.next(below: 3) == 0 {
      assignments.append("\(name)=\(random.next(below: Self.frameCount))")
    }
    for name in ["fault.stuck-frames", "fault.faces-lost-frames"] where random.next(below: 2) == 0 {
      assignments.append("\(name)=\(1 + random.next(below: 12))")
    }
    for name in ["fault.depth-burst", "fault.color-burst"] where random.next(below: 4) == 0 {
      assignments.append("\(name)=\(1 + random.next(below: 3))")
    }
    if random.next(below: 4) == 0 { assignments.append("fault.depth-noise=1") }
    let first = random.next(below: Self.frameCount)
    let length = 1 + random.next(below: min(10, Self.frameCount - first))
    let preset = random.pick(["truedepth-backdrop", "truedepth-backdrop", "video-depth-maps"])
    var wanted = try request(assignments, preset: preset, frames: first..<first + length)
    wanted.order.isReversed = random.next(below: 4) == 0
    wanted.order.every = random.pick([1, 1, 1, 2])
    wanted.firstNumber = random.pick([0, 0, 0, 7])
    let (whole, part, used) = try compare(wanted)
    #expect((part.lines == whole.lines) == true, "\(assignments) \(wanted.order) in \(used)")
    #expect(part.counts == whole.counts && part.skipped == whole.skipped, "\(assignments) \(wanted.order) in \(used)")
  }
}
