import FrameModel
import Support

/// A Kinect v1's own calibration, as the device sends it and libfreenect keeps it. It is needed to
/// convert raw disparity to millimetres and to register depth to colour after recording.
///
/// Stored as settings of the depth stream. Numbers read back to the same bits.
package struct KinectCalibration: Hashable, Sendable {
  /// Terms of the registration polynomial, in the device's order, named as in libfreenect's
  /// `freenect_reg_info`.
  package enum Term: String, CaseIterable, Sendable {
    case centerX = "dx_center"
    case ax, bx, cx, dx
    case startX = "dx_start"
    case ay, by, cy, dy
    case startY = "dy_start"
    case betaStartX = "dx_beta_start"
    case betaStartY = "dy_beta_start"
    case rolloutBlank = "rollout_blank"
    case rolloutSize = "rollout_size"
    case betaIncrementX = "dx_beta_inc"
    case betaIncrementY = "dy_beta_inc"
    case dxdx = "dxdx_start"
    case dxdy = "dxdy_start"
    case dydx = "dydx_start"
    case dydy = "dydy_start"
    case dxdxdx = "dxdxdx_start"
    case dydxdx = "dydxdx_start"
    case dxdxdy = "dxdxdy_start"
    case dydxdy = "dydxdy_start"
    case compensation1 = "back_comp1"
    case dydydx = "dydydx_start"
    case compensation2 = "back_comp2"
    case dydydy = "dydydy_start"
  }

  package struct Padding: Hashable, Sendable {
    package var startLines: UInt16
    package var endLines: UInt16
    package var croppingLines: UInt16

    package init(startLines: UInt16 = 0, endLines: UInt16 = 0, croppingLines: UInt16 = 0) {
      self.startLines = startLines
      self.endLines = endLines
      self.croppingLines = croppingLines
    }
  }

  package struct ZeroPlane: Hashable, Sendable {
    /// From the infrared camera to its projector.
    package var emitterDistanceCentimeters: Float
    /// From the infrared camera to the colour camera.
    package var colorDistanceCentimeters: Float
    package var referenceDistanceMillimeters: Float
    package var referencePixelSizeMillimeters: Float

    package init(
      emitterDistanceCentimeters: Float, colorDistanceCentimeters: Float, referenceDistanceMillimeters: Float,
      referencePixelSizeMillimeters: Float
    ) {
      self.emitterDistanceCentimeters = emitterDistanceCentimeters
      self.colorDistanceCentimeters = colorDistanceCentimeters
      self.referenceDistanceMillimeters = referenceDistanceMillimeters
      self.referencePixelSizeMillimeters = referencePixelSizeMillimeters
    }
  }

  private let terms: [Int32]
  package let padding: Padding
  package let zeroPlane: ZeroPlane
  package let constantShift: Double

  /// - Parameter terms: in the order of `Term.allCases`; missing ones are 0.
  package init(terms: [Int32], padding: Padding, zeroPlane: ZeroPlane, constantShift: Double) {
    self.terms = Term.allCases.indices.map { $0 < terms.count ? terms[$0] : 0 }
    self.padding = padding
    self.zeroPlane = zeroPlane
    self.constantShift = constantShift
  }

  package subscript(_ term: Term) -> Int32 {
    Term.allCases.firstIndex(of: term).map { terms[$0] } ?? 0
  }
}

extension KinectCalibration {
  private enum Name {
    static let registration = "registration"
    static let padding = "registration-padding"
    static let constantShift = "constant-shift"
    static let zeroPlane = "zero-plane"
  }

  /// Each is a list of `name=value` words, except the constant shift, a number.
  package var settings: [StreamDescription.Setting] {
    let words = zip(Term.allCases, terms).map { "\($0.rawValue)=\($1)" }
    return [
      .init(Name.registration, words.joined(separator: " ")),
      .init(
        Name.padding,
        "start_lines=\(padding.startLines) end_lines=\(padding.endLines) cropping_lines=\(padding.croppingLines)"),
      .init(Name.constantShift, "\(constantShift)"),
      .init(
        Name.zeroPlane,
        "emitter_distance_centimeters=\(zeroPlane.emitterDistanceCentimeters) "
          + "color_distance_centimeters=\(zeroPlane.colorDistanceCentimeters) "
          + "reference_distance_millimeters=\(zeroPlane.referenceDistanceMillimeters) "
          + "reference_pixel_size_millimeters=\(zeroPlane.referencePixelSizeMillimeters)"),
    ]
  }

  /// Nil if the stream has no such settings. Throws `.corrupt` for incomplete or invalid ones.
  package init?(_ settings: [StreamDescription.Setting]) throws(RetakeError) {
    let texts = [Name.registration, Name.padding, Name.constantShift, Name.zeroPlane].map { settings[$0] }
    guard texts.contains(where: { $0 != nil }) else { return nil }
    guard let block = texts[0].map(SettingWords.init), let padding = texts[1].map(SettingWords.init),
      let shift = texts[2].flatMap({ Double($0) }), shift.isFinite, let plane = texts[3].map(SettingWords.init)
    else { throw Self.unreadable }
    func number<Number: LosslessStringConvertible>(
      _ words: SettingWords, _ name: String
    ) throws(RetakeError) -> Number {
      guard let text = words[name], let number = Number(text) else { throw Self.unreadable }
      return number
    }
    func length(_ name: String) throws(RetakeError) -> Float {
      let length: Float = try number(plane, name)
      guard length.isFinite else { throw Self.unreadable }
      return length
    }
    self.init(
      terms: try Term.allCases.map { term throws(RetakeError) in try number(block, term.rawValue) },
      padding: Padding(
        startLines: try number(padding, "start_lines"), endLines: try number(padding, "end_lines"),
        croppingLines: try number(padding, "cropping_lines")),
      zeroPlane: ZeroPlane(
        emitterDistanceCentimeters: try length("emitter_distance_centimeters"),
        colorDistanceCentimeters: try length("color_distance_centimeters"),
        referenceDistanceMillimeters: try length("reference_distance_millimeters"),
        referencePixelSizeMillimeters: try length("reference_pixel_size_millimeters")),
      constantShift: shift)
  }

  private static var unreadable: RetakeError {
    RetakeError(
      .corrupt, "The Kinect calibration in the recording is invalid.",
      hint: "'retake export png --depth raw' exports depth as the camera sent it")
  }
}
