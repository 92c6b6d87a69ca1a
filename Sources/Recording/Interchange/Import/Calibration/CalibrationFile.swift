import FrameModel
import Kernels
import Parameters
import Support

/// A user's file of lenses and places: YAML in Retake's own words or those of ROS' camera_calibration, a
/// camera matrix as text, Open3D's JSON, or an Azure Kinect's raw calibration.
package struct CalibrationFile {
  package static let example =
    "for example color: {fx: 615.9, fy: 616.0, cx: 320.1, cy: 240.2, distortion: [0.1, -0.2, 0, 0, 0]}; the guide "
    + "Calibration.md has a whole file"
  private static let largestByteCount = 1 << 20

  private enum Content {
    case yaml(YAMLDocument)
    /// For colour and depth alike.
    case lens(CameraIntrinsics.Pinhole, distortion: [Double], isRegistered: Bool)
    case open3D(Open3DCamera)
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
    } else if let camera = try Open3DCamera(text, of: path) {
      content = .open3D(camera)
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
      case .open3D(let camera): try open3DCalibrations(camera, streams)
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

  /// For the streams of the file's size.
  /// - Throws: `.usage` if there is none.
  private func open3DCalibrations(
    _ camera: Open3DCamera, _ streams: [StreamDescription]
  ) throws(RetakeError) -> StreamCalibrations {
    var found = StreamCalibrations()
    let cameras = streams.filter { [.color, .depth].contains($0.kind) }
    let fitting = cameras.filter { camera.fits($0.layout) }
    for stream in fitting.isEmpty ? cameras : fitting {
      found.set([try camera.intrinsics(for: stream.layout).setting], of: stream.name)
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

  static func unknown(_ key: String, _ known: [String]) -> String {
    Spelling.guess(key, in: known) { "'\($0)'" } + "There are \(known.joined(separator: ", "))"
  }
}
