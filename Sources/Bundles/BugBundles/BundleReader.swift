import ChunkFormat
import FrameModel
import Glibc
import RecordingStore
import Support

/// Reads a bundle that may come from a stranger: front to back, with one part in memory at a time.
/// Every length is checked against the rest of the file and the part's limit before allocation.
package enum BundleReader {
  /// Chunk files, masks and background files. Bounds the number of masks under wrong keys.
  private static let partCountLimit = 3 * BundlePart.fileNumberLimit

  /// - Throws: `.notFound`, `.unsupported` if not a regular file, `.corrupt` if empty.
  package static func open(_ path: String) throws(RetakeError) -> FileSource {
    let hint = "'retake bundle' makes a bundle of a recording"
    if let wrong = PathKind.mismatch(path, wanted: .bundle, code: .unsupported) { throw wrong }
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw RetakeError(.unsupported, "\(path) is not a regular file.", hint: hint)
      }
      guard status.st_size > 0 else { throw RetakeError(.corrupt, "\(path) is empty, not a bug bundle.", hint: hint) }
    }
    return try FileSource(path: path)
  }

  /// - Parameter take: receives each part in file order; its bytes are valid only during the call.
  /// - Returns: the description, after the whole file was read and found valid.
  /// - Throws: `.corrupt` if invalid, `.unsupported` for a later format; what `take` throws.
  package static func read<Source: ByteSource>(
    _ source: Source, name: String,
    take: (BundlePart, UnsafeRawBufferPointer) throws(RetakeError) -> Void
  ) throws(RetakeError) -> BundleDescription {
    var options = MCAPReaderOptions()
    options.opensChunks = false
    let reader = MCAPRecordReader(source, options)
    var contents = BundleContents(name: name)
    // Reads the head of each record before the reader loads the record.
    var heads = source
    var offset = MCAP.magic.count
    while true {
      if let (part, byteCount) = try claim(&heads, at: offset) { try contents.check(part, byteCount: byteCount) }
      guard let item = try next(reader, of: name) else { break }
      offset = (item.offset ?? offset) + item.length
      switch item.record {
      case .header(let header): try contents.check(header)
      case .metadata(let metadata): try contents.add(metadata)
      case .attachment(let attachment):
        guard !item.isInSummary else { throw contents.failure("has an attachment after its end.") }
        let part = try contents.add(attachment)
        guard contents.partCount <= partCountLimit else {
          throw contents.failure("has more than \(partCountLimit) parts.")
        }
        try take(part, attachment.data)
      case .dataEnd, .footer, .statistics, .attachmentIndex, .metadataIndex, .summaryOffset: break
      default: throw contents.failure("contains a \(kind(item.record)), which does not belong in a bundle.")
      }
      withExtendedLifetime(reader) {}
    }
    return try contents.checked()
  }

  /// Opcode and length of an attachment's record, two times, its name and the length of its media
  /// type. Names of parts are shorter than 100 bytes.
  private static let headByteCount = 1 + 8 + 16 + 4 + 100 + 4
  private static let longestMediaTypeByteCount = 100

  /// The part in the record at `offset`, and the length that it claims, from the record's head.
  /// - Returns: nil for any other record.
  private static func claim<Source: ByteSource>(
    _ source: inout Source, at offset: Int
  ) throws(RetakeError) -> (part: BundlePart, byteCount: Int)? {
    var head = [UInt8](repeating: 0, count: headByteCount)
    let count = try head.withMutableRawBytes { bytes throws(RetakeError) in
      try source.readAll(at: offset, into: bytes)
    }
    return head.withRawBytes { try? claim(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  private static func claim(_ head: UnsafeRawBufferPointer) throws(RetakeError) -> (part: BundlePart, byteCount: Int)? {
    var fields = ByteReader(head)
    guard try fields.fixed(UInt8.self) == MCAP.Opcode.attachment.rawValue else { return nil }
    let length = Int(clamping: try fields.fixed(UInt64.self))
    _ = try fields.take(16)
    let name = try fields.take(Int(try fields.fixed(UInt32.self)))
    guard let part = BundlePart(name: String(decoding: name, as: UTF8.self)) else { return nil }
    let typeByteCount = Int(try fields.fixed(UInt32.self))
    // The data's length, the data and a CRC follow. A media type that is too long counts as data.
    let byteCount = length - 16 - 4 - name.count - 4 - 8 - 4
    return (part, typeByteCount <= longestMediaTypeByteCount ? byteCount - typeByteCount : byteCount)
  }

  /// The next record. Errors name the bundle.
  private static func next<Source: ByteSource>(
    _ reader: MCAPRecordReader<Source>, of name: String
  ) throws(RetakeError) -> MCAPItem? {
    do throws(RetakeError) {
      return try reader.next()
    } catch {
      guard error.code == .corrupt || error.code == .unsupported else { throw error }
      throw RetakeError(
        error.code, "\(name) is not a complete bug bundle: \(error.message)",
        hint: reader.endsEarly ? "it is truncated: \(BundleFormat.hint)" : BundleFormat.hint)
    }
  }

  private static func kind(_ record: MCAPRecord) -> String {
    switch record {
    case .schema: "schema"
    case .channel: "channel"
    case .message: "message"
    case .chunk: "chunk"
    case .messageIndex, .chunkIndex: "message index"
    case .unknown(let unknown): "record of unknown kind \(unknown.opcode)"
    default: "record"
    }
  }
}
