import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import RecordingTestSupport
import Replay
import Support
import TestSupport
import Testing

/// Orders of play, and faults, as far as pictures show them.
@Suite struct PlayOrderTests {
  private static let made = Result { try SimulatedRecording("frames=30&size=64x48&seed=5") }
  private let recording: Recording

  init() throws { recording = try Self.made.get().recording }

  private func replay(
    _ assignments: [String] = [], preset: String = "truedepth-backdrop", changes: [(Int, String)] = [],
    first: Int = 0, order change: (inout PlayOrder) -> Void = { _ in }
  ) throws -> (collector: DigestCollector, result: RenderLoop.Result, session: ReplaySession) {
    var parameters = try Preset.named(preset).parameters(ReplaySession.declarations)
    for assignment in assignments { try parameters.set(assignment) }
    var order = PlayOrder.everything
    change(&order)
    let request = ReplayRequest(
      preset: preset, parameters: parameters, changes: try ParameterTimeline(from: parameters, changes), order: order,
      firstNumber: first)
    let session = try ReplaySession(recording, request, threadCount: 2)
    let collector = DigestCollector()
    return (collector, try session.run(RenderOutputs([("digests", collector)])), session)
  }

  /// With what lasts from frame to frame: a plate that is learned, depth and mattes that follow their past, look-ahead, a
  /// change on the way.
  private static let lasting = [
    "depth.temporal=smooth", "depth.persistence=4", "matte.temporal=average", "mask.second=plate",
    "mask.plate-frames=5", "depth.look-ahead=3", "depth.rate=2/3", "fault.depth-drop=0.2", "fault.color-drop=0.1",
    "fault.depth-noise=1",
  ]

  @Test func `every pass gives the bits of one replay`() throws {
    let changes = [(8, "matte.blur=9"), (12, "mask.offset=0.5")]
    let part = { (order: inout PlayOrder) in order.frames = 3..<25 }
    let once = try replay(Self.lasting, changes: changes, order: part)
    let thrice = try replay(Self.lasting, changes: changes) {
      part(&$0)
      $0.passCount = 3
    }
    #expect(once.collector.lines.count > 10)
    #expect((thrice.collector.lines == once.collector.lines + once.collector.lines + once.collector.lines) == true)
    #expect(thrice.result.counts.video == 3 * once.result.counts.video)
    #expect(thrice.result.skipped == 3 * once.result.skipped)
    #expect(thrice.session.frames == 3..<25 && thrice.session.frameCount == 22)
  }

  @Test func `where nothing lasts, backwards gives the same pictures in the other order`() throws {
    let plain = ["mask.kind=cutoff"]
    let forwards = try replay(plain)
    let backwards = try replay(plain) { $0.isReversed = true }
    #expect(forwards.collector.numbers == Array(0..<30))
    #expect((backwards.collector.lines == forwards.collector.lines.reversed()) == true)
    let third = try replay(plain) { $0.every = 3 }
    #expect(third.collector.numbers == Array(stride(from: 0, to: 30, by: 3)))
    #expect(third.collector.lines.allSatisfy { forwards.collector.lines.contains($0) })
    // Depth of the frames that were left out came, and was of no use.
    #expect(third.result.counts.depthSuperseded == 18)
  }

