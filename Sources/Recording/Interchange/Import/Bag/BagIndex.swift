import ChunkFormat
import Support

/// What the end of a bag says of it: its connections, and where its chunks are.
struct BagIndex {
  private(set) var connections: [Int: MessageChannel] = [:]
  /// Offsets of chunk records, ascending.
  private var chunkOffsets: [Int] = []
  /// Messages per connection.
  private(set) var counts: [Int: Int] = [:]

  /// - Returns: nil for a bag that its recorder did not close.
  /// - Throws: `.corrupt` for an index that is cut off or damaged.
  init?(_ loader: inout BagLoader) throws(RetakeError) {
    let header = try loader.record(at: BagFile.magic.count, needs: [])
    guard try header.fields.kind() == .bagHeader else {
      throw RetakeError(.corrupt, "The bag does not start with a bag header.")
    }
    let position = try header.fields.number("index_pos", UInt64.self)
    guard position > 0 else { return nil }
    guard var offset = Int(exactly: position), offset < loader.byteCount else {
      throw RetakeError(.corrupt, "The bag ends before its index, which starts at byte \(position).")
    }
    while offset < loader.byteCount {
      let record = try loader.record(at: offset, needs: [.connection, .chunkInfo])
      guard !record.isCut else { throw RetakeError(.corrupt, "The bag's index is cut short.") }
      try note(record)
      offset = record.end
    }
    chunkOffsets.sort()
  }

  /// The first offset of a chunk behind a place. Called for each record, so it searches by halves.
  func chunkOffset(after place: Int) -> Int? {
    var candidates = chunkOffsets[...]
    while !candidates.isEmpty {
      let middle = candidates.startIndex + candidates.count / 2
      if chunkOffsets[middle] > place {
        candidates = candidates[..<middle]
      } else {
        candidates = candidates[(middle + 1)...]
      }
    }
    return candidates.startIndex < chunkOffsets.count ? chunkOffsets[candidates.startIndex] : nil
  }

  private mutating func note(_ record: BagLoader.Loaded) throws(RetakeError) {
    switch try record.fields.kind() {
    case .connection:
      let (id, channel) = try BagFile.connection(record.fields, record.data)
      connections[id] = channel
    case .chunkInfo:
      chunkOffsets.append(Int(clamping: try record.fields.number("chunk_pos", UInt64.self)))
      var reader = ByteReader(record.data)
      while !reader.isAtEnd {
        let id = Int(try reader.fixed(UInt32.self))
        let count = Int(try reader.fixed(UInt32.self))
        counts[id] = min(1 << 40, (counts[id] ?? 0) + count)
      }
    default: throw RetakeError(.corrupt, "The bag's index has a record that does not belong there.")
    }
  }
}
