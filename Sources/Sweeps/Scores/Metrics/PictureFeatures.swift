import CKernels

/// A grey picture and its quarter-size version, computed once for all scores.
///
/// Its gradients are not stored: computing them from 8-bit pixels is faster than reading them.
// Unchecked: the memory is written by the initializer only.
package final class PictureFeatures: @unchecked Sendable {
  /// Pixels.
  package let width: Int
  package let height: Int
  let processor: RTKProcessor
  private let samples: UnsafeMutablePointer<UInt8>
  private let reduced: ReducedPlane

  /// - Parameter picture: in grey, at least one pixel; copied.
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

  /// Valid as long as this object.
  package var plane: BytePlane { BytePlane(samples, width: width, height: height) }

  var pictureAndReduced: RTKGreyPicture {
    RTKGreyPicture(samples: samples, reduced: reduced.samples, width: Int32(width), height: Int32(height))
  }
}
