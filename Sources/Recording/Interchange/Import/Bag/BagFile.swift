import ChunkFormat
import Support

/// The messages of a ROS 1 bag (wiki.ros.org/Bags/Format/2.0), in the file's order. The index is used only to
/// continue after damage and to count what is missing, so a bag that was not closed is read as well.
final class BagFile: MessageContainer {
  static let magic = Array("#ROSBAG V2.0\n".utf8)

  private var loader: BagLoader
  private var index: BagIndex?
  private let store = ByteStore()
  /// Offset of the next record outside of chunks.
  private var offset = BagFile.magic.count
  private var chunk: (records: ByteReader, offset: Int, isSuspect: Bool)?
  private(set) var channels: [Int: MessageChannel] = [:]
  private(set) var remarks: [String] = []
  private(set) var damage: (first: RetakeError, moreCount: Int)?

  init(path: String) throws(RetakeError) {
    loader = try BagLoader(path: path)
    guard try loader.bytes(at: 0, Self.magic.count).elementsEqual(Self.magic) else {
      throw RetakeError(
        .unsupported, "\(path) is a ROS bag of a version other than 2.0.", hint: "convert it with 'rosbag fix'")
    }
    do throws(RetakeError) {
      index = try BagIndex(&loader)
      if index == nil {
        remarks = ["\(path) was not closed by its recorder: what it has was found without an index"]
      }
    } catch {
      guard error.code == .corrupt || error.code == .unsupported else { throw error }
      note(error)
    }
    channels = index?.connections ?? [:]
  }

  var byteCount: Int { loader.byteCount }
  var position: Int { chunk?.offset ?? min(offset, loader.byteCount) }
  var statedCounts: [Int: Int] { index?.counts ?? [:] }

  func next() throws(RetakeError) -> ContainedMessage? {
    while chunk != nil || offset < loader.byteCount {
      do throws(RetakeError) {
        if chunk != nil {
          if let message = try nextInChunk() { return message }
        } else {
          try nextOutside()
        }
      } catch {
        guard error.code == .corrupt || error.code == .unsupported else { throw error }
        note(error)
        if chunk != nil { chunk = nil } else { skipToChunk() }
      }
    }
    return nil
  }

  private func note(_ error: RetakeError) { damage = damage.map { ($0.first, $0.moreCount + 1) } ?? (error, 0) }

  /// Continues at the next chunk that the index knows, or ends.
  private func skipToChunk() {
    offset = chunkOffset(after: offset) ?? loader.byteCount
  }

  private func chunkOffset(after place: Int) -> Int? { index?.chunkOffset(after: place) }

  private func nextOutside() throws(RetakeError) {
    let place = offset
    let record = try loader.record(at: place, needs: [.chunk, .connection])
    switch try record.fields.kind() {
    case .chunk: try open(record, at: place)
    case .connection where !record.isCut: try note(connection: record.fields, record.data)
    default: break
    }
    // A wrong length must not hide the next chunk.
    offset = min(record.end, chunkOffset(after: place) ?? loader.byteCount)
    if record.isCut { note(RetakeError(.corrupt, "The file ends inside the record at byte \(place).")) }
  }

  private func open(_ record: BagLoader.Loaded, at place: Int) throws(RetakeError) {
    let name = try record.fields.text("compression")
    let byteCount = Int(try record.fields.number("size", UInt32.self))
    guard byteCount <= MCAP.largestRecordByteCount else {
      throw RetakeError(
        .unsupported,
        "The chunk at byte \(place) holds \(byteCount) bytes; the limit is \(MCAP.largestRecordByteCount).")
    }
    var (records, isWhole) = (record.data, record.data.count == byteCount)
    switch name {
    case "none": break
    case Decompression.bzip2.rawValue:
      (records, isWhole) = try Decompression.bzip2.bytes(of: record.data, byteCount: byteCount, in: store)
    case Decompression.lz4.rawValue:
      (records, isWhole) = try Decompression.lz4.bytes(of: record.data, byteCount: byteCount, in: store)
    default:
      throw RetakeError(
        .unsupported, "The chunk at byte \(place) is compressed with '\(name.prefix(40))', which Retake cannot read.")
    }
    // A bag has no checksums: of a chunk that is only cut short, what is before the cut is as good as in a whole one.
    let isOnlyCut = name == "none" && record.isCut
    chunk = (ByteReader(records), place, !isWhole && !isOnlyCut)
    if !isWhole && !record.isCut {
      note(RetakeError(.corrupt, "The chunk at byte \(place) does not hold the \(byteCount) bytes that it states."))
    }
  }

  private func nextInChunk() throws(RetakeError) -> ContainedMessage? {
    guard var open = chunk, !open.records.isAtEnd else {
      chunk = nil
      return nil
    }
    do throws(RetakeError) {
      let record = try BagRecord(from: &open.records)
      chunk = open
      switch try record.fields.kind() {
      case .message:
        let time = try record.fields.time()
        return ContainedMessage(
          channel: Int(try record.fields.number("conn", UInt32.self)), logTime: time, data: record.data,
          isSuspect: open.isSuspect)
      case .connection: try note(connection: record.fields, record.data)
      default: break
      }
      return nil
    } catch {
      throw RetakeError(.corrupt, "The chunk at byte \(open.offset) is damaged: \(error.message)")
    }
  }

  private func note(connection fields: BagFields, _ data: UnsafeRawBufferPointer) throws(RetakeError) {
    let (id, channel) = try Self.connection(fields, data)
    channels[id] = channel
  }

  static func connection(_ fields: BagFields, _ data: UnsafeRawBufferPointer) throws(RetakeError)
    -> (Int, MessageChannel)
  {
    let header = try BagFields(data)
    return (
      Int(try fields.number("conn", UInt32.self)),
      MessageChannel(topic: try fields.text("topic"), schema: try header.text("type"), messageEncoding: "ros1")
    )
  }
}
