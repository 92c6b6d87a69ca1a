import ChunkFormat
import Kernels
import MattePipeline
import Replay
import Support

/// Checks a bundle's parts as they are read, and its completeness at the end.
struct BundleContents {
  private let name: String
  private var hasMetadata = false
  private var parts: Set<BundlePart> = []
  private var description: BundleDescription?

  init(name: String) { self.name = name }

  var partCount: Int { parts.count }

  func check(_ header: MCAPHeader) throws(RetakeError) {
    guard header.profile == BundleFormat.profile else {
      throw RetakeError(
        .corrupt, "\(name) is an MCAP file, but not a bug bundle.", hint: "'retake bundle' makes one of a recording")
    }
  }

  mutating func add(_ metadata: MCAPMetadata) throws(RetakeError) {
    guard !hasMetadata else { throw failure("states its format twice.") }
    try BundleFormat.check(metadata, of: name)
    hasMetadata = true
  }

  func check(_ part: BundlePart, byteCount: Int) throws(RetakeError) {
    guard byteCount <= part.byteCountLimit else {
      throw failure("has a \(part.name) of \(byteCount) bytes; the limit is \(part.byteCountLimit).")
    }
  }

  mutating func add(_ attachment: MCAPAttachment) throws(RetakeError) -> BundlePart {
    guard hasMetadata else { throw failure("does not state its format before its first part.") }
    guard let part = BundlePart(name: attachment.name) else {
      throw failure("contains '\(attachment.name.prefix(100))', which does not belong in a bundle.")
    }
    try check(part, byteCount: attachment.data.count)
    if part == .description && description == nil {
      description = try BundleDescription(Array(attachment.data), of: name)
    }
    guard let description else { throw failure("does not begin with \(BundlePart.description.name).") }
    guard parts.insert(part).inserted else { throw failure("contains \(part.name) twice.") }
    try check(part, attachment.data, is: description)
    return part
  }

  /// Checks a part against the bundle's description.
  private func check(
    _ part: BundlePart, _ bytes: UnsafeRawBufferPointer, is description: BundleDescription
  ) throws(RetakeError) {
    switch part {
    case .expectation:
      let line = Array(bytes.prefix(DigestFileReader.headerLimit + 1).prefix { $0 != UInt8(ascii: "\n") })
      let header = try DigestFileReader(name: "\(name): \(part.name)", bytes: line).header
      guard Checksum.xxh3Hex128(bytes) == description.expectationDigest,
        header.json.text == description.replay.json.text
      else { throw failure("is inconsistent: \(part.name) belongs to another replay than the described one.") }
      let lineCount = bytes.count { $0 == UInt8(ascii: "\n") }
      guard description.canEnd(withLineCount: max(0, lineCount - 1)) else {
        throw failure(
          "is to be replayed \(description.replay.order.passCount ?? 0) times, but has no digests of that many passes."
        )
      }
    case .note:
      guard bytes.elementsEqual(description.note.utf8) else {
        throw failure("has a \(part.name) that differs from its description.")
      }
    case .mask(let key, _):
      guard key == description.maskKey else { throw failure("contains masks that its replay does not need.") }
    case .plate:
      guard let identity = description.replay.plate, (try? EmptyScene(Array(bytes), name: name))?.identity == identity
      else { throw failure("contains another plate than its replay needs.") }
    default: break
    }
  }

  /// Checks, after the last part, that no part is missing.
  func checked() throws(RetakeError) -> BundleDescription {
    guard let description else { throw failure("lacks \(BundlePart.description.name).") }
    for part in [BundlePart.parameters, .expectation, .note, .chunkFile(0)] where !parts.contains(part) {
      throw failure("lacks \(part.name).")
    }
    var (chunkFiles, masks, backgroundFiles) = (0, 0, 0)
    for part in parts {
      switch part {
      case .chunkFile: chunkFiles += 1
      case .backgroundChunkFile: backgroundFiles += 1
      case .mask: masks += 1
      default: break
      }
    }
    // The numbers must be contiguous from 0.
    for number in 0..<chunkFiles where !parts.contains(.chunkFile(number)) {
      throw failure("lacks \(BundlePart.chunkFile(number).name).")
    }
    for number in 0..<backgroundFiles where !parts.contains(.backgroundChunkFile(number)) {
      throw failure("lacks \(BundlePart.backgroundChunkFile(number).name).")
    }
    if let key = description.maskKey, masks == 0 {
      throw failure("lacks the masks that its replay needs, masks/\(key).")
    }
    if description.replay.plate != nil, !parts.contains(.plate) { throw failure("lacks \(BundlePart.plate.name).") }
    let found: BundleDescription.Background =
      backgroundFiles > 0 ? .recording : parts.contains(.background) ? .file : .none
    guard found == description.background, !(backgroundFiles > 0 && parts.contains(.background)) else {
      throw failure("has another background than it describes.")
    }
    return description
  }

  func failure(_ what: String) -> RetakeError { RetakeError(.corrupt, "\(name) \(what)", hint: BundleFormat.hint) }
}
