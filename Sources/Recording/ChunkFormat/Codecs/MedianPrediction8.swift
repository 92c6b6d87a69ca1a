import CKernels
import Kernels

/// The median edge detector of JPEG-LS on planes of 8-bit samples, modulo 256.
///
/// With a = left, b = above, c = above left, and 0 for all that lies outside the plane, a sample is predicted as min(a,
/// b) where c is the largest of the three, max(a, b) where it is the smallest, and a + b − c between. That is a + b −
/// clamp(c, min(a, b), max(a, b)), where max(a, b) = a + b − min(a, b): nothing needs more than 8 bits. On the first
/// row it is the left neighbour, in the first column the one above.
enum MedianPrediction8 {
  typealias Lanes = SIMD16<UInt8>

  /// Writes sample − prediction, row after row without gaps.
  /// - Parameter residuals: up to 15 bytes behind the last row are overwritten.
  static func encode(_ plane: SamplePlane<UInt8>, into residuals: UnsafeMutablePointer<UInt8>) {
    let (width, height) = (plane.width, plane.height)
    var target = UnsafeMutableRawPointer(residuals)
    for y in 0..<height {
      let row = UnsafeRawPointer(plane.row(y))
      let above = UnsafeRawPointer(plane.row(y - 1))
      var x = 0
      // Each row's excess lies where the next row is written afterwards.
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

  /// Brings the samples back, see median.c.
  /// - Parameters:
  ///   - residuals: 16 bytes before the first and 48 behind the last are read, whatever they are.
  ///   - plane: its surroundings are clear.
  static func decode(
    _ residuals: UnsafePointer<UInt8>, into plane: SamplePlane<UInt8>, processor: RTKProcessor
  ) {
    rtk_median_decode8(
      processor, residuals, plane.row(0), Int32(plane.width), Int32(plane.height), plane.stride)
  }
}
