import FrameModel
import Kernels
import Synchronization

/// A network that many masks of one frame ask: it is asked once, and answers one at a time.
final class SharedSegmenter: PersonSegmenter {
  private let segmenter: any PersonSegmenter
  private let lock = Mutex(())
  private let mask: PixelPlane<UInt8>
  /// The frame that `mask` is of, and whether there was an answer for it.
  private var latest: (number: Int, isAnswered: Bool)?

  init(_ segmenter: any PersonSegmenter) {
    self.segmenter = segmenter
    let (width, height) = segmenter.maskSize
    mask = PixelPlane(width: width, height: height)
  }

  var maskSize: (width: Int, height: Int) { segmenter.maskSize }
  var answer: SegmentationAnswer { segmenter.answer }

  func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into target: UnsafeMutablePointer<UInt8>)
    throws(RetakeError) -> Bool
  {
    try lock.withLock { _ throws(RetakeError) in
      if latest?.number != frame.number {
        latest = nil
        latest = (frame.number, try segmenter.segment(frame, picture, into: mask.samples))
      }
      target.update(from: mask.samples, count: mask.count)
      return latest?.isAnswered == true
    }
  }
}

/// A background that many composites of one frame ask for: it is asked once for a moment, so that its picture stays while they
/// look at it.
final class SharedBackground: BackgroundSource {
  private let source: any BackgroundSource
  private let lock = Mutex(())
  private var latest: (moment: PresentationTime, picture: BackgroundPicture?)?

  init(_ source: any BackgroundSource) { self.source = source }

  var size: (width: Int, height: Int) { source.size }

  func picture(at moment: PresentationTime) throws(RetakeError) -> BackgroundPicture? {
    try lock.withLock { _ throws(RetakeError) in
      if let latest, latest.moment == moment { return latest.picture }
      let picture = try source.picture(at: moment)
      latest = (moment, picture)
      return picture
    }
  }
}
