import Foundation
import FrameModel
import Kernels
import Testing

@Suite struct PixelPlaneTests {
  @Test
  func `a plane starts at zero on a 64-byte boundary, with its rows one after the other`() {
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

  @Test
  func `pages of a large plane are taken from the system when they are first used`() {
    let pageByteCount = Int(getpagesize())
    let plane = PixelPlane<UInt8>(width: pageByteCount, height: 16_384)
    let start = UnsafeMutableRawPointer(plane.samples).alignedUp(toMultipleOf: pageByteCount)
    var states = [UInt8](repeating: 0, count: plane.height - 1)
    func usedCount() -> Int {
      #expect(mincore(start, states.count * pageByteCount, &states) == 0)
      return states.count { $0 & 1 == 1 }
    }
    // The system may give 2 MB where 4 kB are used.
    let mostCount = 3 * 512
    #expect(usedCount() < mostCount)
    for y in 100..<110 { plane.row(y)[0] = 1 }
    #expect((10..<mostCount).contains(usedCount()))
  }

  @Test(arguments: [true, false])
  func `a plane that shows a frame's buffer holds it until another one is shown`(ownsSamples: Bool) throws {
    let pool = FrameBufferPool(bufferByteCount: 20, limit: 2)
    let plane =
      ownsSamples
      ? PixelPlane<UInt8>(width: 3, height: 2, channels: 3) : .forShowing(width: 3, height: 2, channels: 3)
    func show(_ level: UInt8) throws {
      let buffer = try #require(pool.take())
      buffer.mutableBytes.initializeMemory(as: UInt8.self, repeating: level)
      plane.show(buffer)
    }
    for level in 1...3 as ClosedRange<UInt8> {
      try show(level)
      #expect(plane.bytes.count == 18 && plane.bytes.allSatisfy { $0 == level })
      #expect(pool.lentCount == 1)
    }
  }
}
