import FrameModel
import Support

/// Depth frames of one stream to UInt16 millimetres, 0 = hole, by what the recording knows of its camera.
///
/// - Millimetres stay as they are, and disparity in 1/m becomes the nearest millimetre.
/// - 16-bit counts are taken times the stream's unit, to the nearest millimetre, 65535 at most.
/// - A Kinect's raw 11 bits go through the device's own calibration, bit-equal to libfreenect's FREENECT_DEPTH_MM (10 m
///   stands for all that is farther); without one (a fakenect session) through the formula in `DepthUnits`.
/// - A Kinect's depth can be laid over its colour picture: see `DepthRegistration`.
/// - So can that of other cameras whose lenses and places the recording knows: see `CameraPairRegistration`.
package struct DepthConverter: Sendable {
  /// From where depth is seen.
  package enum Viewpoint: String, CaseIterable, Sendable {
    /// From the colour camera where the recording allows, else from the depth camera.
    case auto
    case color
    case none
  }

  private enum Registration {
    case none
    case kinect(DepthRegistration)
    case pair(CameraPairRegistration)
  }

  private enum Method {
    case millimeters
    case disparity
    /// By the low 11 bits of a sample.
    case kinect([UInt16])
    /// By the sample.
    case counts([UInt16])
  }

  private let method: Method
  private let layout: FrameLayout
  private let registration: Registration
  /// Where a near surface's shadow on a far one falls: a Kinect's projector is to the right of its infrared camera, as they
  /// look out, so what it does not reach is seen on the left. Laid over colour, either side may be hidden.
  package let shadowSide: DepthHoleJudge.ShadowSide
  /// Whether depth is laid over colour.
  package var isRegistered: Bool {
    if case .none = registration { return false }
    return true
  }

  /// Largest unit that a stream may have: a metre.
  private static let largestUnitMicrometers = 1_000_000

  /// Whether a stream's frames can be asked for in millimetres.
  package static func isDepth(_ stream: StreamDescription) -> Bool {
    stream.layout.format.isDepth || (stream.kind == .depth && stream.layout.format == .grey16)
  }

  /// Without calibration, unit or colour: 16-bit counts are millimetres.
  package init(_ layout: FrameLayout) {
    self.layout = layout
    registration = .none
    shadowSide = layout.format == .kinectRaw11 ? .left : .either
    switch layout.format {
    case .kinectRaw11: method = .kinect(DepthUnits.kinectMillimeters)
    case .disparityFloat32: method = .disparity
    default: method = .millimeters
    }
  }

  /// - Parameters:
  ///   - color: the colour stream that depth may be laid over.
  ///   - laysPairs: whether depth may be laid over a colour picture of another size, by intrinsics and extrinsics: where
  ///     the two are taken to lie over each other as `CameraPairRegistration` says.
  /// - Throws: `.unsupported` for streams too large for `WorkLimit`, for depth of no known unit, or that cannot be laid over colour when it must be; `.corrupt`
  ///   for a calibration or unit that cannot be read.
  package init(
    _ depth: StreamDescription, color: StreamDescription? = nil, viewpoint: Viewpoint = .auto, laysPairs: Bool = false
  ) throws(RetakeError) {
    try WorkLimit.depth.check(
      width: depth.layout.width, height: depth.layout.height, "Stream '\(depth.name)'")
    if let color = color?.layout {
      try WorkLimit.picture.check(width: color.width, height: color.height, "The colour stream")
    }
    layout = depth.layout.packed
    let calibration = try KinectCalibration(depth.settings)
    switch layout.format {
    case .grey16: method = try Self.countsMethod(depth)
    case .kinectRaw11:
      method = .kinect(calibration.map(Self.kinectMillimeters) ?? DepthUnits.kinectMillimeters)
    case .disparityFloat32: method = .disparity
    default: method = .millimeters
    }
    registration = try Self.registration(depth, color, viewpoint, calibration, laysPairs: laysPairs)
    if case .none = registration { shadowSide = KinectAlignment.shadowSide(depth) } else { shadowSide = .either }
  }

  private static func registration(
    _ depth: StreamDescription, _ color: StreamDescription?, _ viewpoint: Viewpoint, _ calibration: KinectCalibration?,
    laysPairs: Bool
  ) throws(RetakeError) -> Registration {
    if viewpoint == .none { return .none }
    let obstacle: String?
    if KinectAlignment.concerns(depth) || !laysPairs {
      obstacle = KinectAlignment.obstacle(depth, color, hasCalibration: calibration != nil)
      if obstacle == nil, let calibration { return .kinect(DepthRegistration(calibration)) }
    } else {
      switch try CameraPairRegistration.pair(depth, color) {
      case .success(let registration): return .pair(registration)
      case .failure(let found): obstacle = found.reason
      }
    }
    guard let obstacle, viewpoint == .color else { return .none }
    throw RetakeError(
      .unsupported, "Stream '\(depth.name)' cannot be laid over colour: \(obstacle).",
      hint: "leave depth.registration=color out")
  }

  /// What FREENECT_DEPTH_MM gives for each raw value.
  private static func kinectMillimeters(_ calibration: KinectCalibration) -> [UInt16] {
    let farthest = UInt16(KinectDepthTables.farthestMillimeters)
    return KinectDepthTables.millimeters(calibration).map { min($0, farthest) }
  }

  private static func countsMethod(_ stream: StreamDescription) throws(RetakeError) -> Method {
    guard let text = stream.settings.first(where: { $0.name == StreamDescription.depthUnit })?.value else {
      throw RetakeError(
        .unsupported, "Stream '\(stream.name)' does not say what distance a count is.",
        hint: "'retake export png --depth raw' writes the counts")
    }
    guard let unit = Int(text), (1...largestUnitMicrometers).contains(unit) else {
      throw RetakeError(
        .corrupt, "Stream '\(stream.name)' has a unit of '\(text.prefix(40))' micrometres.",
        hint: "'retake export png --depth raw' writes the counts")
    }
    if unit == 1000 { return .millimeters }
    return .counts((0...65_535).map { UInt16(min(65_535, ($0 * unit + 500) / 1000)) })
  }

  /// Converts a whole packed frame.
  /// - Parameters:
  ///   - frame: as many bytes as the layout has, aligned as `FrameBuffer` is.
  ///   - target: as many samples as the layout has pixels.
  package func convert(
    _ frame: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt16>,
    bands: BandRunner = BandRunner(threadCount: 1)
  ) {
    let width = layout.width
    // One row after the other: rows of depth cross in the colour picture.
    func row(_ y: Int, _ row: UnsafeMutablePointer<UInt16>) {
      convert(frame, to: row, samples: y * width..<(y + 1) * width)
    }
    switch registration {
    case .none: break
    case .kinect(let registration): return registration.register(to: target, row)
    case .pair(let registration): return registration.register(to: target, row)
    }
    bands.run(rowCount: layout.height) { rows in
      let samples = rows.lowerBound * width..<rows.upperBound * width
      convert(frame, to: target + samples.lowerBound, samples: samples)
    }
  }

  /// Samples as the depth camera sees them.
  /// - Parameter target: where the first of `samples` goes.
  private func convert(
    _ frame: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt16>, samples: Range<Int>
  ) {
    guard let base = frame.baseAddress else { return }
    let (start, count) = (samples.lowerBound, samples.count)
    if case .disparity = method {
      return DepthUnits.convert(
        disparity: base.assumingMemoryBound(to: Float.self) + start, to: target, count: count)
    }
    let source = base.assumingMemoryBound(to: UInt16.self) + start
    switch method {
    case .kinect(let table): DepthUnits.convert(kinectRaw: source, by: table, to: target, count: count)
    case .counts(let table):
      table.withUnsafeBufferPointer { table in
        for i in 0..<count { target[i] = table[Int(UInt16(littleEndian: source[i]))] }
      }
    default: target.update(from: source, count: count)
    }
  }
}

