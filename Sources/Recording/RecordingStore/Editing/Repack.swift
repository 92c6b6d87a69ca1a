import ChunkFormat
import FrameModel
import Support

/// Copies a whole recording with its frames encoded again: for an archive, or for work. Frames, times, faces,
/// events and marks stay as they are.
package struct Repack {
  package struct Report: Hashable, Sendable {
    package var copy: CopyReport
    /// Of the chunk files that were copied.
    package var sourceByteCount: Int
  }

  private let effort: EncodingEffort
  private let options: RecorderOptions

  /// Few large chunk files, with payloads as small as Retake can make them.
  package static func archive(chunkFileByteCount: Int = 1 << 30) -> Repack {
    var options = RecorderOptions()
    options.chunkFileByteCount = chunkFileByteCount
    // The rows of a file's frames are held in memory.
    options.chunkFileNanoseconds = 3_600_000_000_000
    return Repack(effort: .smallest, options: options)
  }

  /// Chunk files as a recorder writes them.
  package static var working: Repack { Repack(effort: .best, options: RecorderOptions()) }

  /// - Parameter progress: called after each chunk file that was copied or read again, with those done and in
  ///   total; false stops the copy.
  /// - Throws: `.corrupt` for a damaged recording; when the folder is not empty; disk errors. No folder is left then.
  package func run(
    _ recording: Recording, into folder: RecordingFolder, threadCount: Int = 1,
    fileSystem: any FileSystem = RealFileSystem(), progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Report {
    guard recording.isClosed else {
      do throws(RetakeError) {
        _ = try FolderLock(recording.folder)
      } catch {
        guard error.code == .busy else { throw error }
        throw RetakeError(
          .busy, "\(recording.folder.path) is being recorded, so it cannot be packed or unpacked.",
          hint: "when the recording has ended, the same command does it")
      }
      throw RetakeError(
        .inputOutput, "\(recording.folder.path) is not closed, so it cannot be packed or unpacked.",
        hint: "'retake recover' repairs it")
    }
    return try folder.makingWhole(on: fileSystem) { folder throws(RetakeError) in
      let copied = try copy(recording, into: folder, threadCount, fileSystem, progress)
      let copy = try Recording(path: folder.path)
      try RepackCheck(recording, copy).run()
      try folder.copySideFiles(from: recording.folder, on: fileSystem)
      let sourceByteCount = try recording.chunkFiles().reduce(0) { $0 + $1.byteCount }
      return Report(copy: copied, sourceByteCount: sourceByteCount)
    }
  }

  private func copy(
    _ recording: Recording, into folder: RecordingFolder, _ threadCount: Int, _ fileSystem: any FileSystem,
    _ progress: (Int, Int) -> Bool
  ) throws(RetakeError) -> CopyReport {
    let selection = try FrameSelection(whole: recording)
    let files = try RecordingFiles(
      folder, streams: recording.recordedStreams.withoutRing, options: options, fileSystem: fileSystem)
    defer { files.close() }
    // Numbers of frames that are missing are not used again, so other numbers need another id.
    let origin = PresentationTime(nanoseconds: 0)
    files.begin(
      try recording.hasAllNumbers()
        ? recording.identity : recording.identity.ofPart(from: origin, selecting: selection.frames))
    let recoder = try FrameRecoder(effort: effort, threadCount: threadCount, into: files)
    var copy = try SelectionCopy(recording, selection, into: files, at: .init(), recoder: recoder)
    var damage: String?
    do throws(RetakeError) {
      damage = try copy.run(progress).first
      if damage == nil { try recoder.finish() }
    } catch {
      guard error.code == .corrupt else { throw error }
      damage = error.message
    }
    if let damage {
      throw RetakeError(
        .corrupt, "The recording is damaged, so it is not packed or unpacked: \(damage)",
        hint: "'retake trim \(ShellWord.quoted(recording.folder.path)) --from 0 -o NEW.retake' copies what can be read")
    }
    return try CopyReport(closing: files, damage: [])
  }
}

extension Recording {
  /// Whether the frames of each stream are numbered from 0 without gaps.
  func hasAllNumbers() throws(RetakeError) -> Bool {
    let summary = try summary()
    for (number, stream) in summary.streams.enumerated() where stream.frameCount > 0 {
      guard try frameNumbers(stream: number) == 0..<stream.frameCount else { return false }
    }
    return true
  }
}

/// Reads a packed or unpacked copy from the disk and compares it with the original.
private struct RepackCheck {
  private let original: Recording
  private let copy: Recording
  private static let pageLength = 1000

  init(_ original: Recording, _ copy: Recording) { (self.original, self.copy) = (original, copy) }

  /// - Throws: `.corrupt` if anything differs.
  func run() throws(RetakeError) {
    let verification = try Verification.run(copy)
    if let problem = verification.problems.first { throw differs("\(problem.chunkFile): \(problem.what)") }
    for stream in original.streams.indices { try compareFrames(of: stream) }
    guard try original.marks() == copy.marks() else { throw differs("its marks differ") }
    guard try original.faceCounts() == copy.faceCounts() else { throw differs("its faces differ") }
  }

  private func compareFrames(of stream: Int) throws(RetakeError) {
    var (next, nextCopied) = (0, 0)
    while true {
      let rows = try original.frameRows(stream: stream, from: next, limit: Self.pageLength)
      let copies = try copy.frameRows(stream: stream, from: nextCopied, limit: Self.pageLength)
      guard rows.map(Facts.init) == copies.map(Facts.init) else {
        throw differs("frames of '\(original.streams[stream].name)' from \(next) on differ")
      }
      guard let last = rows.last, let lastCopied = copies.last else { return }
      (next, nextCopied) = (last.number + 1, lastCopied.number + 1)
    }
  }

  /// What stays the same, wherever the frame is stored.
  private struct Facts: Hashable {
    let deviceSequence: UInt64?
    let timestamps: FrameTimestamps
    let flags: FrameFlags
    let byteCount: Int
    let checksum: UInt64

    init(_ row: FrameRow) {
      (deviceSequence, timestamps, flags) = (row.deviceSequence, row.timestamps, row.flags)
      (byteCount, checksum) = (row.byteCount, row.checksum)
    }
  }

  private func differs(_ what: String) -> RetakeError {
    RetakeError(
      .corrupt, "The copy does not equal \(original.folder.path): \(what). It was removed.",
      hint: "'retake verify' says whether the recording is whole; if it is, report this as a bug")
  }
}
