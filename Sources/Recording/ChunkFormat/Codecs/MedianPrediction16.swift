import CKernels
import Kernels

/// The median edge detector (see `MedianPrediction8`) on planes of ranks. Residuals are zigzag
/// coded: 0, −1, 1, −2, … become 0, 1, 2, 3, ….
package enum MedianPrediction16 {
  typealias Lanes = SIMD8<Int16>

  /// Writes zigzag coded residuals without row gaps. Up to 7 samples past the end are overwritten.
  static func encode(_ plane: SamplePlane<Int16>, into residuals: UnsafeMutablePointer<UInt16>) {
    for y in 0..<plane.height {
      let row = plane.row(y)
      let above = plane.row(y - 1)
      let target = UnsafeMutableRawPointer(residuals + y * plane.width)
      for x in stride(from: 0, to: plane.width, by: 8) {
        let a = UnsafeRawPointer(row + x - 1).loadUnaligned(as: Lanes.self)
        let b = UnsafeRawPointer(above + x).loadUnaligned(as: Lanes.self)
        let c = UnsafeRawPointer(above + x - 1).loadUnaligned(as: Lanes.self)
        let sample = UnsafeRawPointer(row + x).loadUnaligned(as: Lanes.self)
        let sum = a &+ b
        let low = a.lesser(b)
        let edge = c.greater(low).lesser(sum &- low)
        let residual = sample &- sum &+ edge
        let zigzag = (residual &<< 1) ^ (residual &>> 15)
        // The next row overwrites what this one writes past its end.
        (target + 2 * x).storeBytes(of: zigzag, as: Lanes.self)
      }
    }
  }

  /// Restores the ranks; see median.c. `plane` must be prepared with `clearSurroundings()`.
  /// - Parameter residuals: 8 samples before and 24 after are read; their values do not matter.
  package static func decode(
    _ residuals: UnsafePointer<UInt16>, into plane: SamplePlane<Int16>, processor: Processor
  ) {
    rtk_median_decode16(
      processor.choice, residuals, plane.row(0), Int32(plane.width), Int32(plane.height), plane.stride)
  }
}