  @Test func `a recording whose numbers begin elsewhere gives the pictures of those numbers`() throws {
    let plain = try replay(["mask.kind=cutoff"])
    let moved = try replay(["mask.kind=cutoff", "throttle.from=110", "throttle.rate=1/2"], first: 100)
    #expect(moved.collector.numbers == Array(100...110) + Array(stride(from: 112, to: 130, by: 2)))
    for (number, line) in zip(moved.collector.numbers, moved.collector.lines) {
      #expect(
        line.split(separator: " ").dropFirst() == plain.collector.lines[number - 100].split(separator: " ").dropFirst())
    }
    #expect(moved.session.frames == 100..<130)
  }

  @Test(arguments: [
    "depth.rate=1/2", "depth.latency=2", "faces.rate=1/7", "faces.latency=9", "throttle.from=4",
    "fault.color-drop=0.2", "fault.color-duplicate=0.3", "fault.color-swap=0.5", "fault.depth-drop=0.3",
    "fault.depth-duplicate=0.4", "fault.depth-swap=0.5", "fault.depth-jitter=4", "fault.stuck-from=6",
    "fault.depth-noise=1", "fault.faces-lost-from=3",
  ])
  func `each fault is seen, alike every time, and what it counts is what it does`(assignment: String) throws {
    // A face that moves decides where the person ends.
    let base = ["mask.offset=0.01", "fault.seed=4"]
    let plain = try replay(base)
    let faulty = try replay(base + [assignment])
    #expect((faulty.collector.lines == plain.collector.lines) == false)
    #expect((faulty.collector.lines == (try replay(base + [assignment])).collector.lines) == true)
    let counts = faulty.result.counts
    #expect(counts.played == 30)
    #expect(counts.video == faulty.collector.lines.count + faulty.result.skipped)
    let name = assignment.split(separator: "=")[0]
    let expected: Bool =
      switch name {
      case "depth.rate": counts.depthDelivered == 15 && counts.depthHeld == 15
      case "depth.latency": counts.depthHeld == 2 && faulty.result.skipped == 2
      case "throttle.from": counts.colorThrottled == 13 && counts.video == 17
      case "fault.color-drop": counts.colorDropped > 0 && counts.depthSuperseded > 0
      case "fault.color-duplicate": counts.colorDuplicated > 0
      case "fault.color-swap": counts.colorSwapped > 0 && counts.colorSwapped % 2 == 0
      case "fault.depth-drop": counts.depthDropped > 0 && counts.depthHeld == counts.depthDropped
      case "fault.depth-duplicate": counts.depthDuplicated > 0
      case "fault.depth-swap": counts.depthSwapped > 0 && counts.depthSwapped % 2 == 0
      case "fault.depth-jitter": counts.depthSuperseded > 0
      case "fault.stuck-from": counts.depthStuck == 23
      case "fault.faces-lost-from": counts.facesLost == 27
      default: counts.depthDelivered == 30
      }
    #expect(expected, "\(counts)")
  }

  @Test func `parameters of a replay cannot change while frames pass`() throws {
    let parameters = ParameterSet(ReplaySession.declarations)
    for declaration in ReplayParameters.all {
      let error = try #require(throws: RetakeError.self) {
        try ParameterTimeline(from: parameters, [(3, "\(declaration.name)=\(declaration.defaultValue)")])
      }
      #expect(error.code == .usage && error.message.contains(declaration.name))
    }
  }

  @Test func `cameras are not asked for what only a replay can do`() throws {
    for declaration in ReplayParameters.all where !["depth.rate", "depth.phase"].contains(declaration.name) {
      var parameters = ParameterSet(ReplaySession.declarations)
      try ReplayParameters.checkForCameras(parameters)
      try parameters.set(declaration.name, to: declaration.name == "throttle.rate" ? "1/3" : "1")
      let values = ParameterSet(ReplaySession.declarations)
      guard parameters != values else {
        #expect(["faces.rate", "fault.color-burst", "fault.depth-burst"].contains(declaration.name))
        continue
      }
      let error = try #require(throws: RetakeError.self) { try ReplayParameters.checkForCameras(parameters) }
      #expect(error.code == .usage && error.message.contains(declaration.name))
    }
  }

  @Test(arguments: DeviceProfile.all.map(\.name))
  func `a profile delivers as its device does`(name: String) throws {
    let profile = try DeviceProfile.named(name)
    let played = try replay(profile.assignments + (name == "thermal-throttle" ? ["throttle.from=10"] : []))
    let counts = played.result.counts
    let depth = try #require(played.session.sizes.depth)
    switch name {
    case "iphone-7-plus": #expect(counts.depthDelivered == 24 && counts.video == 30)
    case "thermal-throttle": #expect(counts.video == 20 && counts.depthDelivered == 20)
    default: #expect(counts.depthDelivered == 30 && counts.video == 30)
    }
    #expect(depth == PictureSize(64, 48))
    #expect((played.collector.lines == (try replay()).collector.lines) == false)
  }

  @Test func `depth that is wider than wanted becomes as wide, or the next that a whole number makes`() throws {
    for (width, expected) in [(0, 64), (64, 64), (63, 32), (32, 32), (20, 16), (8, 8), (1, 8)] {
      let played = try replay(["depth.width=\(width)"]) { $0.frames = 0..<1 }
      #expect(played.session.sizes.depth?.width == expected)
    }
    let both = try replay(["depth.width=32", "depth.decimation=4"]) { $0.frames = 0..<1 }
    #expect(both.session.sizes.depth?.width == 16)
  }

  @Test func `an unknown profile is told with the nearest`() throws {
    let error = try #require(throws: RetakeError.self) { try DeviceProfile.named("iphone-8-plus") }
    #expect(error.code == .usage && error.hint.contains("did you mean iphone-7-plus"))
  }
}
