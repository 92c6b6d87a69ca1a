/// How a Kinect v1 sees a distance.
///
/// The raw value and the metres follow the generic calibration of the OpenKinect community,
/// z = 1 / (−0.0030711016 raw + 3.3309495161), whose steps are 0.00307 z² m. The noise along the axis is
/// σ = 0.0012 + 0.0019 (z − 0.4)² m, and across it 0.8 pixels (Nguyen, Izadi and Lovell 2012).
package enum KinectDepthModel {
  package static let slope = -0.0030711016
  package static let offset = 3.3309495161
  /// The raw value of no measurement.
  package static let noRaw: UInt16 = 2047
  /// Metres within which there is a measurement.
  package static let nearest: Float = 0.4
  package static let farthest: Float = 8
  /// Metres from the camera to the projector, which stands to the right in the picture.
  package static let baseline: Float = 0.075

  /// Metres of a raw value below 1084.
  package static func meters(raw: Int) -> Double { 1 / disparity(raw: raw) }

  /// 1/m.
  package static func disparity(raw: Int) -> Double { slope * Double(raw) + offset }

  /// The nearest raw value, or 2047 out of range.
  package static func raw(meters: Float) -> UInt16 {
    guard meters >= nearest, meters <= farthest else { return noRaw }
    return UInt16(truncatingIfNeeded: rawValue(meters).nearestInteger)
  }

  @inline(__always)
  static func rawValue(_ meters: Float) -> Float { (Float(offset) - 1 / meters) * Float(-1 / slope) }

  /// The axial noise's standard deviation, metres.
  @inline(__always)
  package static func sigma(meters: Float) -> Float {
    let far = meters - 0.4
    return 0.0012 + 0.0019 * far * far
  }

  /// Whole millimetres by raw value, up to 10 m as a Kinect gives them; 0 for none.
  package static let millimeters: [UInt16] = (0..<2048).map { raw in
    guard disparity(raw: raw) >= 0.1 else { return 0 }
    return UInt16((1000 * meters(raw: raw)).rounded(.toNearestOrEven))
  }

  /// Disparity in 1/m by raw value, NaN for none.
  package static let disparities: [Float] = (0..<2048).map { raw in
    raw < 1084 ? Float(disparity(raw: raw)) : .nan
  }
}
