import FrameModel
import Media
import Support
import Testing

/// V4L2 output devices, played by one written in Swift.
@Suite struct VideoOutputTests {
  private final class Node: VideoOutputNode {
    let path = "/dev/video9"
    var takesVideo = true
    var answer: (VideoOutputFormat.Samples, Int, Int) -> VideoOutputFormat? = { samples, width, height in
      let line = samples == .yuyv ? (width + 1) / 2 * 4 : width * 3
      return VideoOutputFormat(
        samples: samples, width: width, height: height, bytesPerRow: line, byteCount: line * height)
    }
    var rate: FrameRate?
    func setFormat(_ samples: VideoOutputFormat.Samples, width: Int, height: Int) -> VideoOutputFormat? {
      answer(samples, width, height)
    }
    func setRate(_ rate: FrameRate) { self.rate = rate }
    func write(_ picture: UnsafeRawBufferPointer) {}
    func close() {}
  }

  private func negotiated(_ node: Node) throws -> VideoOutputFormat {
    try VideoOutputFormat.negotiated(with: node, width: 64, height: 48, rate: FrameRate(30))
  }

  @Test func `YUYV is asked for first, RGB24 where there is no YUYV, and readers are told the rate`() throws {
    let node = Node()
    #expect(try negotiated(node).samples == .yuyv)
    #expect(node.rate?.description == "30")
    let any = node.answer
    node.answer = { $0 == .yuyv ? nil : any($0, $1, $2) }
    #expect(try negotiated(node).samples == .rgb24)
    // A driver that answers with another format than was asked for has refused.
    node.answer = { _, width, height in any(.rgb24, width, height) }
    #expect(try negotiated(node).samples == .rgb24)
  }

  @Test func `rows may be longer than their pixels`() throws {
    let node = Node()
    node.answer = { VideoOutputFormat(samples: $0, width: $1, height: $2, bytesPerRow: 256, byteCount: 256 * 48 + 100) }
    #expect(try negotiated(node).bytesPerRow == 256)
  }

  @Test func `a camera, another size, and sizes that cannot be are refused with the device's name`() throws {
    let node = Node()
    func error() throws -> RetakeError { try #require(throws: RetakeError.self) { try negotiated(node) } }
    node.answer = { samples, _, _ in
      VideoOutputFormat(samples: samples, width: 640, height: 480, bytesPerRow: 1920, byteCount: 1920 * 480)
    }
    #expect(
      try error().message.contains(
        "/dev/video9 does not accept 64x48 pictures as YUYV or RGB24; it offered 640x480"))
    node.answer = { VideoOutputFormat(samples: $0, width: $1, height: $2, bytesPerRow: 10, byteCount: 1 << 20) }
    _ = try error()
    node.answer = { VideoOutputFormat(samples: $0, width: $1, height: $2, bytesPerRow: 192, byteCount: 7) }
    _ = try error()
    node.answer = { _, _, _ in nil }
    #expect(try error().message.contains("does not accept 64x48 pictures"))
    node.takesVideo = false
    #expect(try error().message.contains("is not a video output"))
  }
}
