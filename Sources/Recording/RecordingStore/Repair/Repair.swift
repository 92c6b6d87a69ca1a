import ChunkFormat
import FrameModel
import Support

/// Repairs a recording whose recorder was killed.
///
/// The unfinished chunk file is copied into a finished one, message by message as far as they are
/// intact. `run` then reads every chunk file, verifies every frame's checksum and replaces the
/// index. `finish` trusts the index for finished chunk files and adds those after them.
///
/// Nothing is changed before the format version is known. An input/output error stops a repair
/// without loss, so it can be started again. Unreadable data is never removed.
package struct Repair {
  package struct Report: Hashable, Sendable {
    /// 0 when nothing had been recorded.
    package var chunkFileCount = 0
    package var frameCounts: [Int] = []
    /// Sentences about data that could not be recovered. Empty when nothing on the disk was lost.
    package var damage: [String] = []
    package var isLossless: Bool { damage.isEmpty }

    package init(chunkFileCount: Int = 0, frameCounts: [Int] = [], damage: [String] = []) {
      (self.chunkFileCount, self.frameCounts, self.damage) = (chunkFileCount, frameCounts, damage)
    }
  }

  private let folder: RecordingFolder
  private let fileSystem: any FileSystem
  private let progress: (Int, Int) -> Void
  private let verifier: FrameVerifier
  private let lock: FolderLock
  /// Chunk files whose rows are taken from the old index.
  private var trusted: TrustedRing?
  private var files: ChunkFileStanding
  private var damage: [String] = []
  private var chunkFileCount = 0
  /// For each stream, the numbers after the last known and the last lost frame in the old index.
  private var knownEnds: [(frames: Int, losses: Int)] = []

  /// Rebuilds the index from the chunk files alone.
  /// - Parameter progress: called after each chunk file with those done and in total.
  /// - Throws: `.notFound` or `.corrupt` when there is nothing to repair, `.unsupported` when a
  ///   later version made the recording; disk errors.
  package static func run(
    path: String, fileSystem: any FileSystem = RealFileSystem(), progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws(RetakeError) -> Report {
    var repair = try Repair(path, nil, fileSystem, progress)
    return try repair.rebuild()
  }

  /// Adds chunk files that the index lacks, and rebuilds the index only if it cannot be trusted.
  /// - Parameter lock: the folder's lock, if the caller has it.
  package static func finish(
    path: String, lock: FolderLock? = nil, fileSystem: any FileSystem = RealFileSystem(),
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws(RetakeError) -> Report {
    var repair = try Repair(path, lock, fileSystem, progress)
    if let prefix = try TrustedPrefix(repair.folder, repair.files) { return try repair.append(to: prefix) }
    repair.trusted = try TrustedRing(repair.folder, repair.files)
    do throws(RetakeError) {
      return try repair.rebuild()
    } catch {
      guard error.code == .corrupt, repair.trusted != nil else { throw error }
      repair.trusted = nil
      return try repair.startOver()
    }
  }

  private init(
    _ path: String, _ lock: FolderLock?, _ fileSystem: any FileSystem,
    _ progress: @escaping (Int, Int) -> Void
  ) throws(RetakeError) {
    folder = RecordingFolder(path: path)
    self.fileSystem = fileSystem
    self.progress = progress
    try folder.checkIsRecording()
    verifier = try FrameVerifier()
    self.lock = if let lock { lock } else { try FolderLock(folder) }
    try folder.checkIndexPlaces()
    try IndexDatabase.refuseNewer(at: folder.indexPath)
    files = try ChunkFileStanding(folder)
    try removeLeftovers()
  }

  private mutating func removeLeftovers() throws(RetakeError) {
    let names = files.names
    for number in ChunkFileStanding.numbers(names, suffix: PartialFile.recoveringSuffix) {
      try fileSystem.remove(folder.chunkFilePath(number) + PartialFile.recoveringSuffix)
    }
    // The copy was published, but the repair was interrupted before it removed the source.
    for number in ChunkFileStanding.numbers(names, suffix: PartialFile.suffix) where files.unfinished[number] == nil {
      let path = folder.chunkFilePath(number)
      if try wholeFrameCount(path + PartialFile.suffix, number) > wholeFrameCount(path, number) {
        // The copy is incomplete. As a damaged file, the source is copied again.
        try fileSystem.rename(path + PartialFile.suffix, to: path + ChunkFileStanding.damagedSuffix, replacing: false)
        files = try ChunkFileStanding(folder)
      } else {
        try fileSystem.remove(path + PartialFile.suffix)
      }
    }
  }

  // MARK: Index

  private mutating func rebuild() throws(RetakeError) -> Report {
    try chooseBetterSources()
    guard let identity = files.identity else {
      if try folder.holdsNothing() { return report(of: []) }
      throw RetakeError(
        .corrupt, "\(folder.path) has no readable chunk file.", hint: "restore a copy of its chunks folder"
      )
    }
    noteStrays()
    let path = folder.indexPath + ".rebuilding"
    for suffix in IndexDatabase.fileSuffixes { try fileSystem.remove(path + suffix) }
    let index = try IndexDatabase.create(at: path)
    try index.insert(identity, streams: files.streams)
    var rebuilder = IndexRebuilder(streams: files.streams)
    let numbers = files.numbers
    knownEnds = try IndexDatabase.knownEnds(at: folder.indexPath, of: identity)
    var next = 0
    for (position, number) in numbers.enumerated() {
      noteMissing(from: next, to: number)
      next = number + 1
      try enter(number, &rebuilder, index)
      progress(position + 1, numbers.count)
    }
    guard chunkFileCount > 0 else {
      try index.close()
      for suffix in IndexDatabase.fileSuffixes { try fileSystem.remove(path + suffix) }
      return report(of: rebuilder.frameCounts)
    }
    rebuilder.expect(knownEnds.map { max($0.frames, $0.losses) })
    for loss in rebuilder.endLosses() where damage.isEmpty && loss.frameNumber < knownEnds[loss.stream].frames {
      damage.append(
        "Frames of '\(files.streams[loss.stream].name)' that were in the old index are missing from the chunk files.")
    }
    try index.insert(rebuilder.finish(), isLast: true)
    try index.close()
    if areFramesWhole {
      for suffix in IndexDatabase.fileSuffixes.dropFirst() { try fileSystem.remove(folder.indexPath + suffix) }
    } else {
      try keepIndex()
    }
    try fileSystem.rename(path, to: folder.indexPath, replacing: true)
    try fileSystem.synchronizeFolder(folder.path)
    return report(of: rebuilder.frameCounts)
  }

  private func report(of frameCounts: [Int]) -> Report {
    Report(chunkFileCount: chunkFileCount, frameCounts: frameCounts, damage: damage)
  }

  /// Whether all that is to be told is of files that hide none of the recording's frames.
  private var areFramesWhole: Bool { damage.count == files.strays.count { $0.missingNumber == nil } }

  private mutating func noteStrays() {
    damage += files.strays.map { "\(folder.chunksPath)/\($0.name): \($0.sentence)".withoutLineFeeds }
  }

  /// A ring's files are gone because they are old.
  private mutating func noteMissing(from next: Int, to number: Int) {
    guard number > next, !files.streams.areOfRing else { return }
    var missing = RangeSet(next..<number)
    // Of these, a stray file's sentence says more.
    for number in files.strays.compactMap(\.missingNumber) { missing.remove(contentsOf: number..<number + 1) }
    for range in missing.ranges {
      let first = RecordingFolder.chunkFileName(range.lowerBound)
      let last = RecordingFolder.chunkFileName(range.upperBound - 1)
      damage.append("Missing from \(folder.chunksPath): \(range.count == 1 ? first : "\(first) to \(last)").")
    }
  }

  private mutating func append(to prefix: TrustedPrefix) throws(RetakeError) -> Report {
    var rebuilder = prefix.rebuilder
    let frameCounts = rebuilder.frameCounts
    chunkFileCount = prefix.chunkFileCount
    noteStrays()
    let index = try IndexDatabase.openToWrite(at: folder.indexPath)
    var next = prefix.chunkFileCount
    for (position, number) in prefix.behind.enumerated() {
      noteMissing(from: next, to: number)
      next = number + 1
      try enter(number, &rebuilder, index)
      progress(position + 1, prefix.behind.count)
    }
    if prefix.isEnded {
      // Marks and faces may follow the end. Frames would change the rows that ended the recording.
      guard rebuilder.frameCounts == frameCounts else { return try startOver() }
      try index.setClosed(true)
    } else {
      try index.insert(rebuilder.finish(), isLast: true)
    }
    try index.close()
    return report(of: rebuilder.frameCounts)
  }

  private mutating func startOver() throws(RetakeError) -> Report {
    (damage, chunkFileCount) = ([], 0)
    files = try ChunkFileStanding(folder)
    return try rebuild()
  }

  /// Keeps the old index and its log as index.sqlite.old, because it may list frames that the files
  /// have lost. If one is kept already, the index with more frames stays.
  private func keepIndex() throws(RetakeError) {
    let kept = folder.indexPath + ".old"
    guard try RecordingFolder.exists(folder.indexPath) else { return }
    let hasKept = try RecordingFolder.exists(kept)
    if hasKept {
      guard try IndexDatabase.frameCount(at: kept) < IndexDatabase.frameCount(at: folder.indexPath) else {
        for suffix in IndexDatabase.fileSuffixes.dropFirst() { try fileSystem.remove(folder.indexPath + suffix) }
        return
      }
      for suffix in IndexDatabase.fileSuffixes.reversed() { try fileSystem.remove(kept + suffix) }
    }
    // The log first: if interrupted, the index lacks its last rows, but a later repair finds it.
    let log = folder.indexPath + "-wal"
    if try RecordingFolder.exists(log) { try fileSystem.rename(log, to: kept + "-wal", replacing: true) }
    try fileSystem.remove(folder.indexPath + "-shm")
    try fileSystem.rename(folder.indexPath, to: kept, replacing: true)
  }

  // MARK: Chunk files

  /// Copies a kept damaged file again if it now has more intact frames than its finished copy, and files whose
  /// description of themselves is damaged.
  private mutating func chooseBetterSources() throws(RetakeError) {
    for (number, path) in files.damaged where files.unfinished[number] == nil {
      guard try wholeFrameCount(path, number) > wholeFrameCount(folder.chunkFilePath(number), number) else { continue }
      files.copyAgain(number, from: path)
    }
    for number in files.strays.compactMap(\.damagedNumber) where files.damaged[number] == nil {
      files.copyAgain(number, from: folder.chunkFilePath(number))
    }
  }

  private func wholeFrameCount(_ path: String, _ number: Int) throws(RetakeError) -> Int {
    var count = 0
    _ = try ChunkFileScan.run(path: path, copying: header(number)) { entry, scan throws(RetakeError) in
      guard case .frame(let message, let payload, _, _) = entry, belongs(scan, number) else { return }
      try verifier.verify(message, payload)
      count += 1
    }
    return count
  }

  private func belongs(_ scan: ChunkFileScan.Report, _ number: Int) -> Bool {
    header(number).map(scan.belongs) ?? false
  }

  private func header(_ number: Int) -> ChunkFileScan.Header? {
    files.identity.map { ChunkFileScan.Header(identity: $0, streams: files.streams, fileNumber: number) }
  }

  /// Enters a chunk file's rows, after finishing the file if necessary.
  private mutating func enter(
    _ number: Int, _ rebuilder: inout IndexRebuilder, _ index: IndexDatabase
  ) throws(RetakeError) {
    rebuilder.beginFile(number)
    let byteCount =
      if let known = try trusted?.enter(number, &rebuilder) {
        known
      } else if let source = files.unfinished[number] {
        try finish(source, number, &rebuilder)
      } else {
        try add(number, &rebuilder)
      }
    guard let byteCount else { return }
    chunkFileCount += 1
    try index.insert(rebuilder.endFile(number: number, byteCount: byteCount))
  }

  /// - Returns: the file's length.
  private mutating func add(_ number: Int, _ rebuilder: inout IndexRebuilder) throws(RetakeError) -> Int {
    let path = folder.chunkFilePath(number)
    let firstNumbers = rebuilder.nextNumbers
    let scan = try ChunkFileScan.run(path: path, firstNumbers: firstNumbers) { entry, scan throws(RetakeError) in
      guard belongs(scan, number) else { return }
      if case .frame(let message, let payload, _, _) = entry { try verifier.verify(message, payload) }
      try rebuilder.enter(entry, chunkFile: number)
    }
    damage += scan.damage.map { "\(path): \($0)" }
    return try FileSource(path: path).byteCount ?? 0
  }

  /// Copies a file's intact messages into a finished file, with events for the other frames.
  /// - Returns: the new file's length; nil when there was nothing to copy.
  private mutating func finish(
    _ source: String, _ number: Int, _ rebuilder: inout IndexRebuilder
  ) throws(RetakeError) -> Int? {
    if files.newer[source] != nil {
      damage.append("\(source) was written by a later version of Retake; it is left unchanged.")
      return nil
    }
    let kept = folder.chunkFilePath(number) + ChunkFileStanding.damagedSuffix
    var copy: ChunkFileWriter<PartialFile>?
    var isForeign = false
    let firstNumbers = rebuilder.nextNumbers
    let scan = try ChunkFileScan.run(path: source, copying: header(number), firstNumbers: firstNumbers) {
      entry, scan throws(RetakeError) in
      guard belongs(scan, number) else {
        isForeign = true
        return
      }
      if case .frame(let message, let payload, _, _) = entry { try verifier.verify(message, payload) }
      try rebuilder.enter(entry, chunkFile: number) { entry throws(RetakeError) in
        if copy == nil { copy = try begin(number) }
        return try copy!.append(entry)
      }
    }
    let path = folder.chunkFilePath(number)
    // Only the file's description of itself was damaged, which the copy has from the others.
    let isMended = source == path && scan.hasAllMessages && !isForeign
    let isWhole = isMended || scan.isOnlyUnfinished && !isForeign
    // A missing end is expected in a partial file and is not damage.
    if !isMended && !(isWhole && scan.endsBetweenRecords) { damage += scan.damage.map { "\(source): \($0)" } }
    if isForeign { damage.append("\(source) does not belong to this recording; its frames are left out.") }
    // Until the new index is in place, the old one does not match the file.
    if source == kept || source == path { try IndexDatabase.reopen(at: folder.indexPath) }
    if !isWhole {
      // Before the copy is published: a partial file beside a finished one counts as copied.
      if source != kept { try fileSystem.rename(source, to: kept, replacing: false) }
      damage.append("The damaged original is kept as \(kept).")
    }
    if copy != nil {
      if !isWhole && number == files.numbers.last { rebuilder.expect(knownEnds.map { max($0.frames, $0.losses) }) }
      for event in rebuilder.endLosses() { try copy!.append(event) }
      try copy!.finish()
      try copy!.sink.publish(replacing: source == kept || isMended)
    }
    if isWhole && source != path { try fileSystem.remove(source) }
    return copy?.byteCount
  }

  private func begin(_ number: Int) throws(RetakeError) -> ChunkFileWriter<PartialFile> {
    guard let identity = files.identity else { preconditionFailure("only what belongs to the recording is copied") }
    let file = try PartialFile(folder, number: number, on: fileSystem, suffix: PartialFile.recoveringSuffix)
    return try ChunkFileWriter(to: file, identity: identity, streams: files.streams, fileNumber: number)
  }
}
