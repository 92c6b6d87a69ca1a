import ChunkFormat
import Support

/// The finished chunk files in the index of a ring, if a repair can take their rows from it instead of reading them.
/// Frame sets are derived again: removed chunk files leave gaps in their numbers.
package struct TrustedRing {
  private let recording: Recording
  private let byteCounts: [Int: Int]
  private let last: Int

  /// - Returns: nil when nothing was removed, or when the index is damaged or does not match the files.
  package init?(_ folder: RecordingFolder, _ files: ChunkFileStanding) throws(RetakeError) {
    guard files.streams.areOfRing, files.newer.isEmpty, try RecordingFolder.exists(folder.indexPath) else { return nil }
    do throws(RetakeError) {
      recording = try Recording(path: folder.path)
      let known = try recording.chunkFiles()
      guard recording.identity == files.identity, recording.recordedStreams == files.streams,
        let last = known.last?.number, known.count <= last,
        // After disk failures a file may have frames that the index lists as dropped.
        try !recording.index.hasDiskEvents(),
        // The order in which detectors appear in the files cannot be told from the index.
        try recording.index.faceDetectorCount() <= 1
      else { return nil }
      self.last = last
      byteCounts = Dictionary(uniqueKeysWithValues: known.map { ($0.number, $0.byteCount) })
      // A file that is not in the index was about to be removed. It is read, so that nothing is guessed.
      guard files.finished.allSatisfy({ $0 > last || byteCounts[$0] != nil }) else { return nil }
      let finished = Set(files.finished)
      for file in known {
        guard finished.contains(file.number),
          try FileSource(path: folder.chunkFilePath(file.number)).byteCount == file.byteCount
        else { return nil }
      }
    } catch {
      guard [.corrupt, .unsupported, .notFound].contains(error.code) else { throw error }
      return nil
    }
  }

  /// Enters the rows of a chunk file.
  /// - Returns: its length; nil when the index does not have it.
  /// - Throws: `.corrupt` when its frames are out of order.
  func enter(_ number: Int, _ rebuilder: inout IndexRebuilder) throws(RetakeError) -> Int? {
    guard let byteCount = byteCounts[number] else { return nil }
    let rows = try recording.frameRows(chunkFile: number).sorted { $0.place.offset < $1.place.offset }
    for row in rows {
      guard rebuilder.enterKnown(row) else {
        throw RetakeError(
          .corrupt, "\(recording.folder.indexPath) is damaged: its frames are out of order.",
          hint: "the frames are safe in the chunk files: 'retake recover' rebuilds the index")
      }
    }
    for stream in recording.streams.indices {
      let numbers = rows.lazy.filter { $0.stream == stream }.map(\.number)
      guard let first = numbers.min(), let last = numbers.max() else { continue }
      rebuilder.enterKnown(faces: try recording.faces(stream: stream, frames: first..<last + 1))
    }
    // No row tells the file of an event or a mark. Their order is that of the files.
    if number == last {
      rebuilder.enterKnown(events: try recording.index.ringEvents(), marks: try recording.index.enteredMarks())
    }
    return byteCount
  }
}
