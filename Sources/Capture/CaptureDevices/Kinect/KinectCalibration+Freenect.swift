import CFreenect
import Kernels

extension KinectCalibration {
  /// As libfreenect has it of an open device, with the distance to the colour camera that it puts in the device's place.
  init(_ registration: freenect_registration) {
    let plane = registration.zero_plane_info
    let padding = registration.reg_pad_info
    self.init(
      // The structure is what the device sends: 29 integers in the order of `Term`.
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
