import Kernels
import Testing

@Suite struct PixelPlaneTests {
  @Test("a plane starts at zero on a 64-byte boundary, with its rows one after the other")
  func layout() {
    for (width, height, channels) in [(1, 1, 1), (17, 5, 3), (640, 2, 1)] {
      let plane = PixelPlane<UInt16>(width: width, height: height, channels: channels)
      #expect(UInt(bitPattern: plane.samples) % 64 == 0)
      #expect(plane.rowLength == width * channels && plane.count == width * height * channels)
      #expect(plane.bytes.count == 2 * plane.count && plane.bytes.allSatisfy { $0 == 0 })
      #expect(plane.row(height - 1) == plane.samples + (height - 1) * width * channels)
      plane.fill(0xABCD)
      #expect(UnsafeBufferPointer(start: plane.samples, count: plane.count).allSatisfy { $0 == 0xABCD })
    }
  }
}
