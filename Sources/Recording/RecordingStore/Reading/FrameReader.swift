import ChunkFormat
import FrameModel
import Support

/// Reads a recording's frames, each with one read of its chunk file. Serves one thread.
package final class FrameReader {
  private let folder: RecordingFolder
  private let streams: [StreamDescription]
  private let decoder: FrameDecoder
  /// Open chunk files, the most recently used last: replay touches one or two at a time.
  private var files: [(number: Int, source: FileSource)] = []
  private static let openFileLimit = 8
  private var record: [UInt8] = []
  private var pools: [Int: FrameBufferPool] = [:]
  /// Frames of a stream that the caller may hold before the reader allocates unpooled buffers.
  private let heldFrameLimit: Int

  package init(_ recording: Recording, heldFrameLimit: Int = 8) throws(RetakeError) {
    folder = recording.folder
    streams = recording.streams
    decoder = try FrameDecoder()
    self.heldFrameLimit = heldFrameLimit
  }

  /// - Throws: `.corrupt` naming chunk file, stream and frame when the data is not that frame.
  package func frame(_ row: FrameRow) throws(RetakeError) -> Frame {
    guard row.stream < streams.count else {
      throw RetakeError(.corrupt, "The index of \(folder.path) names a stream that does not exist.")
    }
    let stream = streams[row.stream]
    let path = folder.chunkFilePath(row.chunkFile)
    do throws(RetakeError) {
      try read(row, path: path)
      return try record.withRawBytes { bytes throws(RetakeError) in
        try decode(UnsafeRawBufferPointer(rebasing: bytes[..<row.place.length]), row, stream)
      }
    } catch {
      if error.code == .notFound {
        try folder.checkIsRecording()
        throw RetakeError(
          .corrupt, "Frame \(row.number) of stream '\(stream.name)' is lost: \(path) is missing.",
          hint:
            "restore it from a copy; 'retake verify \(ShellWord.quoted(folder.path))' tells if it has another name, and 'retake recover' keeps all other frames and counts its frames as lost"
        )
      }
      guard error.code == .corrupt || error.code == .unsupported else { throw error }
      throw RetakeError(
        .corrupt, "Frame \(row.number) of stream '\(stream.name)' in \(path) is damaged: \(error.message)",
        hint:
          "'retake verify \(ShellWord.quoted(folder.path))' lists all damaged frames; 'retake recover' keeps the whole ones, and counts the others as lost"
      )
    }
  }

  private func decode(_ bytes: UnsafeRawBufferPointer, _ row: FrameRow, _ stream: StreamDescription)
    throws(RetakeError) -> Frame
  {
    let (message, payload) = try MessageRecord.frame(bytes, stream: row.stream)
    // The whole row is compared: pairing and the replay schedule rely on the index's timestamps.
    guard FrameRow(message, stream: row.stream, chunkFile: row.chunkFile, place: row.place) == row,
      message.layout == stream.layout.packed
    else { throw RetakeError(.corrupt, "it does not match its entry in the index.") }
    let buffer = takeBuffer(row.stream, byteCount: stream.layout.packed.byteCount)
    let output = UnsafeMutableRawBufferPointer(rebasing: buffer.mutableBytes[..<message.byteCount])
    let digest = try decoder.decode(payload, of: message, into: output)
    return Frame(
      stream: row.stream, number: row.number, layout: message.layout, buffer: buffer,
      byteCount: message.byteCount, deviceSequence: message.deviceSequence, timestamps: message.timestamps,
      flags: message.flags, digest: digest)
  }

  private func takeBuffer(_ stream: Int, byteCount: Int) -> FrameBuffer {
    if pools[stream] == nil {
      pools[stream] = FrameBufferPool(bufferByteCount: byteCount, limit: heldFrameLimit)
    }
    return pools[stream]!.take() ?? FrameBuffer(byteCount: byteCount)
  }

  private func read(_ row: FrameRow, path: String) throws(RetakeError) {
    var source = try source(row.chunkFile, path: path)
    let (offset, length) = (row.place.offset, row.place.length)
    if record.count < length {
      // The length comes from the index: check it against the file before allocating memory.
      guard source.byteCount ?? 0 >= offset + length else { throw Self.endsEarly }
      record = [UInt8](repeating: 0, count: length)
    }
    try record.withMutableRawBytes { bytes throws(RetakeError) in
      let target = UnsafeMutableRawBufferPointer(rebasing: bytes[..<length])
      guard try source.readAll(at: offset, into: target) == length else { throw Self.endsEarly }
    }
  }

  private static let endsEarly = RetakeError(.corrupt, "the chunk file ends before the frame does.")

  private func source(_ number: Int, path: String) throws(RetakeError) -> FileSource {
    if let position = files.firstIndex(where: { $0.number == number }) {
      files.append(files.remove(at: position))
      return files[files.count - 1].source
    }
    let source = try FileSource(path: path)
    if files.count == Self.openFileLimit { files.removeFirst() }
    files.append((number, source))
    return source
  }
}
