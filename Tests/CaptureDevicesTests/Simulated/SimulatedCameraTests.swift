import CaptureDevices
import FrameModel
import Support
import Testing

@Suite struct SimulatedCameraTests {
  @Test
  func `fast mode delivers exactly the frames asked for, then says that it is finished`() async throws {
    let run = try await simulatedRun("size=32x24&frames=45&depth-fps=15")
    #expect(run.stream(0).map(\.sequence) == (0..<45).map { UInt64($0) })
    #expect(run.stream(1).map(\.sequence) == (0..<23).map { UInt64($0) })
    #expect(run.stream(2).count == 45)
    #expect(run.losses.isEmpty)
    #expect(run.error == nil)
  }

  @Test
  func `two cameras of one specification deliver the same bytes, ticks and arrivals`() async throws {
    let options = "size=64x48&frames=20&drop=0.1&late=0.1&duplicate=0.1&damage=0.1&jitter=3000&drift=40"
    let first = try await simulatedRun(options).frames
    let second = try await simulatedRun(options).frames
    #expect(first.map(\.digest) == second.map(\.digest))
    #expect(first.map(\.tick) == second.map(\.tick))
    #expect(first.map(\.arrival) == second.map(\.arrival))
    #expect(first.map(\.flags) == second.map(\.flags))
    #expect(first.map(\.faces) == second.map(\.faces))
    #expect(zip(first, first.dropFirst()).allSatisfy { $0.arrival <= $1.arrival })
  }

  @Test
  func `a sink that keeps every frame of a fast camera loses none`() async throws {
    let camera = try SimulatedCamera(DeviceSpecification("simulated?size=16x12&frames=100&pace=fast"))
    let sink = SimulatedSink(keepingFrames: true)
    try camera.start(delivering: sink)
    await sink.end.wait()
    #expect(sink.deliveries.frames.count == 300)
    #expect(sink.deliveries.losses.isEmpty)
    #expect(!camera.isLive)
  }

  @Test
  func `a live camera without a free buffer reports what it drops`() async throws {
    let camera = try SimulatedCamera(DeviceSpecification("simulated?size=16x12&frames=60&fps=500"))
    let sink = SimulatedSink(keepingFrames: true)
    try camera.start(delivering: sink)
    await sink.end.wait()
    let run = sink.deliveries
    #expect(camera.isLive)
    for stream in 0..<3 {
      #expect(run.stream(stream).count <= 32)
      let lost = run.losses.filter { $0.streamIndex == stream }
      #expect(lost.allSatisfy { $0.reason == .dropped })
      #expect(run.stream(stream).count + lost.reduce(0) { $0 + $1.count } == 60)
    }
  }

  @Test(arguments: [2, 1000])
  func `what a live camera that is held up loses is what lies further back than its backlog`(periods: Int) async throws
  {
    let camera = try SimulatedCamera(
      DeviceSpecification("simulated?size=16x12&frames=100&fps=200&backlog=\(periods)"))
    // Forty periods.
    let sink = SimulatedSink(holdupMicroseconds: 200_000)
    try camera.start(delivering: sink)
    await sink.end.wait()
    let run = sink.deliveries
    for stream in 0..<3 {
      let lost = run.losses.filter { $0.streamIndex == stream }.reduce(0) { $0 + $1.count }
      #expect(run.stream(stream).count + lost == 100)
      #expect(periods == 2 ? lost >= 30 : lost == 0, "\(stream): \(lost)")
      #expect(run.stream(stream).map(\.sequence) == run.stream(stream).map(\.sequence).sorted())
    }
  }

  @Test
  func `in real time no frame comes before its time`() async throws {
    let camera = try SimulatedCamera(DeviceSpecification("simulated?size=32x24&frames=26&fps=50&alpha=0"))
    let sink = SimulatedSink()
    let start = MonotonicTime.now().nanoseconds
    try camera.start(delivering: sink)
    await sink.end.wait()
    let frames = sink.deliveries.stream(0)
    #expect(!frames.isEmpty)
    // A busy machine may delay or lose a frame, but none comes early.
    for frame in frames {
      #expect(frame.arrival.nanoseconds - start >= Int64(frame.sequence) * 20_000_000 + 6_666_666)
    }
  }

