import ChunkFormat
import Support

/// The finished chunk files in a killed recorder's index, if a repair can continue without reading
/// them. Their rows restore the state of an `IndexRebuilder`.
package struct TrustedPrefix {
  private(set) var rebuilder: IndexRebuilder
  let chunkFileCount: Int
  /// Numbers of the chunk files after these, ascending, finished or not.
  package let behind: [Int]
  /// Whether the index was closed once, then reopened to add to it: it has the recording's last
  /// rows.
  package let isEnded: Bool

  /// - Returns: nil when the index is damaged or does not match the files, which must then be read.
  package init?(_ folder: RecordingFolder, _ files: ChunkFileStanding) throws(RetakeError) {
    do throws(RetakeError) {
      guard try RecordingFolder.exists(folder.indexPath), files.newer.isEmpty else { return nil }
      let recording = try Recording(path: folder.path)
      let known = try recording.chunkFiles()
      guard recording.identity == files.identity, recording.recordedStreams == files.streams,
        let last = known.last?.number,
        // After disk failures a file may have frames that the index lists as dropped.
        try !recording.index.hasDiskEvents()
      else { return nil }
      let finished = Set(files.finished)
      for file in known {
        guard finished.contains(file.number),
          try FileSource(path: folder.chunkFilePath(file.number)).byteCount == file.byteCount
        else { return nil }
      }
      behind = files.numbers.filter { $0 > last }
      guard known.count + behind.count == files.numbers.count, last == known.count - 1 else {
        return nil
      }
      chunkFileCount = known.count
      rebuilder = IndexRebuilder(streams: recording.recordedStreams)
      for file in known {
        rebuilder.beginFile(file.number)
        let rows = try recording.frameRows(chunkFile: file.number).sorted { $0.place.offset < $1.place.offset }
        for row in rows { guard rebuilder.enterKnown(row) else { return nil } }
        _ = rebuilder.endFile(number: file.number, byteCount: file.byteCount)
      }
      let found = (sets: try recording.frameSetCount(), events: try recording.index.pairingEventCount())
      var ended = rebuilder
      _ = ended.finish()
      // If the counts match before `finish`, the index lacks the rows that end a recording.
      if found == (rebuilder.frameSetCount, rebuilder.pairingEventCount) {
        isEnded = false
      } else {
        guard found == (ended.frameSetCount, ended.pairingEventCount) else { return nil }
        isEnded = true
      }
    } catch {
      guard [.corrupt, .unsupported, .notFound].contains(error.code) else { throw error }
      return nil
    }
  }
}
