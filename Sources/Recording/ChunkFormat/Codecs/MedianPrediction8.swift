import CKernels
import Kernels

/// The median edge detector of JPEG-LS on planes of 8-bit samples, modulo 256.
///
/// Neighbours are a = left, b = above and c = above left, all 0 outside the plane. The prediction
/// is min(a, b) if c is the largest, max(a, b) if c is the smallest, and a + b − c otherwise.
/// This equals a + b − clamp(c, min(a, b), max(a, b)), where max(a, b) = a + b − min(a, b), so 8
/// bits suffice. On the first row it is the left neighbour, in the first column the one above.
package enum MedianPrediction8 {
  typealias Lanes = SIMD16<UInt8>

  /// Writes sample − prediction without row gaps. Up to 15 bytes past the end are overwritten.
  static func encode(_ plane: SamplePlane<UInt8>, into residuals: UnsafeMutablePointer<UInt8>) {
    let (width, height) = (plane.width, plane.height)
    var target = UnsafeMutableRawPointer(residuals)
    for y in 0..<height {
      let row = UnsafeRawPointer(plane.row(y))
      let above = UnsafeRawPointer(plane.row(y - 1))
      var x = 0
      // The next row overwrites what this one writes past its end.
      while x < width {
        let a = (row + x - 1).loadUnaligned(as: Lanes.self)
        let b = (above + x).loadUnaligned(as: Lanes.self)
        let c = (above + x - 1).loadUnaligned(as: Lanes.self)
        let sample = (row + x).loadUnaligned(as: Lanes.self)
        let sum = a &+ b
        let low = a.lesser(b)
        let edge = c.greater(low).lesser(sum &- low)
        (target + x).storeBytes(of: sample &- sum &+ edge, as: Lanes.self)
        x += 16
      }
      target += width
    }
  }

  /// Restores the samples; see median.c. `plane` must be prepared with `clearSurroundings()`.
  /// - Parameter residuals: 16 bytes before and 48 after are read; their values do not matter.
  package static func decode(
    _ residuals: UnsafePointer<UInt8>, into plane: SamplePlane<UInt8>, processor: Processor
  ) {
    rtk_median_decode8(
      processor.choice, residuals, plane.row(0), Int32(plane.width), Int32(plane.height), plane.stride)
  }
}
