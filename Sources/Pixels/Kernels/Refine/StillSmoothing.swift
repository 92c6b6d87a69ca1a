import CKernels

/// Smooths a matte over time where the picture does not change, so that noise does not make its edge
/// flicker. To avoid trails, the new matte is used unchanged where any colour within 3 by 3 pixels
/// changed by more than noise, where the matte itself changed by more than a quarter, and where it is 0 or 255.
package final class StillSmoothing {
  /// Four times the noise of a dim camera, in steps of 8 bits.
  private static let noise: Int32 = 16
  private static let mostChange: Int32 = 64

  private let weight: Int32
  private let matte: PixelPlane<UInt8>
  private let picture: PixelPlane<UInt8>
  private var hasOld = false
  private let processor: Processor

  /// - Parameter weight: weight of the old matte, 0 to 0.98.
  package init(weight: Double, width: Int, height: Int, processor: Processor = .best) {
    self.weight = Int32((weight * 256).rounded(.toNearestOrEven))
    matte = PixelPlane(width: width, height: height)
    picture = PixelPlane(width: width, height: height, channels: 3)
    self.processor = processor
  }

  /// - Parameters:
  ///   - matte: the new matte; replaced by the result.
  ///   - picture: packed RGB, from which the matte was made.
  package func apply(_ matte: PixelPlane<UInt8>, picture: PixelPlane<UInt8>, bands: BandRunner) {
    if hasOld {
      bands.run(rowCount: matte.height, partsPerThread: BandRunner.finePartsPerThread) { rows, _ in
        var still = RTKStill(
          width: Int32(matte.width), height: Int32(matte.height), noise: Self.noise, most: Self.mostChange,
          weight: weight)
        rtk_calm_still(
          processor.choice, &still, picture.samples, self.picture.samples, self.matte.samples, matte.samples,
          Int32(rows.lowerBound), Int32(rows.count))
      }
    }
    self.matte.samples.update(from: matte.samples, count: matte.count)
    self.picture.samples.update(from: picture.samples, count: picture.count)
    hasOld = true
  }

  /// Copies the last matte and its picture, so that smoothing continues after a parameter change.
  package func carryOn(from old: StillSmoothing) {
    guard old.hasOld, old.matte.width == matte.width, old.matte.height == matte.height else { return }
    matte.samples.update(from: old.matte.samples, count: matte.count)
    picture.samples.update(from: old.picture.samples, count: picture.count)
    hasOld = true
  }
}
