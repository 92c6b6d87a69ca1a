import ChunkFormat
import FrameModel
import Glibc

/// Repairs a recording whose recorder was killed, and makes its index again from the chunk files alone.
///
/// The chunk file that was being written is copied, message by message as far as they are whole, into a finished one; then
/// every chunk file is read, every frame decoded and held against its checksum, and a new index takes the place of the
/// old. Until then nothing that was there is changed, so a repair that is interrupted can be started again.
package struct Recovery {
  package struct Report: Hashable, Sendable {
    package var chunkFileCount = 0
    package var frameCounts: [Int] = []
    /// Sentences about what could not be brought back. Empty: everything that had reached the disk is there.
    package var damage: [String] = []
    package var isLossless: Bool { damage.isEmpty }
  }

  private let folder: RecordingFolder
  private let fileSystem: any FileSystem
  private var report = Report()
  private var damage: [String] = []

  /// - Throws: `.notFound` or `.corrupt` when there is nothing to repair, and what the disk refuses.
  /// - Parameter fileSystem: what changes the files.
  package static func run(path: String, fileSystem: any FileSystem = RealFileSystem()) throws(RetakeError) -> Report {
    let folder = RecordingFolder(path: path)
    guard access(folder.chunksPath, F_OK) == 0 else {
      guard access(path, F_OK) == 0 else {
        throw RetakeError(.notFound, "There is no recording \(path).", hint: "check the path")
      }
      throw RetakeError(
        .corrupt, "\(path) is not a recording: it has no chunks folder.",
        hint: "give a folder that retake record made, its name ends in \(RecordingFolder.suffix)")
    }
    let lock = try FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    var recovery = Recovery(folder, fileSystem)
    try recovery.finishPartialFiles()
    try recovery.rebuildIndex()
    return recovery.report
  }

  private init(_ folder: RecordingFolder, _ fileSystem: any FileSystem) {
    self.folder = folder
    self.fileSystem = fileSystem
  }

  // MARK: Files

  /// Numbers of the files `NNNNNN.mcap` with a suffix.
  private func numbers(suffix: String) throws(RetakeError) -> [Int] {
    try folder.chunkFileNames().compactMap { name in
      guard name.hasSuffix(".mcap" + suffix), let number = Int(name.dropLast(5 + suffix.count)),
        (0...RecordingFolder.largestFileNumber).contains(number), RecordingFolder.chunkFileName(number) + suffix == name
      else { return nil }
      return number
    }.sorted()
  }

  private mutating func finishPartialFiles() throws(RetakeError) {
    // What an interrupted repair left behind is made again.
    for number in try numbers(suffix: PartialFile.recoveringSuffix) {
      try fileSystem.remove(folder.chunkFilePath(number) + PartialFile.recoveringSuffix)
    }
    for number in try numbers(suffix: PartialFile.suffix) {
      let partial = folder.chunkFilePath(number) + PartialFile.suffix
      if access(folder.chunkFilePath(number), F_OK) == 0 {
        // The recorder had finished it, and an interrupted repair had not come to take this away.
        try fileSystem.remove(partial)
      } else {
        try finish(partial, number)
      }
    }
  }

  /// What a partial file is renamed to when not all of it could be copied: it may hold more than this version can read.
  static let damagedSuffix = ".damaged"

  /// Copies a partial file's whole messages into a finished file of its number.
  private mutating func finish(_ partial: String, _ number: Int) throws(RetakeError) {
    let verifier = try FrameVerifier()
    var writer: ChunkFileWriter<PartialFile>?
    let scan = try ChunkFileScan.run(path: partial) { entry, report throws(RetakeError) in
      if writer == nil, let identity = report.identity {
        let file = try PartialFile(folder, number: number, on: fileSystem, suffix: PartialFile.recoveringSuffix)
        writer = try ChunkFileWriter(to: file, identity: identity, streams: report.streams, fileNumber: number)
      }
      guard writer != nil else { return }
      switch entry {
      case .frame(let message, let payload, let stream, _):
        try verifier.verify(message, payload)
        _ = try writer!.append(message, payload: payload, stream: stream)
      case .faces(let faces): try writer!.append(faces)
      case .event(let event): try writer!.append(event)
      case .mark(let mark): try writer!.append(mark)
      }
    }
    if writer != nil {
      try writer!.finish()
      try writer!.sink.publish()
    }
    // That it was not finished is why it is here, and no loss.
    if !(scan.isOnlyUnfinished && scan.endsBetweenRecords) { damage += scan.damage.map { "\(partial): \($0)" } }
    if scan.isOnlyUnfinished {
      try fileSystem.remove(partial)
      return
    }
    let kept = partial + Self.damagedSuffix
    try fileSystem.rename(partial, to: kept, replacing: true)
    damage.append("What could not be read of it is kept as \(kept).")
  }

  // MARK: Index

  private mutating func rebuildIndex() throws(RetakeError) {
    let path = folder.indexPath + ".rebuilding"
    for suffix in ["", "-wal", "-shm"] { try fileSystem.remove(path + suffix) }
    let numbers = try numbers(suffix: "")
    guard let (identity, streams) = try commonHeader(numbers) else {
      throw RetakeError(
        .corrupt, "\(folder.path) holds no chunk file that can be read.",
        hint: damage.first ?? "nothing had been recorded yet")
    }
    var rebuilder = try IndexRebuilder(path: path, identity: identity, streams: streams)
    var next = 0
    for number in numbers {
      if number > next {
        let last = RecordingFolder.chunkFileName(number - 1)
        let missing = number == next + 1 ? last : "\(RecordingFolder.chunkFileName(next)) to \(last)"
        damage.append("Missing from \(folder.chunksPath): \(missing).")
      }
      next = number + 1
      try rebuilder.add(path: folder.chunkFilePath(number), number: number)
    }
    try rebuilder.finish()
    report = Report(
      chunkFileCount: rebuilder.chunkFileCount, frameCounts: rebuilder.frameCounts,
      damage: damage + rebuilder.damage)
    // An index may know better than damaged files: it is kept beside the new one, and the first one at that.
    let kept = folder.indexPath + ".old"
    if !report.isLossless && access(folder.indexPath, F_OK) == 0 && access(kept, F_OK) != 0 {
      try fileSystem.rename(folder.indexPath, to: kept, replacing: true)
    }
    for suffix in ["-wal", "-shm"] { try fileSystem.remove(folder.indexPath + suffix) }
    try fileSystem.rename(path, to: folder.indexPath, replacing: true)
    try fileSystem.synchronizeFolder(folder.path)
  }

  /// What most of the files say of the recording they belong to; of equally many, the first.
  private func commonHeader(_ numbers: [Int]) throws(RetakeError) -> (RecordingIdentity, [StreamDescription])? {
    var candidates: [(identity: RecordingIdentity, streams: [StreamDescription], count: Int)] = []
    for number in numbers {
      let header = try ChunkFileScan.run(path: folder.chunkFilePath(number), isHeaderOnly: true) { _, _ in }
      guard let identity = header.identity, !header.streams.isEmpty else { continue }
      if let known = candidates.firstIndex(where: { $0.identity == identity && $0.streams == header.streams }) {
        candidates[known].count += 1
      } else {
        candidates.append((identity, header.streams, 1))
      }
    }
    let most = candidates.map(\.count).max()
    return candidates.first { $0.count == most }.map { ($0.identity, $0.streams) }
  }
}