/// Which depth streams can be laid over which colour streams.
private enum KinectAlignment {
  /// Whether it is a Kinect's depth as its own camera sees it.
  static func concerns(_ depth: StreamDescription) -> Bool {
    depth.layout.format == .kinectRaw11
      || depth.layout.format == .depthMillimeters16 && mode(depth).hasPrefix("mm ")
  }

  /// - Returns: why it cannot be done; nil where it can.
  static func obstacle(_ depth: StreamDescription, _ color: StreamDescription?, hasCalibration: Bool) -> String? {
    if mode(depth).hasPrefix("registered ") { return "it came laid over colour already" }
    guard concerns(depth) else { return "only a Kinect's raw or millimetre depth can be" }
    guard hasCalibration else { return "the recording holds no calibration of the Kinect" }
    guard hasTableSize(depth) else { return "it is not of \(DepthRegistration.width)x\(DepthRegistration.height)" }
    guard let color, color.device == depth.device else { return "there is no colour of the same Kinect" }
    guard hasTableSize(color) else {
      return "the colour is not of \(DepthRegistration.width)x\(DepthRegistration.height)"
    }
    guard !isMirrored(depth), !isMirrored(color) else { return "it was recorded mirrored" }
    return nil
  }

  /// As the depth camera sees it.
  static func shadowSide(_ depth: StreamDescription) -> DepthHoleJudge.ShadowSide {
    guard concerns(depth) else { return .either }
    return isMirrored(depth) ? .right : .left
  }

  private static func hasTableSize(_ stream: StreamDescription) -> Bool {
    (stream.layout.width, stream.layout.height) == (DepthRegistration.width, DepthRegistration.height)
  }

  private static func mode(_ stream: StreamDescription) -> String {
    stream.settings.first { $0.name == "mode" }?.value ?? ""
  }

  private static func isMirrored(_ stream: StreamDescription) -> Bool {
    stream.settings.contains { $0.name.hasPrefix("mirror-") && $0.value == "1" }
  }
}
