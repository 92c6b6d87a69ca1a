import ChunkFormat
import Glibc
import RecordingStore
import Support

extension MessageSource {
  static let zstdSuffix = ".zstd"
  static let suffixes = [".mcap", ".db3", ".bag", ".mcap.zstd", ".db3.zstd"]
  private static let zstdMagic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
  private static let journalSuffixes = ["-wal", "-journal"]
  private static let databaseMagic = Array("SQLite format 3\0".utf8)

  /// A single file; nil if it has no messages that Retake reads.
  init?(file path: String, progress: ImportProgress) throws(RetakeError) {
    self.init(path: path, name: "", files: [])
    guard let file = try file(path, progress) else { return nil }
    files = [file]
    name = Self.name(file.format)
  }

  /// A folder of rosbag2, with metadata.yaml.
  init(folder path: String, progress: ImportProgress) throws(RetakeError) {
    let metadata = try Rosbag2Metadata(folder: path)
    self.init(path: path, name: "ROS 2 bag", files: [], topicCounts: metadata.topicCounts)
    for name in metadata.fileNames {
      var filePath = "\(path)/\(name)"
      // Some writers list the name that a file has without its compression.
      if access(filePath, F_OK) != 0, access(filePath + Self.zstdSuffix, F_OK) == 0 { filePath += Self.zstdSuffix }
      guard access(filePath, F_OK) == 0 else {
        damage.append(
          RetakeError(.corrupt, "\(filePath) is missing, which \(Rosbag2Metadata.fileName) lists."))
        continue
      }
      guard let file = try file(filePath, progress) else {
        damage.append(RetakeError(.corrupt, "\(filePath) is neither an SQLite database nor an MCAP file."))
        continue
      }
      files.append(file)
    }
    guard !files.isEmpty else {
      throw RetakeError(
        damage.first?.code ?? .corrupt, damage.first?.message ?? "\(path) has no files.",
        hint: "copy the bag's folder again, with all its files")
    }
  }

  private static func name(_ format: Format) -> String {
    switch format {
    case .mcap: "MCAP file"
    case .bag: "ROS 1 bag"
    case .database: "ROS 2 bag"
    }
  }

  private mutating func file(_ path: String, _ progress: ImportProgress) throws(RetakeError) -> File? {
    takenPaths += ([""] + Self.journalSuffixes).map { path + $0 }
    var start = try Self.start(of: path)
    var file = File(path: path, format: .mcap)
    if start.starts(with: Self.zstdMagic) {
      let scratch = try ScratchFolder(named: "retake-import")
      let name = String(path.split(separator: "/").last ?? "bag")
      file.path = scratch.path(name.hasSuffix(Self.zstdSuffix) ? String(name.dropLast(Self.zstdSuffix.count)) : name)
      file.scratch = scratch
      var source = try FileSource(path: path)
      let cut = try Decompression.zstd.expand(&source, name: path, to: file.path, progress: progress)
      if let cut { damage.append(cut) }
      start = try Self.start(of: file.path)
    }
    if start.starts(with: MCAP.magic) { return file }
    if start.starts(with: Array("#ROSBAG".utf8)) {
      file.format = .bag
      return file
    }
    guard start.starts(with: Self.databaseMagic) else { return nil }
    file.format = .database
    return try withoutCutPage(try Self.withoutJournal(file), name: path)
  }

  /// SQLite reads a last page that is cut short as if it ended in zeros, and so might a picture. A copy without that
  /// page is read instead.
  private mutating func withoutCutPage(_ file: File, name: String) throws(RetakeError) -> File {
    var head = [UInt8](repeating: 0, count: Self.databaseMagic.count + 2)
    var source = try FileSource(path: file.path)
    _ = try head.withMutableRawBytes { buffer throws(RetakeError) in try source.readAll(at: 0, into: buffer) }
    // Big-endian; 1 stands for 65536.
    let stated = Int(head[16]) << 8 | Int(head[17])
    let (pageByteCount, byteCount) = (stated == 1 ? 65_536 : stated, source.byteCount ?? 0)
    guard pageByteCount >= 512, byteCount % pageByteCount != 0 else { return file }
    damage.append(RetakeError(.corrupt, "\(name) is cut short within a page, at byte \(byteCount)."))
    let scratch = try ScratchFolder(named: "retake-import")
    let copy = scratch.path("bag.db3")
    try FileCopy.copy(file.path, to: copy, limit: byteCount - byteCount % pageByteCount)
    return File(path: copy, format: .database, scratch: scratch)
  }

  private static func start(of path: String) throws(RetakeError) -> [UInt8] {
    var source = try FileSource(path: path)
    var start = [UInt8](repeating: 0, count: 16)
    let count = try start.withMutableRawBytes { buffer throws(RetakeError) in try source.readAll(at: 0, into: buffer) }
    start.removeLast(start.count - count)
    return start
  }

  /// A database whose recorder was killed has a journal beside it. SQLite merges the two, which it may do only
  /// in a copy: the folder may be read-only, and the bag stays as it is.
  private static func withoutJournal(_ file: File) throws(RetakeError) -> File {
    let journals = journalSuffixes.filter { suffix in
      var status = stat()
      return stat(file.path + suffix, &status) == 0 && status.st_size > 0
    }
    guard !journals.isEmpty else { return file }
    let scratch = try ScratchFolder(named: "retake-import")
    let copy = scratch.path("bag.db3")
    for suffix in [""] + journals { try FileCopy.copy(file.path + suffix, to: copy + suffix) }
    try SQLiteReader.merge(copy)
    return File(path: copy, format: .database, scratch: scratch)
  }
}
