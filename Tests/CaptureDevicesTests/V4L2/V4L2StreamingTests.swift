import CV4L2
import CaptureDevices
import FrameModel
import Glibc
import Media
import Support
import TestSupport
import Testing

/// What a camera's driver may do while it streams.
@Suite(.long) struct V4L2StreamingTests {
  private typealias Step = ScriptedVideoNode.Step
  private static let gone = Step.failure(ENODEV, queueIsBroken: true)

  @Test func `numbers and stamps go on as the driver gave them`() async throws {
    // A gap, a duplicate, a wrap; a stamp of zero, one in the future.
    let numbers: [UInt32] = [4_294_967_290, 4_294_967_294, 4_294_967_294, 1]
    let stamps: [UInt64] = [5_000_000_000, 0, 1 << 62, 5_100_001_999]
    let steps = zip(numbers, stamps).map { Step.frame(.scripted($0, nanoseconds: $1)) }
    let result = try await scriptedRun(ScriptedVideoNode(steps + [Self.gone]))
    #expect(result.frames.map(\.deviceSequence) == numbers.map(UInt64.init))
    #expect(result.frames.map(\.deviceTick) == [5_000_000, 0, (1 << 62) / 1000, 5_100_001])
    #expect(result.frames.allSatisfy { $0.flags.isEmpty })
    #expect(result.losses.isEmpty)
    #expect(zip(result.frames.dropFirst(), result.frames).allSatisfy { $0.arrival >= $1.arrival })
  }

  @Test func `stamps that mean nothing are none`() async throws {
    let node = ScriptedVideoNode([.frame(.scripted(type: 0)), Self.gone])
    node.stampFlags = 0
    let device = try scriptedDevice("", node)
    #expect(device.streams[0].settings.contains(.init("timestamp-type", "unknown")))
    let sink = ScriptedSink()
    try device.start(delivering: sink)
    await sink.end.wait()
    #expect(sink.deliveries.frames.map(\.deviceTick) == [nil])
  }

