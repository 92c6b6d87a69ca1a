import FrameModel
import Kernels
import Parameters
import Support

/// A user's file of lenses and places: YAML in Retake's own words or those of ROS' camera_calibration, a
/// camera matrix as text, or an Azure Kinect's raw calibration.
package struct CalibrationFile {
  package static let example =
    "for example color: {fx: 615.9, fy: 616.0, cx: 320.1, cy: 240.2, distortion: [0.1, -0.2, 0, 0, 0]}; the guide "
    + "Calibration.md has a whole file"
  private static let largestByteCount = 1 << 20
  private static let pairGroup = "depth-to-color"
  private static let registeredKey = "depth-registered"

  private enum Content {
    case yaml(YAMLDocument)
    /// For colour and depth alike.
    case lens(CameraIntrinsics.Pinhole, distortion: [Double], isRegistered: Bool)
    case azure(AzureCalibration)
  }

  private let name: String
  private let content: Content

  /// - Parameter path: a file, or `tum:freiburg1` (2, 3) for what TUM's RGB-D benchmark states.
  /// - Throws: `.usage` for a file that is no calibration, and errors of reading it.
  package init(path: String) throws(RetakeError) {
    name = path
    if let lens = TUMCalibration.named(path) {
      content = .lens(lens.pinhole, distortion: lens.distortion, isRegistered: true)
      return
    }
    guard !path.hasPrefix("tum:") else {
      throw RetakeError(.usage, "There is no calibration '\(path)'.", hint: "there are \(TUMCalibration.names)")
    }
    let bytes = try FileBytes.read(path, limit: Self.largestByteCount)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RetakeError(.usage, "\(path) is not UTF-8 text.", hint: Self.example)
    }
    if let azure = AzureCalibration(text) {
      content = .azure(azure)
    } else if let numbers = Self.numbers(text) {
      let (pinhole, distortion) = try Self.lens(numbers, path)
      content = .lens(pinhole, distortion: distortion, isRegistered: false)
    } else {
      content = .yaml(try YAMLDocument(path: path, hint: Self.example))
    }
  }

  /// - Returns: nil unless the text is nothing but numbers.
  private static func numbers(_ text: String) -> [Double]? {
    let words = text.split(whereSeparator: { $0.isWhitespace || $0 == "," })
    let numbers = words.compactMap { Double($0) }
    return numbers.count == words.count && !numbers.isEmpty ? numbers : nil
  }

  /// A matrix of 3 × 3, or fx fy cx cy and the distortion.
  private static func lens(_ numbers: [Double], _ path: String) throws(RetakeError) -> (
    CameraIntrinsics.Pinhole, [Double]
  ) {
    if numbers.count == 9, numbers.suffix(3) == [0, 0, 1] {
      return (try said(path) { () throws(RetakeError) in try CameraIntrinsics.Pinhole(matrix: numbers) }, [])
    }
    guard [4, 8, 9, 12].contains(numbers.count) else {
      throw RetakeError(
        .usage, "\(path) has \(numbers.count) numbers.",
        hint: "write a matrix of 3 rows and 3 columns, or fx fy cx cy and none, 4, 5 or 8 numbers of distortion")
    }
    return (.init(fx: numbers[0], fy: numbers[1], cx: numbers[2], cy: numbers[3]), Array(numbers.dropFirst(4)))
  }

  /// What the file says of the streams.
  /// - Throws: `.usage` for what does not fit them, or is impossible.
  package func calibrations(of streams: [StreamDescription]) throws(RetakeError) -> StreamCalibrations {
    let found =
      switch content {
      case .yaml(let document): try YAMLCalibration(document, streams).calibrations
      case .lens(let pinhole, let distortion, let isRegistered):
        try calibrations(pinhole, distortion, isRegistered, streams)
      case .azure(let azure): azureCalibrations(azure, streams)
      }
    guard !found.streams.isEmpty else {
      throw RetakeError(.usage, "\(name) has no calibration for these streams.", hint: Self.example)
    }
    do throws(RetakeError) {
      _ = try found.applied(to: streams)
    } catch {
      throw RetakeError(.usage, "\(name): \(error.message)", hint: error.hint)
    }
    return found
  }

  private func calibrations(
    _ pinhole: CameraIntrinsics.Pinhole, _ distortion: [Double], _ isRegistered: Bool, _ streams: [StreamDescription]
  ) throws(RetakeError) -> StreamCalibrations {
    var found = StreamCalibrations()
    for stream in streams where [.color, .depth].contains(stream.kind) {
      let (width, height) = (stream.layout.width, stream.layout.height)
      let lens = try Self.said(name) { () throws(RetakeError) in
        try CameraIntrinsics(pinhole, distortion: distortion, width: width, height: height)
      }
      let isOverColor = isRegistered && stream.kind == .depth
      found.set(
        [lens.setting] + (isOverColor ? [.init(StreamCalibrations.registeredName, "1")] : []), of: stream.name)
    }
    return found
  }

  private func azureCalibrations(_ azure: AzureCalibration, _ streams: [StreamDescription]) -> StreamCalibrations {
    var found = StreamCalibrations()
    for stream in streams {
      let settings = azure.settings(stream.kind, stream.layout)
      if !settings.isEmpty { found.set(settings, of: stream.name) }
    }
    return found
  }

  /// Names the file before what is wrong with it.
  static func said<Result>(_ name: String, _ body: () throws(RetakeError) -> Result) throws(RetakeError) -> Result {
    do throws(RetakeError) {
      return try body()
    } catch {
      throw RetakeError(.usage, "\(name): \(error.message)", hint: error.hint.isEmpty ? example : error.hint)
    }
  }

  fileprivate static func unknown(_ key: String, _ known: [String]) -> String {
    "did you mean '\(Spelling.nearest(to: key, in: known) ?? known[0])'? There are \(known.joined(separator: ", "))"
  }
}

/// The calibration in YAML: a group for each stream, and the place of depth.
private struct YAMLCalibration {
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
