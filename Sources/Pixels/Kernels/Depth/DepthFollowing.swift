import CKernels

/// Temporal filter after librealsense's: an exponential moving average per pixel. Holes can show
/// the last measurement.
///
/// With mean m and new depth x: m becomes m + alpha · (x − m) if both are measured and
/// |x − m| ≤ delta, else x. A hole leaves m unchanged. m has 8 fractional bits of a millimetre, so
/// small steps converge. The output is rounded to nearest.
package final class DepthFollowing {
  private let following: RTKDepthFollowing
  private let processor: Processor
  private let last: PixelPlane<UInt32>
  /// Which of the eight previous frames were measured; the last one is bit 0.
  private let history: PixelPlane<UInt8>

  /// `alpha`, 0 ... 1, is the new depth's weight; `deltaMillimeters` is 0 ... 1000.
  package init(
    width: Int, height: Int, alpha: Double, deltaMillimeters: Int, persistence: DepthPersistence,
    processor: Processor = .best
  ) {
    let rule = persistence.rule
    following = RTKDepthFollowing(
      share: DepthShare.fixed(alpha), delta: DepthShare.delta(deltaMillimeters), atLeast: Int32(rule.atLeast),
      window: UInt8((1 << rule.window) - 1))
    self.processor = processor
    last = PixelPlane(width: width, height: height)
    history = PixelPlane(width: width, height: height)
  }

  /// Forgets all frames.
  package func restart() {
    last.fill(0)
    history.fill(0)
  }

  /// Filters rows of the next frame in place. Pass each row once per frame.
  package func apply(_ depth: UnsafeMutablePointer<UInt16>, rows: Range<Int>) {
    var following = following
    rtk_depth_follow(
      processor.choice, &following, depth + rows.lowerBound * last.width, last.row(rows.lowerBound),
      history.row(rows.lowerBound), rows.count * last.width)
  }
}
