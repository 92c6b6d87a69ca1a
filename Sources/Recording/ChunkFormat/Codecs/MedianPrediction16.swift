import CKernels
import Kernels

/// The median edge detector on planes of ranks, see `MedianPrediction8`. Residuals are zigzag coded: 0, −1, 1, −2, …
/// become 0, 1, 2, 3, …, so that small ones of either sign are small numbers.
enum MedianPrediction16 {
  typealias Lanes = SIMD8<Int16>

  /// Writes the zigzag coded residuals, row after row without gaps.
  /// - Parameter residuals: up to 7 samples behind the last row are overwritten.
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
        // Each row's excess lies where the next row is written afterwards.
        (target + 2 * x).storeBytes(of: zigzag, as: Lanes.self)
      }
    }
  }

  /// Brings the ranks back, see median.c.
  /// - Parameters:
  ///   - residuals: 8 samples before the first and 24 behind the last are read, whatever they are.
  ///   - plane: its surroundings are clear.
  static func decode(
    _ residuals: UnsafePointer<UInt16>, into plane: SamplePlane<Int16>, processor: RTKProcessor
  ) {
    rtk_median_decode16(
      processor, residuals, plane.row(0), Int32(plane.width), Int32(plane.height), plane.stride)
  }
}
