/// Depth of the Kinect v1. Raw values follow the OpenKinect community's generic calibration,
/// z = 1 / (−0.0030711016 raw + 3.3309495161), whose steps are 0.00307 z² m.
///
/// Noise is σ = 0.0012 + 0.0019 (z − 0.4)² m axially and 0.8 pixels laterally (Nguyen, Izadi and
/// Lovell, Modeling Kinect sensor noise for improved 3D reconstruction and tracking, 3DIMPVT 2012).
/// It was measured in sensor output, so it includes the rounding to steps, with σ = √(1/12) step.
/// Only the rest is added before rounding: beyond 1.5 m, a still pixel takes two or three steps. In
/// the real frames that `NoiseField` names, deviation from planes is 0.44 ... 0.53 steps at 2.5 to
/// 3.5 m; the formula gives 0.50 ... 0.52.
package enum KinectDepthModel {
  static let slope = -0.0030711016
  static let offset = 3.3309495161
  package static let noRaw: UInt16 = 2047
  /// Measurable range, metres.
  package static let nearest: Float = 0.4
  package static let farthest: Float = 8
  /// Standard deviation of lateral edge noise, pixels.
  static let lateralSigma: Float = 0.8
  /// Metres from the camera to the projector, which is on the right in the image.
  static let baseline: Float = 0.075

  /// Metres of a raw value below 1084.
  package static func meters(raw: Int) -> Double { 1 / disparity(raw: raw) }

  /// 1/m.
  static func disparity(raw: Int) -> Double { slope * Double(raw) + offset }

  @inline(__always)
  package static func rawValue(_ meters: Float) -> Float { (Float(offset) - 1 / meters) * Float(-1 / slope) }

  /// Standard deviation of axial noise in the sensor's output, metres.
  @inline(__always)
  package static func sigma(meters: Float) -> Float {
    let far = meters - 0.4
    return 0.0012 + 0.0019 * far * far
  }

  /// Standard deviation, in steps, of the noise added before rounding.
  @inline(__always)
  static func spread(meters: Float) -> Float {
    let steps = sigma(meters: meters) / (Float(-slope) * meters * meters)
    let rest = steps * steps - 1.0 / 12
    return (rest > 0 ? rest : 0).squareRoot()
  }

  /// Whole millimetres by raw value, up to 10 m like a Kinect; 0 for none.
  static let millimeters: [UInt16] = (0..<2048).map { raw in
    guard disparity(raw: raw) >= 0.1 else { return 0 }
    return UInt16((1000 * meters(raw: raw)).rounded(.toNearestOrEven))
  }

  /// Disparity in 1/m by raw value, NaN for none.
  static let disparities: [Float] = (0..<2048).map { raw in
    raw < 1084 ? Float(disparity(raw: raw)) : .nan
  }
}