  @Test
  func `after stop returns nothing is delivered, and stop may come at any time`() async throws {
    let camera = try SimulatedCamera(DeviceSpecification("simulated?size=16x12&fps=200"))
    camera.stop()
    #expect(throws: RetakeError.self) { try camera.start(delivering: SimulatedSink()) }

    let second = try SimulatedCamera(DeviceSpecification("simulated?size=16x12&fps=200"))
    let sink = SimulatedSink()
    try second.start(delivering: sink)
    for _ in 0..<6000 {
      if !sink.deliveries.frames.isEmpty { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    second.stop()
    let count = sink.deliveries.frames.count
    #expect(count > 0)
    second.stop()
    try await Task.sleep(for: .milliseconds(40))
    #expect(sink.deliveries.frames.count == count)
    #expect(!sink.end.isReached)
    #expect(throws: RetakeError.self) { try second.start(delivering: sink) }
  }

  @Test
  func `a camera that is let go ends its thread and its frames`() async throws {
    let sink = SimulatedSink()
    weak var gone: SimulatedCamera?
    do {
      let camera = try SimulatedCamera(DeviceSpecification("simulated?size=16x12&fps=100"))
      try camera.start(delivering: sink)
      gone = camera
    }
    #expect(gone == nil)
    let count = sink.deliveries.frames.count
    try await Task.sleep(for: .milliseconds(40))
    #expect(sink.deliveries.frames.count == count)
  }

  @Test
  func `streams say what is delivered`() throws {
    let camera = try SimulatedCamera(
      DeviceSpecification(
        "simulated?size=320x240&format=YUYV&depth=raw11&depth-size=160x120&depth-fps=15&seed=9"))
    #expect(camera.streams.map(\.name) == ["color", "depth", "alpha"])
    #expect(camera.streams.map(\.kind) == [.color, .depth, .alpha])
    #expect(camera.streams.map(\.layout.format) == [.yuyv, .kinectRaw11, .grey8])
    #expect(camera.streams[1].layout.width == 160)
    #expect(camera.streams[1].rate.framesPerSecond == 15)
    #expect(camera.streams.allSatisfy { $0.device == "simulated" })
    #expect(camera.streams[0].settings.contains(.init("seed", "9")))
    #expect(camera.streams[0].settings.contains(.init("focal-x", "262.5")))
    #expect(camera.streams[1].settings.contains(.init("focal-x", "131.25")))
    let without = try SimulatedCamera(DeviceSpecification("simulated?size=16x12&alpha=0"))
    #expect(without.streams.count == 2)
  }

  @Test
  func `faces come with colour frames only, and not while the face is lost`() async throws {
    let run = try await simulatedRun("size=64x48&frames=20&face-lost=5-9")
    for frame in run.stream(0) { #expect(frame.faces.isEmpty == (5...9).contains(Int(frame.sequence))) }
    #expect(run.stream(1).allSatisfy { $0.faces.isEmpty })
    let without = try await simulatedRun("size=64x48&frames=3&faces=0")
    #expect(without.stream(0).allSatisfy { $0.faces.isEmpty })
  }

  @Test(arguments: [
    "colour=red", "size=0x10", "size=5000x10", "size=12", "fps=0", "fps=2000", "fps=0.0001", "seed=-1",
    "seed=x",
    "frames=-1", "pace=slow", "format=MJPG", "depth=m", "depth-size=9x", "depth-fps=20", "depth-fps=60",
    "faces=often", "face-lost=9", "face-lost=9-4", "alpha=2", "noise=loud", "person=-", "drop=1.5", "drop=1&pace=fast",
    "late=-0.1",
    "duplicate=nan", "damage=x", "drift=1001", "tick-bits=7", "tick-bits=65", "tick-hz=0", "jitter=-1",
    "backlog=0", "backlog=1001", "drop",
  ])
  func `what cannot be meant is refused as wrong usage`(option: String) {
    #expect {
      _ = try SimulatedCamera(DeviceSpecification("simulated?\(option)"))
    } throws: {
      ($0 as? RetakeError)?.code == .usage
    }
  }

  @Test(arguments: ["simulated:3", "kinect"])
  func `a place, or another kind, is refused as wrong usage`(text: String) {
    #expect {
      _ = try SimulatedCamera(DeviceSpecification(text))
    } throws: {
      ($0 as? RetakeError)?.code == .usage
    }
  }

  @Test
  func `every option is told to people`() {
    let options = SimulationOptions.parameters.declarations
    #expect(options.count == 41)
    #expect(options.allSatisfy { !$0.help.isEmpty })
  }

  @Test(arguments: [
    ("simulated?sead=1", "Device 'simulated' has no option 'sead'.", "did you mean seed? it takes size, fps, seed,"),
    (
      "simulated?seed=-1", "In device 'simulated?seed=-1', seed=-1 is out of range: it takes 0 to 9223372036854775807.",
      "the nearest valid value is 0"
    ),
    (
      "simulated?size=big", "In device 'simulated?size=big', 'big' is not a size such as 640x480, which size needs.",
      "it takes 1x1 to 4096x4096"
    ),
    (
      "simulated?unplug=9",
      "In device 'simulated?unplug=9', '9' is not a frame and a number of frames such as 90:60, which unplug needs.",
      "it takes frame:count"
    ),
  ])
  func `a wrong option is named with what would be right`(text: String, message: String, hint: String) throws {
    let error = try #require(throws: RetakeError.self) { try SimulatedCamera(DeviceSpecification(text)) }
    #expect(error.message.hasPrefix(message), "\(error.message)")
    #expect(error.hint.hasPrefix(hint), "\(error.hint)")
  }
}
