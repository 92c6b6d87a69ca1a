import FrameModel
import RecordingStore
import Replay
import Support
import TestSupport
import Testing

@Suite struct DepthReachTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// - Parameter frames: samples of each frame, of 20 x 10 pixels.
  private func record(
    _ frames: [[UInt16]], format: PixelFormat = .depthMillimeters16, settings: [StreamDescription.Setting] = []
  ) throws -> Recording {
    var stream = try TestFrames.stream("depth", .depth, FrameLayout(format, width: 20, height: 10))
    stream.settings = settings
    let path = folder.path("a.retake")
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let recorder = try Recorder(folder: RecordingFolder(path: path), streams: [stream], options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for (index, samples) in frames.enumerated() {
      let frame = TestFrames.captured(stream.layout, stream: 0, index: index)
      samples.withUnsafeBytes { frame.buffer.mutableBytes.copyMemory(from: $0) }
      sink.deliver(frame)
    }
    if let failure = recorder.finish().failure { throw failure }
    return try Recording(path: path)
  }

  /// 0, which is no measurement, then 10 to 1990.
  private let ramp = (0..<200).map { UInt16($0 * 10) }

  @Test func `a twentieth of what was measured is nearer, and a twentieth farther`() throws {
    let reach = try #require(try DepthReach(record([[UInt16]](repeating: ramp, count: 30)), stream: 0))
    #expect(reach.near == 100 && reach.far == 1900)
  }

  @Test func `frames from all over the recording count, in the stream's own unit`() throws {
    let frames = (0..<16).map { [UInt16](repeating: $0 < 8 ? 200 : 600, count: 200) }
    let unit = StreamDescription.Setting(StreamDescription.depthUnit, "5000")
    let reach = try #require(try DepthReach(record(frames, format: .grey16, settings: [unit]), stream: 0))
    #expect(reach.near == 1000 && reach.far == 3000)
  }

  @Test func `without a measurement there is none`() throws {
    #expect(try DepthReach(record([[UInt16](repeating: 0, count: 200)]), stream: 0) == nil)
  }
}