  @Test(arguments: [
    (Int32(V4L2_BUF_FLAG_TSTAMP_SRC_EOF), "end-of-frame"), (Int32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE), "start-of-exposure"),
  ])
  func `the recording says which clock stamps and when`(_ source: Int32, _ name: String) throws {
    let node = ScriptedVideoNode()
    node.stampFlags = UInt32(Int32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) | source)
    let device = try scriptedDevice("", node)
    #expect(device.streams[0].settings.contains(.init("timestamp-type", "monotonic")))
    #expect(device.streams[0].settings.contains(.init("timestamp-source", name)))
    #expect(device.streams[0].clock == .microseconds)
  }

  @Test func `frames that the driver marks or cuts short are damaged`() async throws {
    let whole = 640 * 480 * 2
    let result = try await scriptedRun(
      ScriptedVideoNode([
        .frame(.scripted(0)), .frame(.scripted(1, flags: Int32(V4L2_BUF_FLAG_ERROR))),
        .frame(.scripted(2, byteCount: 1000)), .frame(.scripted(3, byteCount: whole + 8)), Self.gone,
      ]))
    #expect(result.frames.map(\.flags) == [[], .damaged, .damaged, []])
    #expect(result.frames.map(\.byteCount) == [whole, whole, 1000, whole])
  }

  @Test func `a JPEG that lost a part on its way is damaged, where the camera can send whole ones`() async throws {
    let whole = try JPEGEncoder.encode(RGBImage(width: 64, height: 48, red: 200, green: 90, blue: 30))
    let cut = Array(whole.dropLast(40))
    func run(_ files: [[UInt8]]) async throws -> [FrameFlags] {
      let node = ScriptedVideoNode(files.enumerated().map { .contents($1, sequence: UInt32($0)) } + [Self.gone])
      node.listed = [.init(code: FourCC("MJPG"))]
      return try await scriptedRun(node, options: "format=MJPG").frames.map(\.flags)
    }
    #expect(
      try await run([whole, cut, whole, Array(whole.dropFirst(2)), whole + [0, 0]]) == [[], .damaged, [], .damaged, []])
    // A camera that never sends the end.
    let endless = Array(whole.dropLast(2))
    #expect(try await run([endless, endless]) == [[], []])
  }

  @Test func `a buffer in which nothing arrived is a loss`() async throws {
    let result = try await scriptedRun(
      ScriptedVideoNode([.frame(.scripted(0, byteCount: 0)), .frame(.scripted(1)), Self.gone]))
    #expect(result.frames.map(\.deviceSequence) == [1])
    #expect(result.losses.map(\.reason) == [.dropped])
    #expect(result.losses.map(\.count) == [1])
  }

  @Test func `buffers that come empty again and again end the stream, a few do not`() async throws {
    func empty(_ count: UInt32) -> [Step] { (0..<count).map { .frame(.scripted($0, byteCount: 0)) } }
    let few = try await scriptedRun(
      ScriptedVideoNode(empty(49) + [.frame(.scripted(49))] + empty(49) + [.frame(.scripted(99)), Self.gone]))
    #expect(few.frames.map(\.deviceSequence) == [49, 99] && few.losses.count == 98)
    let many = try await scriptedRun(ScriptedVideoNode(empty(60) + [.frame(.scripted(60)), Self.gone]))
    #expect(many.frames.isEmpty && many.losses.count == 50)
    #expect(many.error?.code == .disconnected && many.error?.message.contains("empty frames in a row") == true)
  }

  @Test func `frames for which no buffer is free are losses, and the driver keeps its own`() async throws {
    let count: UInt32 = 100
    let node = ScriptedVideoNode((0..<count).map { .frame(.scripted($0)) } + [Self.gone])
    let result = try await scriptedRun(node)
    #expect(result.frames.count == 64)
    #expect(result.losses.count == Int(count) - result.frames.count)
    #expect(result.losses.allSatisfy { $0.reason == .dropped && $0.count == 1 })
  }

  @Test(arguments: [("YUYV", PictureSize(3840, 2160), 16), ("MJPG", PictureSize(3840, 2160), 32)])
  func `large frames are kept in fewer buffers, and JPEG in buffers as long as the driver's`(
    _ format: String, _ size: PictureSize, _ mostBuffers: Int
  ) async throws {
    let node = ScriptedVideoNode((0..<40).map { .frame(.scripted($0, byteCount: 1000)) } + [Self.gone])
    node.listed = [
      .init(code: FourCC("YUYV"), sizes: .list([size])), .init(code: FourCC("MJPG"), sizes: .list([size])),
    ]
    let result = try await scriptedRun(node, options: "format=\(format)")
    #expect((8...mostBuffers).contains(result.frames.count))
    #expect(result.frames.count + result.losses.count == 40)
    #expect(result.frames.allSatisfy { $0.buffer.byteCount <= 3840 * 2160 * 2 })
  }

  @Test func `a frame that is delivered keeps its bytes while the driver fills its buffer again`() async throws {
    let steps = (0..<20).map { Step.frame(.scripted(UInt32($0)), fill: UInt8(100 + $0)) }
    let result = try await scriptedRun(ScriptedVideoNode(steps + [Self.gone]))
    #expect(result.frames.map { $0.buffer.bytes[0] } == (0..<20).map { UInt8($0) })
    #expect(result.frames.map { $0.buffer.bytes[614_399] } == (0..<20).map { UInt8(100 + $0) })
  }

  @Test(arguments: [ENODEV, EIO, EPIPE])
  func `a device that is gone or a stream that broke may come back`(_ number: Int32) async throws {
    let result = try await scriptedRun(
      ScriptedVideoNode([.frame(.scripted()), .failure(number, queueIsBroken: true)]))
    #expect(result.frames.count == 1)
    #expect(result.error?.code == .disconnected)
    #expect(result.error?.message.contains("/dev/video9") == true)
    #expect(result.error?.hint.isEmpty == false)
  }

  @Test func `a queue that says nothing but that it is broken ends the stream`() async throws {
    let broken = [Step](repeating: .failure(EAGAIN, queueIsBroken: true), count: 60)
    let result = try await scriptedRun(ScriptedVideoNode(broken))
    #expect(result.error?.code == .disconnected)
  }

  @Test func `a wait that ends without a frame is nothing`() async throws {
    let empty = [Step](repeating: .failure(EAGAIN), count: 200)
    let result = try await scriptedRun(ScriptedVideoNode(empty + [.frame(.scripted(7)), Self.gone]))
    #expect(result.frames.map(\.deviceSequence) == [7])
    #expect(result.losses.isEmpty)
  }

  @Test func `a buffer that the driver did not take back is offered again`() async throws {
    let node = ScriptedVideoNode((0..<40).map { .frame(.scripted($0)) } + [Self.gone])
    node.refusals = 12
    let result = try await scriptedRun(node)
    #expect(result.frames.count == 40)
  }

  @Test func `a buffer that was never given is not read`() async throws {
    let result = try await scriptedRun(
      ScriptedVideoNode([.frame(.scripted(1, index: 77)), .frame(.scripted(2)), Self.gone]))
    #expect(result.frames.map(\.deviceSequence) == [2])
  }

  @Test func `stopping ends the stream before the device is let go of`() throws {
    let node = ScriptedVideoNode.endless()
    let device = try scriptedDevice("", node)
    let sink = ScriptedSink(keepingFrames: false)
    try device.start(delivering: sink)
    while sink.count < 5 { usleep(1000) }
    device.stop()
    let count = sink.count
    #expect(node.isClosed)
    #expect(node.calls.suffix(2) == ["stop", "close"])
    device.stop()
    #expect(sink.count == count)
    #expect(sink.deliveries.error == nil)
  }

  @Test func `a device that is let go of before it starts is closed`() throws {
    let node = ScriptedVideoNode()
    _ = try scriptedDevice("", node)
    #expect(node.isClosed)
  }

  @Test func `a device starts once`() throws {
    let node = ScriptedVideoNode.endless()
    let device = try scriptedDevice("", node)
    defer { device.stop() }
    try device.start(delivering: ScriptedSink(keepingFrames: false))
    let error = #expect(throws: RetakeError.self) { try device.start(delivering: ScriptedSink()) }
    #expect(error?.code == .usage)
  }

  @Test(arguments: [
    ("request", EBUSY, RetakeError.Code.device, "in use"), ("request", EINVAL, .device, "could not allocate buffers"),
    ("format", EBUSY, .device, "in use"), ("format", EIO, .disconnected, "Input/output"),
  ])
  func `what cannot be set up is said when it is opened`(
    _ call: String, _ number: Int32, _ code: RetakeError.Code, _ words: String
  ) throws {
    let node = ScriptedVideoNode()
    node.failures[call] = number
    let error = #expect(throws: RetakeError.self) { _ = try scriptedDevice("", node) }
    #expect(error?.code == code)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.hint.isEmpty == false)
    #expect(node.isClosed)
  }

  @Test(arguments: [
    ("start", EINVAL, "could not start streaming"), ("start", ENOSPC, "bandwidth"),
    ("queue", EINVAL, "accepted no buffers"),
  ])
  func `a stream that does not start says why`(_ call: String, _ number: Int32, _ words: String) throws {
    let node = ScriptedVideoNode()
    node.failures[call] = number
    let device = try scriptedDevice("", node)
    let error = #expect(throws: RetakeError.self) { try device.start(delivering: ScriptedSink()) }
    #expect(error?.code == .device)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    device.stop()
    #expect(node.isClosed)
  }

  @Test func `one buffer is too few`() throws {
    let node = ScriptedVideoNode()
    node.bufferLimit = 1
    let error = #expect(throws: RetakeError.self) { _ = try scriptedDevice("", node) }
    #expect(error?.code == .device)
  }
}
