import CKernels

/// A picture in grey, and a quarter of it: found once for a frame, and used with the frame before it and the one after it.
///
/// Its slopes are no part of it: from eight-bit pixels they are had in less time than it takes to read them.
// Unchecked, because what it is made of is written by the initializer and by nothing after it.
package final class PictureFeatures: @unchecked Sendable {
  /// Pixels.
  package let width: Int
  package let height: Int
  let processor: RTKProcessor
  private let samples: UnsafeMutablePointer<UInt8>
  private let reduced: ReducedPlane

  /// - Parameter picture: in grey; it is copied. At least one pixel.
  package init(_ picture: BytePlane, _ processor: RTKProcessor = rtk_processor()) {
    precondition(picture.width > 0 && picture.height > 0)
    width = picture.width
    height = picture.height
    self.processor = processor
    samples = .allocate(capacity: picture.count)
    samples.initialize(from: picture.samples, count: picture.count)
    reduced = ReducedPlane(picture, processor)
  }

  deinit { samples.deallocate() }

  /// The picture itself, as long as this lives.
  package var plane: BytePlane { BytePlane(samples, width: width, height: height) }

  var pictureAndReduced: RTKGreyPicture {
    RTKGreyPicture(samples: samples, reduced: reduced.samples, width: Int32(width), height: Int32(height))
  }
}
