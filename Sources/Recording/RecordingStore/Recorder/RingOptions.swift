import FrameModel
import Support

/// Limits of a recording that goes on for ever: the oldest chunk files are removed, except near marks.
package struct RingOptions: Hashable, Sendable {
  /// Largest size of the whole recording folder, in bytes. Nil: no limit.
  package var byteCount: Int?
  /// Chunk files whose frames are all older than this, in nanoseconds, are removed. Nil: no limit.
  package var nanoseconds: Int64?
  /// How much stays around each mark, in nanoseconds.
  package var prerollNanoseconds: Int64
  package var postrollNanoseconds: Int64

  package init(
    byteCount: Int? = nil, nanoseconds: Int64? = nil, prerollNanoseconds: Int64 = MarkWindowOptions.usualPreroll,
    postrollNanoseconds: Int64 = MarkWindowOptions.usualPostroll
  ) {
    (self.byteCount, self.nanoseconds) = (byteCount, nanoseconds)
    (self.prerollNanoseconds, self.postrollNanoseconds) = (prerollNanoseconds, postrollNanoseconds)
  }

  package static let leastByteCount = 64 << 20
  package static let leastNanoseconds: Int64 = 10_000_000_000
  /// A chunk file is at most this part of the ring, so that little is removed at once.
  static let fileShare = 16
  /// Every frame set, as large as it is uncompressed, must fit half a chunk file.
  private static let frameSetShare = 2 * fileShare

  /// - Throws: `.usage` for a ring that is too small for these streams.
  package func check(_ streams: [StreamDescription]) throws(RetakeError) {
    guard let byteCount else { return }
    // Tests use smaller rings than `leastByteCount`, which is for users.
    let frameSet = streams.reduce(0) { $0 + $1.layout.packed.byteCount }
    let least = max(Self.leastByteCount / 4, frameSet * Self.frameSetShare)
    guard byteCount >= least else {
      throw RetakeError(
        .usage, "A ring of \(byteCount >> 20) MiB is too small for these cameras.",
        hint: "give at least \((least + (1 << 20) - 1) >> 20)MiB")
    }
  }

  func chunkFileByteCount(_ normal: Int) -> Int { byteCount.map { min(normal, $0 / Self.fileShare) } ?? normal }

  var text: String {
    byteCount.map { "\($0) bytes" } ?? "\(nanoseconds ?? 0) ns"
  }

  /// Reads a limit as `text` writes it. Nil for other words, which a stranger's recording may have.
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let amount = Int64(words[0]), amount >= 0 else { return nil }
    switch words[1] {
    case "bytes": self.init(byteCount: Int(amount))
    case "ns": self.init(nanoseconds: amount)
    default: return nil
    }
  }
}

extension [StreamDescription] {
  /// Setting of a ring's first stream: missing chunk files, and the frames in them, were removed on purpose.
  static let ringSetting = "chunk-ring"

  /// Whether the oldest chunk files may have been removed on purpose.
  package var areOfRing: Bool { ring != nil }

  /// What a ring keeps, such as "100000000 bytes"; nil for other recordings.
  package var ring: String? { first?.settings.first { $0.name == Self.ringSetting }?.value }

  func asRing(_ options: RingOptions?) -> [StreamDescription] {
    guard let options else { return self }
    var streams = withoutRing
    streams[0].settings.append(StreamDescription.Setting(Self.ringSetting, options.text))
    return streams
  }

  /// Streams of a copy, which has all of its own chunk files.
  var withoutRing: [StreamDescription] {
    guard areOfRing else { return self }
    var streams = self
    streams[0].settings.removeAll { $0.name == Self.ringSetting }
    return streams
  }
}
