import CaptureDevices
import FrameModel
import Testing

@Suite struct V4L2FrameCopyTests {
  /// Bytes that differ from their neighbours.
  private func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) } }

  private func copied(_ source: [UInt8], _ layout: FrameLayout, stride: Int, from order: CameraByteOrder = .same) -> (
    bytes: [UInt8], isWhole: Bool
  ) {
    let copy = CameraFrameCopy(to: layout, sourceBytesPerRow: stride, from: order)
    var target = [UInt8](repeating: 0xee, count: layout.byteCount)
    let result = source.withUnsafeBytes { source in target.withUnsafeMutableBytes { copy.copy(source, to: $0) } }
    return (Array(target[..<result.byteCount]), result.isWhole)
  }

  @Test(arguments: [PixelFormat.yuyv, .nv12, .grey8, .grey16, .bayerRGGB8, .rgb24], [0, 1, 62])
  func `rows lose their padding, those of the chroma plane too`(_ format: PixelFormat, _ padding: Int) throws {
    let layout = try FrameLayout(format, width: 34, height: 7)
    let stride = layout.bytesPerRow + padding
    let source = pattern(stride * layout.rowCount)
    let (bytes, isWhole) = copied(source, layout, stride: stride)
    let wanted = (0..<layout.rowCount).flatMap { source[($0 * stride)..<($0 * stride + layout.bytesPerRow)] }
    #expect(bytes == wanted)
    #expect(isWhole)
    // A last row without its padding is whole as well.
    #expect(copied(Array(source.dropLast(padding)), layout, stride: stride).isWhole)
  }

  @Test(arguments: [1, 2, 15, 16, 17, 33, 640], [0, 5])
  func `BGR becomes RGB, whatever the width`(_ width: Int, _ padding: Int) throws {
    let layout = try FrameLayout(.rgb24, width: width, height: 3)
    let stride = layout.bytesPerRow + padding
    let source = pattern(stride * 3)
    let (bytes, isWhole) = copied(source, layout, stride: stride, from: .blueFirst)
    var wanted: [UInt8] = []
    for y in 0..<3 {
      for x in 0..<width {
        let start = y * stride + 3 * x
        wanted += [source[start + 2], source[start + 1], source[start]]
      }
    }
    #expect(bytes == wanted)
    #expect(isWhole)
  }

  @Test(arguments: [1, 2, 15, 16, 17, 33, 640], [0, 5])
  func `UYVY becomes YUYV, whatever the width`(_ width: Int, _ padding: Int) throws {
    let layout = try FrameLayout(.yuyv, width: width, height: 3)
    let stride = layout.bytesPerRow + padding
    let source = pattern(stride * 3)
    let (bytes, isWhole) = copied(source, layout, stride: stride, from: .chromaFirst)
    var wanted: [UInt8] = []
    for y in 0..<3 {
      for pair in 0..<(width + 1) / 2 {
        let start = y * stride + 4 * pair
        wanted += [source[start + 1], source[start], source[start + 3], source[start + 2]]
      }
    }
    #expect(bytes == wanted)
    #expect(isWhole)
  }

  @Test(arguments: [0, 1, 99, 100, 101, 350])
  func `what did not arrive is not whole, and nothing beyond it is read`(_ count: Int) throws {
    for (format, order) in [(PixelFormat.rgb24, CameraByteOrder.same), (.rgb24, .blueFirst), (.yuyv, .chromaFirst)] {
      let layout = try FrameLayout(format, width: format == .yuyv ? 45 : 30, height: 4)
      let (bytes, isWhole) = copied(pattern(count), layout, stride: 100, from: order)
      // Part of a pixel is none.
      if order != .same, count == 1 { #expect(bytes == [0]) }
      #expect(!isWhole)
      #expect(bytes.count <= count)
      #expect(bytes.count >= count * 9 / 10 - 10)
    }
  }

  @Test func `a JPEG keeps its length, up to the most that is accepted`() throws {
    let layout = try FrameLayout(.jpeg, width: 16, height: 16)
    let source = pattern(1234)
    #expect(copied(source, layout, stride: 0).bytes == source)
    #expect(copied(source, layout, stride: 0).isWhole)
    #expect(!copied(pattern(layout.byteCount + 1), layout, stride: 0).isWhole)
  }
}
