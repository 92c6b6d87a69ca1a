import FrameModel
import Kernels
import MattePipeline
import Support
import TestSupport
import Testing

/// Fails at every frame, and counts.
private final class FailingSegmenter: PersonSegmenter {
  let maskSize = (width: 4, height: 3)
  private(set) var askedCount = 0

  func segment(
    _ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>
  ) throws(RetakeError) -> Bool {
    askedCount += 1
    throw RetakeError(.notFound, "There is no mask of frame \(frame.number).")
  }
}

/// A network that masks share.
@Suite struct SharedSegmenterTests {
  @Test
  func `is asked once for a frame, be it for an answer or for what went wrong`() throws {
    let failing = FailingSegmenter()
    let shared = SharedSegmenter(failing)
    let picture = PixelPlane<UInt8>(width: 8, height: 6, channels: 3)
    let mask = PixelPlane<UInt8>(width: 4, height: 3)
    for (number, count) in [(0, 1), (0, 1), (1, 2), (0, 2), (1, 2)] {
      let frame = try colorFrame(noiseImage(8, 6, seed: 1), number: number)
      let error = #expect(throws: RetakeError.self) { try shared.segment(frame, picture, into: mask.samples) }
      #expect(error?.message == "There is no mask of frame \(number).")
      #expect(failing.askedCount == count)
    }
  }
}
