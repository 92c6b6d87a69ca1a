import FrameModel
import Support

/// Converts depth frames of one stream to UInt16 millimetres, 0 = hole.
///
/// - Millimetres are copied; disparity in 1/m is rounded to the nearest millimetre.
/// - 16-bit counts are multiplied by the stream's unit and rounded to nearest, at most 65535.
/// - A Kinect's raw 11 bits use its calibration, bit-equal to libfreenect's FREENECT_DEPTH_MM (10 m
///   stands for anything farther), or without one (fakenect) the formula in `DepthUnits`.
/// - Depth can be registered to colour by `DepthRegistration` for a Kinect, and by
///   `CameraPairRegistration` for other cameras with known intrinsics and extrinsics.
package struct DepthConverter: Sendable {
  package enum Viewpoint: String, CaseIterable, Sendable {
    /// The colour camera if the recording allows it, else the depth camera.
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
    /// For `DepthUnits.convert`.
    case table([UInt16])
  }

  private let method: Method
  private let layout: FrameLayout
  private let registration: Registration
  /// The side of a near surface on which its shadow falls. A Kinect's projector is to the right of
  /// its infrared camera, in viewing direction, so shadows are on the left. After registration they
  /// can be on either side.
  package let shadowSide: DepthHoleJudge.ShadowSide
  package var isRegistered: Bool {
    if case .none = registration { return false }
    return true
  }

  private static let largestUnitMicrometers = 1_000_000

  /// Whether the stream's frames can be converted to millimetres.
  package static func isDepth(_ stream: StreamDescription) -> Bool {
    stream.layout.format.isDepth || (stream.kind == .depth && stream.layout.format == .grey16)
  }

  /// Without calibration, unit or registration: 16-bit counts are taken as millimetres.
  package init(_ layout: FrameLayout) {
    self.layout = layout
    registration = .none
    shadowSide = layout.format == .kinectRaw11 ? .left : .either
    method = Self.method(layout.format, kinectMillimeters: DepthUnits.kinectMillimeters)
  }

  private static func method(_ format: PixelFormat, kinectMillimeters: [UInt16]) -> Method {
    switch format {
    case .kinectRaw11: .table(kinectMillimeters)
    case .disparityFloat32: .disparity
    default: .millimeters
    }
  }

  /// - Parameter laysPairs: whether to register other cameras than a Kinect by
  ///   `CameraPairRegistration`. The caller must then align depth and colour as described there.
  /// - Throws: `.unsupported` for a stream above `WorkLimit`, counts without a unit, or an
  ///   impossible registration that `viewpoint` demands; `.corrupt` for an invalid calibration or
  ///   unit.
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
    method =
      layout.format == .grey16
      ? try Self.countsMethod(depth)
      : Self.method(
        layout.format, kinectMillimeters: calibration.map(Self.kinectMillimeters) ?? DepthUnits.kinectMillimeters)
    registration = try Self.registration(depth, color, viewpoint, calibration, laysPairs: laysPairs)
    if case .none = registration { shadowSide = KinectAlignment.shadowSide(depth) } else { shadowSide = .either }
  }

  private static func registration(
    _ depth: StreamDescription, _ color: StreamDescription?, _ viewpoint: Viewpoint, _ calibration: KinectCalibration?,
    laysPairs: Bool
  ) throws(RetakeError) -> Registration {
    if viewpoint == .none { return .none }
    let obstacle: String?
    // A Kinect's depth has intrinsics only if the user gave them.
    let isKinect = KinectAlignment.concerns(depth) && depth.settings[CameraIntrinsics.settingName] == nil
    if isKinect || !laysPairs {
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
      .unsupported, "Stream '\(depth.name)' cannot be registered to colour: \(obstacle).",
      hint: "leave out depth.registration=color")
  }

  private static func kinectMillimeters(_ calibration: KinectCalibration) -> [UInt16] {
    let farthest = UInt16(KinectDepthTables.farthestMillimeters)
    return KinectDepthTables.millimeters(calibration).map { min($0, farthest) }
  }

  private static func countsMethod(_ stream: StreamDescription) throws(RetakeError) -> Method {
    guard let text = stream.settings[StreamDescription.depthUnit] else {
      throw RetakeError(
        .unsupported, "Stream '\(stream.name)' does not give its depth unit.",
        hint: "'retake export png --depth raw' exports the raw counts")
    }
    guard let unit = Int(text), (1...largestUnitMicrometers).contains(unit) else {
      throw RetakeError(
        .corrupt, "Stream '\(stream.name)' has an invalid depth unit: '\(text.prefix(40))' micrometres.",
        hint: "'retake export png --depth raw' exports the raw counts")
    }
    if unit == 1000 { return .millimeters }
    return .table((0...65_535).map { UInt16(min(65_535, ($0 * unit + 500) / 1000)) })
  }

  /// Converts a whole packed frame, aligned as `FrameBuffer` is, to one sample per pixel.
  package func convert(
    _ frame: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt16>,
    bands: BandRunner = BandRunner(threadCount: 1)
  ) {
    let width = layout.width
    // Registration is serial: a depth row can land in several rows of the target.
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

  /// Converts without registration.
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
    if case .table(let table) = method {
      DepthUnits.convert(samples: source, by: table, to: target, count: count)
    } else {
      target.update(from: source, count: count)
    }
  }
}

/// Which Kinect depth streams can be registered to which colour streams.
private enum KinectAlignment {
  /// Whether this is Kinect depth in the depth camera's own view.
  static func concerns(_ depth: StreamDescription) -> Bool {
    depth.layout.format == .kinectRaw11
      || depth.layout.format == .depthMillimeters16 && mode(depth).hasPrefix("mm ")
  }

  /// - Returns: why registration is impossible; nil if it is possible.
  static func obstacle(_ depth: StreamDescription, _ color: StreamDescription?, hasCalibration: Bool) -> String? {
    if mode(depth).hasPrefix("registered ") { return "it is already registered to colour" }
    guard concerns(depth) else { return "only a Kinect's raw or millimetre depth can be registered" }
    guard hasCalibration else { return "the recording lacks the Kinect's calibration" }
    guard hasTableSize(depth) else {
      return "it is not \(DepthRegistration.width)x\(DepthRegistration.height) pixels"
    }
    guard let color, color.device == depth.device else { return "there is no colour stream of the same Kinect" }
    guard hasTableSize(color) else {
      return "colour is not \(DepthRegistration.width)x\(DepthRegistration.height) pixels"
    }
    guard !isMirrored(depth), !isMirrored(color) else { return "it was recorded mirrored" }
    return nil
  }

  static func shadowSide(_ depth: StreamDescription) -> DepthHoleJudge.ShadowSide {
    guard concerns(depth) else { return .either }
    return isMirrored(depth) ? .right : .left
  }

  private static func hasTableSize(_ stream: StreamDescription) -> Bool {
    (stream.layout.width, stream.layout.height) == (DepthRegistration.width, DepthRegistration.height)
  }

  private static func mode(_ stream: StreamDescription) -> String {
    stream.settings["mode"] ?? ""
  }

  private static func isMirrored(_ stream: StreamDescription) -> Bool {
    stream.settings.contains { $0.name.hasPrefix("mirror-") && $0.value == "1" }
  }
}
