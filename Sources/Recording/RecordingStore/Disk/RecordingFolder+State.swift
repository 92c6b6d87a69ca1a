import GRDB
import Glibc
import Support

extension RecordingFolder {
  /// - Throws: when `stat` fails for another reason than a missing file.
  static func exists(_ path: String) throws(RetakeError) -> Bool { try byteCount(path) != nil }

  /// Nil if there is nothing.
  static func byteCount(_ path: String) throws(RetakeError) -> Int? {
    var status = stat()
    if stat(path, &status) == 0 { return Int(status.st_size) }
    guard errno == ENOENT || errno == ENOTDIR else { throw FileBytes.failure("access", path) }
    return nil
  }

  /// - Throws: `.corrupt` for anything but a regular file. A pipe in its place would block its reader for ever.
  static func checkRegular(_ path: String, followsLinks: Bool = false) throws(RetakeError) {
    var status = stat()
    let found = followsLinks ? stat(path, &status) : lstat(path, &status)
    guard found != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw RetakeError(
        .corrupt, "\(path) is not a regular file.", hint: "move it away; 'retake recover' makes what is missing")
    }
  }

  /// Whether a path leads to something that is no regular file, or to nothing.
  static func isNoFile(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return [ENOENT, ENOTDIR, ELOOP].contains(errno) }
    return status.st_mode & S_IFMT != S_IFREG
  }

  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// A symbolic link in place of the chunks folder or of a file of the index. Changes would follow it out of the
  /// recording's folder.
  var linkInside: String? {
    let index = (IndexDatabase.fileSuffixes + ["-journal"]).map { indexPath + $0 }
    return ([chunksPath] + index).first(where: Self.isLink)
  }

  func checkNoLinks() throws(RetakeError) {
    guard let link = linkInside else { return }
    throw RetakeError(
      .inputOutput, "\(link) is a symbolic link, so \(path) is not changed.",
      hint: "move the link away, or copy the recording with 'cp -rL', which follows links, and change the copy")
  }

  /// - Throws: `.corrupt` for anything but regular files where a repair makes the index.
  func checkIndexPlaces() throws(RetakeError) {
    for name in ["", ".rebuilding", ".old"] {
      for suffix in IndexDatabase.fileSuffixes { try Self.checkRegular(indexPath + name + suffix) }
    }
  }

  /// - Throws: for a symbolic link to nothing, or in place of a folder that is made for a copy: what it leads to may be another's.
  func checkLink() throws(RetakeError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
    let isStaging = path.dropFirst(parentPrefix.count).hasPrefix(Self.stagingPrefix)
    guard isStaging || stat(path, &status) != 0 else { return }
    throw RetakeError(
      .inputOutput, "\(path) is a symbolic link\(isStaging ? "" : " to nothing").",
      hint: "remove it, or name another folder")
  }

  package var hasChunks: Bool { access(chunksPath, F_OK) == 0 }

  /// Whether it is a folder without entries.
  var isEmpty: Bool { (try? Folder.names(in: path).isEmpty) ?? false }

  /// - Throws: `.notFound` when the folder is missing, `.corrupt` when it is not a recording.
  package func checkIsRecording() throws(RetakeError) {
    guard try !Self.exists(chunksPath) else { return }
    guard try Self.exists(path) else {
      throw RetakeError(
        .notFound, "There is no recording \(path).",
        hint: "\(Folder.guess(path, suffix: Self.suffix))check the path; 'retake record' makes recordings")
    }
    if try Self.exists(indexPath), try !IndexDatabase.isUnbegun(at: indexPath) {
      throw RetakeError(
        .corrupt, "\(path) has lost its frames: the folder \(chunksPath) is missing.",
        hint: "restore that folder from a copy; 'retake info \(ShellWord.quoted(path))' shows what it held")
    }
    if PathKind(path: path) == .folder, path.hasSuffix(Self.suffix) {
      throw RetakeError(
        .corrupt, "\(path) is not a recording: it is a folder without chunks.",
        hint: "its files were moved away, or another program made it")
    }
    throw PathKind.mismatch(path, wanted: .recording)
      ?? RetakeError(
        .corrupt, "\(path) is not a recording: it is not a folder.",
        hint: "give a folder made by 'retake record', whose name ends in \(Self.suffix)")
  }

  /// Whether the index is missing, or its recorder was killed before it wrote anything to it.
  func lacksIndex() throws(RetakeError) -> Bool {
    guard try Self.exists(chunksPath) else { return false }
    guard try Self.exists(indexPath) else { return true }
    return try IndexDatabase.isUnbegun(at: indexPath)
  }

  /// Whether a recorder was killed here before any frame reached the disk. False if other files
  /// exist.
  func holdsNothing() throws(RetakeError) -> Bool {
    guard try Self.exists(chunksPath) else { return false }
    let own = ["index.sqlite", "index.sqlite.rebuilding"].flatMap { name in
      (IndexDatabase.fileSuffixes + ["-journal"]).map { name + $0 }
    }
    let names = try Folder.names(in: path)
    guard names.allSatisfy({ $0 == "chunks" || own.contains($0) }) else { return false }
    for name in try chunkFileNames() {
      guard name.hasSuffix(PartialFile.suffix), !Self.isNoFile(chunksPath + "/" + name) else { return false }
      var hasEntries = false
      let scan = try ChunkFileScan.run(path: chunksPath + "/" + name) { _, _ in hasEntries = true }
      guard !hasEntries, scan.isOnlyUnfinished else { return false }
    }
    guard try !lacksIndex() else { return true }
    return try IndexDatabase.open(at: indexPath).read { try Int.fetchOne($0, sql: "SELECT 1 FROM chunk_file LIMIT 1") }
      == nil
  }

  var nothingRecorded: RetakeError {
    if (try? FolderLock.isFree(self)) == false {
      return RetakeError(
        .notFound, "Nothing is recorded in \(path) yet: a recorder is using it.", hint: "try again in a moment")
    }
    return RetakeError(
      .notFound, "\(path) is empty: its recorder was killed before the first frame.",
      hint: "record to it again: 'retake record' takes its name with --output")
  }

  /// Chunk files that a repair could not read completely, and that the next one tries again.
  package func damagedChunkFiles() throws(RetakeError) -> [String] {
    guard hasChunks else { return [] }
    return try Folder.names(in: chunksPath, suffix: ChunkFileStanding.damagedSuffix)
  }
}
