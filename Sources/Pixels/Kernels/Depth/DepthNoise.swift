import CKernels
import FrameModel
import Support

/// Adds the noise of a structured-light sensor: each measured pixel moves by its own bell-shaped
/// random amount.
///
/// The standard deviation is a multiple of σ = 0.0012 + 0.0019 (z − 0.4)² m, along the axis
/// (Nguyen, Izadi and Lovell, Modeling Kinect sensor noise for improved 3D reconstruction and
/// tracking, 3DIMPVT 2012). The bell is the sum of eight uniform numbers, which ends at 4.9 σ.
///
/// It acts on recorded samples and depends only on the key and the pixel's position. Holes stay
/// holes, and measured samples stay measured: they are clamped to samples that have a distance.
package struct DepthNoise: Sendable {
  /// Indexed by sample, as in `RTKDepthNoise`.
  package let spread: [UInt32]
  package let bits: UInt16
  package let lowest: UInt16
  package let highest: UInt16
  private let processor: Processor

  /// Standard deviation of the sum of eight uniform 16-bit numbers.
  static let bellSigma = (8.0 * 4_294_967_295.0 / 12.0).squareRoot()
  /// A step of a Kinect's raw value is 0.00307 z² m.
  static let kinectStep = 0.0030711016

  package static func sigma(millimeters: Double) -> Double {
    let far = (millimeters - 400) / 1000
    return 1.2 + 1.9 * far * far
  }

  /// - Parameter multiple: of σ, above 0.
  /// - Throws: `.unsupported` for float disparity, which would have to be rounded, and for other
  ///   formats than depth; what `DepthConverter` throws for an invalid unit or calibration.
  package init(_ stream: StreamDescription, multiple: Double, processor: Processor = .best) throws(RetakeError) {
    // Throws if the unit or the calibration is invalid.
    _ = try DepthConverter(stream, viewpoint: .none)
    self.processor = processor
    let millimeters: [Double]
    /// Samples per millimetre at a distance.
    let density: (Double) -> Double
    switch stream.layout.format {
    case .depthMillimeters16:
      millimeters = (0...65_535).map(Double.init)
      density = { _ in 1 }
    case .grey16:
      let unit = Double(stream.settings[StreamDescription.depthUnit].flatMap { Int($0) } ?? 1000) / 1000
      millimeters = (0...65_535).map { Double($0) * unit }
      density = { _ in 1 / unit }
    case .kinectRaw11:
      let calibration = try KinectCalibration(stream.settings)
      let table = calibration.map(KinectDepthTables.millimeters) ?? DepthUnits.kinectMillimeters
      millimeters = table.indices.map { $0 < 2047 ? Double(table[$0]) : 0 }
      density = { 1000 / (Self.kinectStep * $0 * $0) }
    default:
      throw RetakeError(
        .unsupported,
        "Noise cannot be added to stream '\(stream.name)': its format is \(stream.layout.format.rawValue).",
        hint: "leave out fault.depth-noise; it needs depth in millimetres, counts or a Kinect's raw values")
    }
    bits = UInt16(millimeters.count - 1)
    lowest = UInt16(millimeters.firstIndex { $0 > 0 } ?? 0)
    highest = UInt16(millimeters.lastIndex { $0 > 0 } ?? 0)
    spread = millimeters.map { distance in
      guard distance > 0 else { return 0 }
      // A larger spread than the range of samples has no further effect.
      let samples = min(65_535, multiple * Self.sigma(millimeters: distance) * density(distance))
      return UInt32((samples / Self.bellSigma * Double(1 << RTKSpreadFraction)).rounded(.toNearestOrEven))
    }
  }

  /// Adds noise to `count` samples, starting with a frame's first.
  /// - Parameter key: seeds the noise.
  package func add(
    key: UInt64, to depth: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    spread.withUnsafeBufferPointer { spread in
      var noise = RTKDepthNoise(key: key, spread: spread.baseAddress, bits: bits, lowest: lowest, highest: highest)
      rtk_depth_noise(processor.choice, &noise, depth, target, count)
    }
  }
}
