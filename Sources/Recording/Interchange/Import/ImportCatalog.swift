import CaptureDevices
import ChunkFormat
import FrameModel
import Glibc
import RecordingStore
import Support

/// Detects what a path holds by its contents, not its name, and opens it.
package enum ImportCatalog {
  private static let accepted =
    "give a folder in the TUM RGB-D benchmark's layout (rgb.txt, depth.txt), a folder of numbered pictures or one made "
    + "by 'retake export png', an MCAP file or a bag of ROS 1 or 2 with images, OpenNI's .oni, or a video (.mp4, .mov, .mkv, .avi)"

  private enum Kind {
    case dataSet
    case exportedPNGs
    case messages(MessageSource)
    case video(VideoFile.Container)
    case openNI
    case pictures
  }

  /// - Parameters:
  ///   - topics: topics of an MCAP file or a bag, in stream order; empty for all.
  ///   - pictures: what the files of folders and videos do not state.
  ///   - progress: progress of reading the file before recording; may end it, with `.inputOutput`.
  /// - Throws: `.usage` for unsuitable or missing options, `.notFound`, and errors of the source.
  package static func open(
    _ path: String, topics: [String] = [], pictures: PictureOptions = PictureOptions(),
    progress: ImportProgress = { _, _ in true }
  ) throws(RetakeError) -> ImportSource {
    guard !path.isEmpty else { throw RetakeError(.usage, "The source's path is empty.", hint: accepted) }
    try pictures.check()
    let kind = try kind(of: path, pictures, progress)
    if !topics.isEmpty {
      guard case .messages = kind else {
        throw RetakeError(
          .usage, "--topic applies only to MCAP files and ROS bags, and \(path) is not one.", hint: "leave it out")
      }
    }
    switch kind {
    case .messages(let source):
      try pictures.check(only: [], of: path, "an MCAP file or a bag")
      var found = try MCAPImages.open(source, topics: topics, progress: progress)
      found.remarks += try othersBeside(source, in: path, pictures)
      return found
    case .video(let container):
      return try VideoImport.open(VideoFile(path: path, container: container), pictures, progress: progress)
    case .openNI:
      try pictures.check(only: [], of: path, "a recording of OpenNI")
      return try OniImport.open(path, progress: progress)
    case .exportedPNGs:
      try pictures.check(only: [], of: path, "a folder that 'retake export png' made")
      return try PNGImages.open(path)
    case .pictures: return try PictureFolder.open(path, pictures)
    case .dataSet:
      try pictures.check(only: ["--scale"], of: path, "a data set in TUM's layout")
      return try dataSet(path, pictures)
    }
  }

  private static func dataSet(_ path: String, _ pictures: PictureOptions) throws(RetakeError) -> ImportSource {
    guard !path.contains("?") else {
      throw RetakeError(
        .usage, "The name of \(path) contains a '?', which is reserved for device options.", hint: "rename the folder")
    }
    let unit = pictures.scale
    let scale = unit?.countsInMeter
    guard unit == nil || scale != nil else {
      throw RetakeError(
        .usage, "--scale for a TUM data set must be a whole number of units per metre.",
        hint: "TUM's benchmark uses 5000")
    }
    let options = scale.map { "?scale=\($0)" } ?? ""
    let device = try TUMDataSet(DeviceSpecification("tum:\(path)\(options)"))
    let stated = try TUMDataSet.statedScale(in: path)
    guard scale ?? stated != nil || !device.streams.contains(where: { $0.kind == .depth }) else {
      throw RetakeError(
        .usage, "\(path) does not give its depth scale.",
        hint: "set it with --scale, in units per metre: 5000 for TUM's benchmark, 1000 for millimetres")
    }
    return ImportSource(
      device: device, frameCount: device.frameCount, wallClockNanoseconds: device.wallClockNanoseconds,
      remarks: device.leftOut.filter { !pictures.isRead("\(path)/\($0)") }.map {
        "left out \(path)/\($0): the layout has only rgb, depth and mask"
      })
  }

  /// Names what the folder of a bag or MCAP file holds beside it.
  /// - Parameter folder: what was to be imported; nothing lies beside a single file.
  private static func othersBeside(
    _ source: MessageSource, in folder: String, _ pictures: PictureOptions
  ) throws(RetakeError) -> [String] {
    guard PathKind(path: folder) == .folder else { return [] }
    // A stranger's bag may list tens of thousands of files.
    let taken = Set(
      source.takenPaths.map { path in
        String(decoding: path.utf8.dropFirst(folder.utf8.count + 1).prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
      })
    let others = try Folder.names(in: folder).filter { name in
      !name.hasPrefix(".") && name != Rosbag2Metadata.fileName && !taken.contains(name)
        && !pictures.isRead("\(folder)/\(name)")
    }
    return ImportSource.leftOut(others.map { "\(folder)/\($0)" }, of: folder)
  }

  /// Whether a folder has pictures whose file names are frame numbers instead of times, and no lists.
  private static func isNumbered(_ path: String) -> Bool {
    guard ["rgb", "depth"].allSatisfy({ access("\(path)/\($0).txt", F_OK) != 0 }) else { return false }
    return ["rgb", "depth"].contains { name in
      guard let names = try? Folder.names(in: "\(path)/\(name)") else { return false }
      let stems = names.compactMap { file in
        file.hasSuffix(".png") || file.hasSuffix(".jpg") ? file.dropLast(4) : nil
      }
      return stems.count > 1 && stems.allSatisfy { $0.count < 10 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
  }

  private static func kind(
    of path: String, _ pictures: PictureOptions, _ progress: ImportProgress
  ) throws(RetakeError) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileBytes.failure("read", path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      return pictures.color != nil || pictures.depth != nil ? .pictures : try kind(ofFolder: path, progress)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RetakeError(.unsupported, "\(path) is neither a file nor a folder.", hint: accepted)
    }
    let start = try FileStart.read(path)
    if let container = VideoFile.Container(start) { return .video(container) }
    if start.starts(with: OniFile.magic) { return .openNI }
    // They are MCAP files and databases too, but of other contents.
    if [.bundle, .results].contains(PathKind(path: path)), let error = PathKind.ownWork(path) { throw error }
    if let source = try MessageSource(file: path, progress: progress) { return .messages(source) }
    if let error = PathKind.ownWork(path) { throw error }
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
    if names.contains(where: ["rgb.txt", "depth.txt"].contains) { return .dataSet }
    if names.contains(where: ["rgb", "depth"].contains), !names.contains("color"), !isNumbered(path) {
      return .dataSet
    }
    if names.contains("index.sqlite") {
      throw RetakeError(
        .unsupported, "\(path) is already a Retake recording.",
        hint: "'retake info \(ShellWord.quoted(path))' shows its contents")
    }
    if try PictureFolderLayout.detect(path) != nil { return .pictures }
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
    if names.contains(where: ExportFolder.isScratch) {
      throw RetakeError(
        .unsupported, "\(path) holds an export that did not finish.", hint: "export it again, which replaces it")
    }
    if let name = names.first(where: { (try? PictureFolderLayout.detect("\(path)/\($0)")) ?? nil != nil }) {
      throw RetakeError(
        .unsupported, "\(path) has no pictures itself, but folders with pictures.",
        hint: "import each of them, such as \(path)/\(name)")
    }
    guard !names.isEmpty else { throw RetakeError(.unsupported, "\(path) is empty.", hint: accepted) }
    if let ending = ["png", "jpg", "jpeg"].first(where: { ending in names.contains { $0.hasSuffix(".\(ending)") } }) {
      throw RetakeError(
        .usage, "\(path) has pictures, but nothing says whether they are colour or depth.",
        hint: (ending == "png"
          ? "add --color '*.png' --fps 30, or --depth '*.png' --scale 1mm --fps 30, with the scale and rate that they have"
          : "add --color '*.\(ending)' --fps 30, with the rate that they have")
          + "; names need a frame number, as in rgb/000001.png")
    }
    throw RetakeError(.unsupported, "Retake cannot import \(path): its format is unknown.", hint: accepted)
  }
}
