import ChunkFormat
import FrameModel
import Support

/// What the index of a killed recorder has of finished chunk files, as far as a repair can go on from it without reading
/// them again: their frames' rows bring an `IndexRebuilder` to where the recorder stood.
struct TrustedPrefix {
  private(set) var rebuilder: IndexRebuilder
  let chunkFileCount: Int
  /// Numbers of the chunk files that the index lacks, in order: finished or not, all behind those it has.
  let behind: [Int]
  /// The index has what ends with the recording too: it was closed, and opened again to add something.
  let isEnded: Bool

  /// - Returns: nil where the index does not fit the files; they then have to be read.
  /// - Throws: when the index cannot be read, damage aside.
  init?(_ folder: RecordingFolder, _ files: ChunkFileStanding) throws(RetakeError) {
    do throws(RetakeError) {
      guard try RecordingFolder.exists(folder.indexPath), files.newer.isEmpty else { return nil }
      let recording = try Recording(path: folder.path)
      let known = try recording.chunkFiles()
      guard recording.identity == files.identity, recording.streams == files.streams, let last = known.last?.number,
        // Frames that a failing disk took no more may lie in a file all the same, where a repair finds them.
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
      rebuilder = IndexRebuilder(streams: recording.streams)
      for file in known {
        let rows = try recording.frameRows(chunkFile: file.number).sorted { $0.place.offset < $1.place.offset }
        for row in rows { guard rebuilder.enterKnown(row) else { return nil } }
        _ = rebuilder.endFile(number: file.number, byteCount: file.byteCount)
      }
      let found = (sets: try recording.frameSetCount(), events: try recording.index.pairingEventCount())
      var ended = rebuilder
      _ = ended.finish()
      // Where both fit, nothing came with the end.
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
