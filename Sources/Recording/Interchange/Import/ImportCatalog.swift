import CaptureDevices
import ChunkFormat
import FrameModel
import Glibc
import RecordingStore
import Support

/// Detects what a path holds by its contents, not its name, and opens it.
package enum ImportCatalog {
  private static let accepted =
    "give a folder in the TUM RGB-D benchmark's layout (rgb.txt, depth.txt), a folder made by 'retake export "
    + "png', an MCAP file or a bag of ROS 1 or 2 with images, or an Azure Kinect's .mkv"

  private enum Kind {
    case dataSet
    case exportedPNGs
    case messages(MessageSource)
    case matroska
  }

  /// - Parameters:
  ///   - topics: topics of an MCAP file or a bag, in stream order; empty for all.
  ///   - scale: units per metre of a data set's depth; nil if not given.
  ///   - progress: progress of reading the file before recording; may end it, with `.inputOutput`.
  /// - Throws: `.usage` for unsuitable topics or scale, `.notFound`, and errors of the source.
  package static func open(
    _ path: String, topics: [String] = [], scale: Int? = nil, progress: ImportProgress = { _, _ in true }
  ) throws(RetakeError) -> ImportSource {
    guard !path.isEmpty else { throw RetakeError(.usage, "The source's path is empty.", hint: accepted) }
    let kind = try kind(of: path, progress)
    if let scale {
      guard case .dataSet = kind else {
        throw RetakeError(
          .usage, "--scale applies only to TUM data sets, and \(path) is not one.", hint: "leave it out")
      }
      guard TUMDataSet.scales.contains(scale) else {
        throw RetakeError(.usage, "--scale takes 1 to 1000000 units per metre.", hint: "TUM's benchmark uses 5000")
      }
    }
    if !topics.isEmpty {
      guard case .messages = kind else {
        throw RetakeError(
          .usage, "--topic applies only to MCAP files and ROS bags, and \(path) is not one.", hint: "leave it out")
      }
    }
    switch kind {
    case .messages(let source): return try MCAPImages.open(source, topics: topics, progress: progress)
    case .matroska: return try MatroskaVideo.open(path, progress: progress)
    case .exportedPNGs: return try PNGImages.open(path)
    case .dataSet: return try dataSet(path, scale: scale)
    }
  }

  private static func dataSet(_ path: String, scale: Int?) throws(RetakeError) -> ImportSource {
    guard !path.contains("?") else {
      throw RetakeError(
        .usage, "The name of \(path) contains a '?', which is reserved for device options.", hint: "rename the folder")
    }
    try checkTimes(path)
    let options = scale.map { "?scale=\($0)" } ?? ""
    let device = try TUMDataSet(DeviceSpecification("tum:\(path)\(options)"))
    let stated = try TUMDataSet.statedScale(in: path)
    guard scale ?? stated != nil || !device.streams.contains(where: { $0.kind == .depth }) else {
      throw RetakeError(
        .usage, "\(path) does not give its depth scale.",
        hint: "set it with --scale, in units per metre: 5000 for TUM's benchmark, 1000 for millimetres")
    }
    // The wall clock stays 0, so that recording the `tum` device gives the same files.
    return ImportSource(
      device: device, frameCount: device.frameCount, wallClockNanoseconds: 0,
      remarks: device.foldersLeftOut.map { "left out \(path)/\($0): the layout has only rgb, depth and mask" })
  }

  /// Rejects folders without lists whose file names are frame numbers instead of times.
  private static func checkTimes(_ path: String) throws(RetakeError) {
    for name in ["rgb", "depth"] where access("\(path)/\(name).txt", F_OK) != 0 {
      guard let names = try? Folder.names(in: "\(path)/\(name)") else { continue }
      let stems = names.compactMap { file in
        file.hasSuffix(".png") || file.hasSuffix(".jpg") ? file.dropLast(4) : nil
      }
      guard stems.count > 1, stems.allSatisfy({ $0.count < 10 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
      else {
        continue
      }
      throw RetakeError(
        .unsupported, "The pictures in \(path)/\(name) are named by number, so their times are unknown.",
        hint: "list them in \(path)/\(name).txt, one per line, as: SECONDS \(name)/\(names.min() ?? "")")
    }
  }

  private static func kind(of path: String, _ progress: ImportProgress) throws(RetakeError) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileBytes.failure("read", path) }
    if status.st_mode & S_IFMT == S_IFDIR { return try kind(ofFolder: path, progress) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RetakeError(.unsupported, "\(path) is neither a file nor a folder.", hint: accepted)
    }
    let source = try FileSource(path: path)
    var start = [UInt8](repeating: 0, count: 16)
    let count = try start.withMutableRawBytes { buffer throws(RetakeError) in try source.read(at: 0, into: buffer) }
    start.removeLast(start.count - count)
    if start.starts(with: MatroskaVideo.magic) { return .matroska }
    if let source = try MessageSource(file: path, progress: progress) { return .messages(source) }
    throw RetakeError(.unsupported, "Retake cannot import \(path): its format is unknown.", hint: accepted)
  }

  private static func kind(ofFolder path: String, _ progress: ImportProgress) throws(RetakeError) -> Kind {
    let names = try Folder.names(in: path)
    if names.contains(PNGFolder.fileName) { return .exportedPNGs }
    if let name = names.first(where: { access("\(path)/\($0)/\(PNGFolder.listName)", F_OK) == 0 }) {
      throw RetakeError(
        .unsupported,
        "\(path)/\(name) looks like PNGs exported by Retake, but \(path)/\(PNGFolder.fileName) is missing.",
        hint: "export the recording again: earlier versions did not write the missing file")
    }
    if names.contains(where: ["rgb.txt", "depth.txt", "rgb", "depth"].contains) { return .dataSet }
    if names.contains("index.sqlite") {
      throw RetakeError(
        .unsupported, "\(path) is already a Retake recording.", hint: "'retake info \(path)' shows its contents")
    }
    if names.contains(Rosbag2Metadata.fileName) {
      return .messages(try MessageSource(folder: path, progress: progress))
    }
    let files = names.filter { name in MessageSource.suffixes.contains { name.hasSuffix($0) } }
    guard files.count <= 1 else {
      throw RetakeError(
        .unsupported,
        "\(path) contains \(files.count) files of messages but no \(Rosbag2Metadata.fileName), so their order is unknown.",
        hint: "import each file separately, or write the file with 'ros2 bag reindex'")
    }
    if let file = files.first, let source = try MessageSource(file: path + "/" + file, progress: progress) {
      return .messages(source)
    }
    throw RetakeError(.unsupported, "Retake cannot import \(path): its format is unknown.", hint: accepted)
  }
}
