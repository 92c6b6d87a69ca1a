import CFreenect
import Kernels

extension KinectCalibration {
  /// Reads an open device's calibration, where libfreenect sets the distance to the colour camera.
  init(_ registration: freenect_registration) {
    let plane = registration.zero_plane_info
    let padding = registration.reg_pad_info
    self.init(
      // The struct is the device's block: 29 integers in the order of `Term`.
      terms: withUnsafeBytes(of: registration.reg_info) { Array($0.bindMemory(to: Int32.self)) },
      padding: Padding(
        startLines: padding.start_lines, endLines: padding.end_lines, croppingLines: padding.cropping_lines),
      zeroPlane: ZeroPlane(
        emitterDistanceCentimeters: plane.dcmos_emitter_dist, colorDistanceCentimeters: plane.dcmos_rcmos_dist,
        referenceDistanceMillimeters: plane.reference_distance,
        referencePixelSizeMillimeters: plane.reference_pixel_size),
      constantShift: registration.const_shift)
  }
}
