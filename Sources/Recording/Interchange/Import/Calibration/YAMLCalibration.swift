import FrameModel
import Kernels
import Parameters
import Support

/// The calibration in YAML: a group for each stream, and the place of depth.
struct YAMLCalibration {
  private static let pairGroup = "depth-to-color"
  private static let registeredKey = "depth-registered"
  private static let lensKeys = ["width", "height", "fx", "fy", "cx", "cy", "distortion"]
  private static let poseKeys = ["rotation", "quaternion", "translation-mm", "translation-m"]
  /// ROS' camera_calibration writes these too.
  private static let rosKeys: Set<String> = [
    "image_width", "image_height", "camera_name", "camera_matrix.rows", "camera_matrix.cols", "camera_matrix.data",
    "distortion_model", "distortion_coefficients.rows", "distortion_coefficients.cols",
    "distortion_coefficients.data", "rectification_matrix.rows", "rectification_matrix.cols",
    "rectification_matrix.data", "projection_matrix.rows", "projection_matrix.cols", "projection_matrix.data",
  ]

  private let document: YAMLDocument
  private let streams: [StreamDescription]
  private(set) var calibrations = StreamCalibrations()

  init(_ document: YAMLDocument, _ streams: [StreamDescription]) throws(RetakeError) {
    self.document = document
    self.streams = streams
    // A file of ROS' camera_calibration has one camera and no group: it is colour's.
    if document.entries.contains(where: { $0.key == "camera_matrix.data" }) {
      guard let color = streams.first(where: { $0.kind == .color }) else {
        throw RetakeError(
          .usage, "\(document.name) has a camera without a name, and there is no colour stream.",
          hint: "write it below the stream's name, such as depth:")
      }
      calibrations.set([try lens(document, color).setting], of: color.name)
      return
    }
    let groups = document.entries.map { String($0.key.split(separator: ".", maxSplits: 1)[0]) }
    let known = streams.map(\.name) + [Self.pairGroup, Self.registeredKey]
    if let entry = zip(document.entries, groups).first(where: { !known.contains($0.1) }) {
      throw YAMLDocument.error(
        document.name, entry.0.line, "'\(entry.1)' is no stream here",
        hint: CalibrationFile.unknown(entry.1, known))
    }
    for stream in streams where groups.contains(stream.name) {
      calibrations.set([try lens(document.part(stream.name), stream).setting], of: stream.name)
    }
    try place(groups)
  }

  // MARK: Lenses

  private func lens(_ part: YAMLDocument, _ stream: StreamDescription) throws(RetakeError) -> CameraIntrinsics {
    for entry in part.entries where !Self.lensKeys.contains(entry.key) && !Self.rosKeys.contains(entry.key) {
      throw YAMLDocument.error(
        part.name, entry.line, "'\(entry.key)' is not known here",
        hint: CalibrationFile.unknown(entry.key, Self.lensKeys))
    }
    let (width, height) = (stream.layout.width, stream.layout.height)
    for (keys, side, name) in [
      (["width", "image_width"], width, "wide"), (["height", "image_height"], height, "high"),
    ] {
      guard let told = try number(anyOf: keys, part) else { continue }
      guard told == Double(side) else {
        throw RetakeError(
          .usage,
          "\(part.name): the calibration is for pictures \(told.told) \(name), but those of '\(stream.name)' are "
            + "\(side) \(name).", hint: "calibrate with pictures of \(width)x\(height)")
      }
    }
    let pinhole: CameraIntrinsics.Pinhole
    if let matrix = try numbers("camera_matrix.data", part) {
      pinhole = try CalibrationFile.said(part.name) { () throws(RetakeError) in try .init(matrix: matrix) }
      if let model = part.entries.first(where: { $0.key == "distortion_model" })?.value {
        guard ["plumb_bob", "rational_polynomial"].contains(model) else {
          throw RetakeError(
            .usage, "\(part.name): lens model '\(model.prefix(40))' is not supported.",
            hint: "plumb_bob and rational_polynomial are")
        }
      }
    } else {
      pinhole = .init(
        fx: try needed("fx", part, stream), fy: try needed("fy", part, stream), cx: try needed("cx", part, stream),
        cy: try needed("cy", part, stream))
    }
    var distortion = try numbers("distortion", part)
    if distortion == nil { distortion = try numbers("distortion_coefficients.data", part) }
    return try CalibrationFile.said(part.name) { () throws(RetakeError) in
      try CameraIntrinsics(pinhole, distortion: distortion ?? [], width: width, height: height)
    }
  }

