import CKernels

/// Fills holes and reduces temporal noise, using the frames before and after (E.25).
///
/// With c the pixel, p and n the same pixel before and after:
/// - measured: (p + 2c + n + 2) >> 2, where a neighbour that is a hole or differs from c by more
///   than delta counts as c;
/// - a hole: (p + n + 1) >> 1 if both are measured and differ by at most delta, else the farther
///   one, since between two surfaces there is none. 0 if both are holes.
///
/// The time between frames does not matter.
package enum DepthInterpolation {
  /// Pass `depth` for a missing neighbour. `out` may be `depth`. `deltaMillimeters` is 0 ... 1000.
  package static func apply(
    before: UnsafePointer<UInt16>, _ depth: UnsafePointer<UInt16>, after: UnsafePointer<UInt16>,
    deltaMillimeters: Int, to out: UnsafeMutablePointer<UInt16>, count: Int, processor: Processor = .best
  ) {
    rtk_depth_interpolate(
      processor.choice, before, depth, after, UInt16(DepthShare.delta(deltaMillimeters)), out, count)
  }
}
