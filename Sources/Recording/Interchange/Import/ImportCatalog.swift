import CaptureDevices
import ChunkFormat
import FrameModel
import Glibc
import RecordingStore
import Support

/// Detects what a path holds by its contents, not its name, and opens it.
package enum ImportCatalog {
  private static let accepted =
    "import takes a folder in the layout of TUM's RGB-D benchmark (rgb.txt, depth.txt), what 'retake export png' made, an "
    + "MCAP file with images of ROS or Foxglove, or an Azure Kinect's .mkv"

  private enum Kind {
    case dataSet
    case exportedPNGs
    case mcap(path: String)
    case matroska
  }

  /// - Parameters:
  ///   - topics: topics of an MCAP file, in stream order; empty for all.
  ///   - scale: units per metre of a data set's depth; nil if not given.
  ///   - progress: progress of reading the file before recording; may end it, with `.inputOutput`.
  /// - Throws: `.usage` for unsuitable topics or scale, `.notFound`, and errors of the source.
  package static func open(
    _ path: String, topics: [String] = [], scale: Int? = nil, progress: ImportProgress = { _, _ in true }
  ) throws(RetakeError) -> ImportSource {
    guard !path.isEmpty else { throw RetakeError(.usage, "The source's path is empty.", hint: accepted) }
    let kind = try kind(of: path)
    if let scale {
      guard case .dataSet = kind else {
        throw RetakeError(
          .usage, "--scale is for data sets that do not say it, and \(path) is none.", hint: "leave it out")
      }
      guard TUMDataSet.scales.contains(scale) else {
        throw RetakeError(.usage, "--scale takes 1 to 1000000 units a metre.", hint: "TUM's benchmark has 5000")
      }
    }
    if case .mcap(let file) = kind { return try MCAPImages.open(file, topics: topics, progress: progress) }
    guard topics.isEmpty else {
      throw RetakeError(.usage, "--topic is for MCAP files, and \(path) is none.", hint: "leave it out")
    }
    if case .matroska = kind { return try MatroskaVideo.open(path, progress: progress) }
    if case .exportedPNGs = kind { return try PNGImages.open(path) }
    guard !path.contains("?") else {
      throw RetakeError(
        .usage, "The name of \(path) has a '?', which begins a device's options.", hint: "give the folder another name")
    }
    return try dataSet(path, scale: scale)
  }

  private static func dataSet(_ path: String, scale: Int?) throws(RetakeError) -> ImportSource {
    try checkTimes(path)
    let options = scale.map { "?scale=\($0)" } ?? ""
    let device = try TUMDataSet(DeviceSpecification("tum:\(path)\(options)"))
    let stated = try TUMDataSet.statedScale(in: path)
    guard scale ?? stated != nil || !device.streams.contains(where: { $0.kind == .depth }) else {
      throw RetakeError(
        .usage, "\(path) does not say how many units of its depth are a metre.",
        hint: "give it with --scale: 5000 in TUM's benchmark, 1000 where a unit is a millimetre")
    }
    // The wall clock stays 0, so that recording the `tum` device gives the same files.
    return ImportSource(
      device: device, frameCount: device.frameCount, wallClockNanoseconds: 0,
      remarks: device.foldersLeftOut.map { "left out \(path)/\($0): the layout has rgb, depth and mask" })
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
        .unsupported, "The pictures of \(path)/\(name) are numbered, which says nothing of their times.",
        hint: "list them in \(path)/\(name).txt, a line each: seconds \(name)/\(names.min() ?? "")")
    }
  }

  private static func kind(of path: String) throws(RetakeError) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileBytes.failure("read", path) }
    if status.st_mode & S_IFMT == S_IFDIR { return try kind(ofFolder: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RetakeError(.unsupported, "\(path) is neither a file nor a folder.", hint: accepted)
    }
    let source = try FileSource(path: path)
    var start = [UInt8](repeating: 0, count: 16)
    let count = try start.withMutableRawBytes { buffer throws(RetakeError) in try source.read(at: 0, into: buffer) }
    start.removeLast(start.count - count)
    if start.starts(with: MCAP.magic) { return .mcap(path: path) }
    if start.starts(with: MatroskaVideo.magic) { return .matroska }
    if start.starts(with: "#ROSBAG".utf8) {
      throw RetakeError(
        .unsupported, "\(path) is a bag of ROS 1, which Retake does not read.",
        hint: "make an MCAP file of it: mcap convert \(path) out.mcap")
    }
    if start.starts(with: "SQLite format 3".utf8) {
      throw RetakeError(
        .unsupported, "\(path) is a database, perhaps a bag of ROS 2, which Retake reads as MCAP only.",
        hint: "make an MCAP file of a bag with 'ros2 bag convert' and storage_id mcap")
    }
    throw RetakeError(.unsupported, "\(path) is nothing that Retake can import.", hint: accepted)
  }

  private static func kind(ofFolder path: String) throws(RetakeError) -> Kind {
    let names = try Folder.names(in: path)
    if names.contains(PNGFolder.fileName) { return .exportedPNGs }
    if let name = names.first(where: { access("\(path)/\($0)/\(PNGFolder.listName)", F_OK) == 0 }) {
      throw RetakeError(
        .unsupported,
        "\(path)/\(name) looks like PNGs that Retake exported, and \(path)/\(PNGFolder.fileName) is missing.",
        hint: "export the recording again: earlier versions did not write what a sample means")
    }
    if names.contains(where: ["rgb.txt", "depth.txt", "rgb", "depth"].contains) { return .dataSet }
    if names.contains("index.sqlite") {
      throw RetakeError(
        .unsupported, "\(path) is a recording of Retake's already.", hint: "'retake info \(path)' shows what it holds")
    }
    // A bag of ROS 2 is a folder with metadata.yaml and its files.
    let files = names.filter { $0.hasSuffix(".mcap") }
    if files.count == 1 { return .mcap(path: path + "/" + files[0]) }
    guard files.isEmpty else {
      throw RetakeError(
        .unsupported, "\(path) holds \(files.count) MCAP files, and one recording is made of one.",
        hint: "import each of them, or join them first with 'mcap merge'")
    }
    throw RetakeError(.unsupported, "\(path) is nothing that Retake can import.", hint: accepted)
  }
}