  private func needed(_ key: String, _ part: YAMLDocument, _ stream: StreamDescription) throws(RetakeError) -> Double {
    if let value = try number(key, part) { return value }
    throw RetakeError(
      .usage, "\(part.name): the lens of '\(stream.name)' has no \(key).", hint: CalibrationFile.example)
  }

  // MARK: The place of depth

  private mutating func place(_ groups: [String]) throws(RetakeError) {
    let depth = streams.first { $0.kind == .depth }
    var setting: StreamDescription.Setting?
    if groups.contains(Self.pairGroup) { setting = try pose().setting }
    if let entry = document.entries.first(where: { $0.key == Self.registeredKey }) {
      guard let word = entry.value, ["true", "false"].contains(word) else {
        throw YAMLDocument.error(document.name, entry.line, "'\(Self.registeredKey)' is true or false")
      }
      guard setting == nil || word == "false" else {
        throw YAMLDocument.error(
          document.name, entry.line, "depth that is registered has no place of its own",
          hint: "leave out \(Self.pairGroup) or \(Self.registeredKey)")
      }
      setting = setting ?? .init(StreamCalibrations.registeredName, word == "true" ? "1" : "0")
    }
    guard let setting else { return }
    guard let depth else {
      throw RetakeError(
        .usage, "\(document.name) says where depth is, and there is no depth stream.",
        hint: "leave out \(Self.pairGroup) and \(Self.registeredKey)")
    }
    let lens = calibrations.streams.first { $0.name == depth.name }?.settings ?? []
    calibrations.set(lens + [setting], of: depth.name)
  }

  private func pose() throws(RetakeError) -> CameraExtrinsics {
    let part = document.part(Self.pairGroup)
    for entry in part.entries where !Self.poseKeys.contains(entry.key) {
      throw YAMLDocument.error(
        part.name, entry.line, "'\(entry.key)' is not known here",
        hint: CalibrationFile.unknown(entry.key, Self.poseKeys))
    }
    let (matrix, quaternion) = (try numbers("rotation", part), try numbers("quaternion", part))
    let millimeters = try numbers("translation-mm", part)
    let meters = try numbers("translation-m", part)
    guard (matrix == nil) != (quaternion == nil), (millimeters == nil) != (meters == nil) else {
      throw RetakeError(
        .usage, "\(part.name): \(Self.pairGroup) needs one rotation and one translation.",
        hint: "write rotation: [9 numbers] or quaternion: [x, y, z, w], and translation-mm: [x, y, z] or translation-m")
    }
    return try CalibrationFile.said(part.name) { () throws(RetakeError) in
      var rotation = matrix ?? []
      if let quaternion { rotation = try CameraExtrinsics.rotation(quaternion: quaternion) }
      return try CameraExtrinsics(
        checking: rotation,
        translationMillimeters: millimeters ?? meters?.map { $0 * 1000 } ?? [])
    }
  }

  // MARK: Numbers

  private func number(anyOf keys: [String], _ part: YAMLDocument) throws(RetakeError) -> Double? {
    for key in keys { if let value = try number(key, part) { return value } }
    return nil
  }

  private func number(_ key: String, _ part: YAMLDocument) throws(RetakeError) -> Double? {
    guard let entry = part.entries.first(where: { $0.key == key }) else { return nil }
    guard let text = entry.value, let value = Double(text), value.isFinite else {
      throw YAMLDocument.error(
        part.name, entry.line, "'\(key)' is not a number: '\(entry.values.joined(separator: " ").prefix(40))'",
        hint: CalibrationFile.example)
    }
    return value
  }

  private func numbers(_ key: String, _ part: YAMLDocument) throws(RetakeError) -> [Double]? {
    guard let entry = part.entries.first(where: { $0.key == key }) else { return nil }
    let values = entry.values.compactMap { Double($0) }.filter(\.isFinite)
    guard entry.isList, values.count == entry.values.count else {
      throw YAMLDocument.error(
        part.name, entry.line, "'\(key)' is not a list of numbers", hint: CalibrationFile.example)
    }
    return values
  }
}

extension Double {
  /// Whole numbers without a point.
  fileprivate var told: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
