import FrameModel
import Support

/// The depth camera's pose relative to the colour camera: X in depth coordinates is R·X + t in
/// colour coordinates; x right, y down, z forward. Stored as the depth stream's setting
/// `extrinsics-color`.
package struct CameraExtrinsics: Hashable, Sendable {
  package static let settingName = "extrinsics-color"

  /// Row-major.
  package let rotation: [Double]
  package let translationMillimeters: [Double]

  /// - Returns: nil unless `rotation` is orthonormal and right-handed, and the translation is below 100 m.
  package init?(rotation: [Double], translationMillimeters: [Double]) {
    guard rotation.count == 9, translationMillimeters.count == 3, rotation.allSatisfy(\.isFinite),
      translationMillimeters.allSatisfy({ abs($0) < 1e5 })
    else { return nil }
    // Within the precision that calibrations are written with.
    for i in 0..<3 {
      for j in i..<3 {
        let product = (0..<3).reduce(0) { $0 + rotation[3 * i + $1] * rotation[3 * j + $1] }
        guard abs(product - (i == j ? 1 : 0)) < 0.01 else { return nil }
      }
    }
    let r = rotation
    let determinant =
      r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) + r[2] * (r[3] * r[7] - r[4] * r[6])
    guard determinant > 0 else { return nil }
    self.init(trusting: rotation, translationMillimeters: translationMillimeters)
  }

  /// For the product or the inverse of valid ones.
  init(trusting rotation: [Double], translationMillimeters: [Double]) {
    self.rotation = rotation
    self.translationMillimeters = translationMillimeters
  }

  private static let names = [
    "r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33", "tx", "ty", "tz",
  ]

  package var setting: StreamDescription.Setting {
    let words = zip(Self.names, rotation + translationMillimeters).map { "\($0)=\($1)" }
    return StreamDescription.Setting(Self.settingName, words.joined(separator: " "))
  }

  /// Nil if the stream has no such setting. Throws `.corrupt` for an invalid one.
  package init?(_ depth: StreamDescription) throws(RetakeError) {
    guard let text = depth.settings[Self.settingName] else { return nil }
    let words = SettingWords(text)
    let numbers = Self.names.compactMap { words.number($0) }
    guard numbers.count == Self.names.count,
      let extrinsics = CameraExtrinsics(
        rotation: Array(numbers[..<9]), translationMillimeters: Array(numbers[9...]))
    else {
      throw RetakeError(
        .corrupt, "The extrinsics of stream '\(depth.name)' are invalid.",
        hint: "use depth.registration=none to keep depth in the depth camera's view")
    }
    self = extrinsics
  }
}
