import CFreenect
import FrameModel

/// A Kinect's own calibration, as settings of its depth stream: what it takes to turn raw disparity into
/// millimetres and to lay depth over colour after the recording, as libfreenect's registration.c does.
enum KinectCalibration {
  /// Words of name=value, separated by spaces. Numbers are written so that reading them gives the same bits.
  static func settings(_ registration: freenect_registration) -> [StreamDescription.Setting] {
    let block = registration.reg_info
    let padding = registration.reg_pad_info
    let plane = registration.zero_plane_info
    return [
      .init("registration", words(integerFields(of: block))),
      .init(
        "registration-padding",
        "start_lines=\(padding.start_lines) end_lines=\(padding.end_lines) "
          + "cropping_lines=\(padding.cropping_lines)"),
      .init("constant-shift", "\(registration.const_shift)"),
      .init(
        "zero-plane",
        "emitter_distance_centimeters=\(plane.dcmos_emitter_dist) "
          + "color_distance_centimeters=\(plane.dcmos_rcmos_dist) "
          + "reference_distance_millimeters=\(plane.reference_distance) "
          + "reference_pixel_size_millimeters=\(plane.reference_pixel_size)"),
    ]
  }

  private static func words(_ fields: [(String, Int32)]) -> String {
    fields.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
  }

  private static func integerFields(of block: freenect_reg_info) -> [(String, Int32)] {
    [
      ("dx_center", block.dx_center), ("ax", block.ax), ("bx", block.bx), ("cx", block.cx),
      ("dx", block.dx), ("dx_start", block.dx_start), ("ay", block.ay), ("by", block.by),
      ("cy", block.cy), ("dy", block.dy), ("dy_start", block.dy_start),
      ("dx_beta_start", block.dx_beta_start), ("dy_beta_start", block.dy_beta_start),
      ("rollout_blank", block.rollout_blank), ("rollout_size", block.rollout_size),
      ("dx_beta_inc", block.dx_beta_inc), ("dy_beta_inc", block.dy_beta_inc),
      ("dxdx_start", block.dxdx_start), ("dxdy_start", block.dxdy_start),
      ("dydx_start", block.dydx_start), ("dydy_start", block.dydy_start),
      ("dxdxdx_start", block.dxdxdx_start), ("dydxdx_start", block.dydxdx_start),
      ("dxdxdy_start", block.dxdxdy_start), ("dydxdy_start", block.dydxdy_start),
      ("back_comp1", block.back_comp1), ("dydydx_start", block.dydydx_start),
      ("back_comp2", block.back_comp2), ("dydydy_start", block.dydydy_start),
    ]
  }
}
