import ChunkFormat
import Kernels
import Replay
import Support

/// Checks a bundle's parts as they are read, and its completeness at the end.
struct BundleContents {
  private let name: String
  private var hasMetadata = false
  private var parts: Set<BundlePart> = []
  private var description: BundleDescription?
  private var expectationDigest: String?
  /// First line of the expected digests.
  private var expectedHeader: String?
  private var note: [UInt8]?
  /// Lines of expected digests after the first.
  private var expectedLineCount = 0

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
    guard description != nil || part == .description else {
      throw failure("does not begin with \(BundlePart.description.name).")
    }
    guard parts.insert(part).inserted else { throw failure("contains \(part.name) twice.") }
    switch part {
    case .description: description = try BundleDescription(Array(attachment.data), of: name)
    case .expectation:
      expectationDigest = Checksum.xxh3Hex128(attachment.data)
      let line = Array(attachment.data.prefix(DigestFileReader.headerLimit + 1).prefix { $0 != UInt8(ascii: "\n") })
      expectedHeader = try expectation(line).header.json.text
      let ends = attachment.data.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
      expectedLineCount = max(0, ends - 1)
    case .note: note = Array(attachment.data)
    default: break
    }
    return part
  }

  private func expectation(_ line: [UInt8]) throws(RetakeError) -> DigestFileReader {
    try DigestFileReader(name: "\(name): \(BundlePart.expectation.name)", bytes: line)
  }

  /// Checks the whole bundle after its last part.
  func checked() throws(RetakeError) -> BundleDescription {
    guard let description else { throw failure("lacks \(BundlePart.description.name).") }
    for part in [BundlePart.parameters, .expectation, .note, .chunkFile(0)] where !parts.contains(part) {
      throw failure("lacks \(part.name).")
    }
    guard expectationDigest == description.expectationDigest, expectedHeader == description.replay.json.text else {
      throw failure("is inconsistent: \(BundlePart.expectation.name) belongs to another replay than the described one.")
    }
    guard description.canEnd(withLineCount: expectedLineCount) else {
      throw failure(
        "is to be replayed \(description.replay.order.passCount ?? 0) times, but has no digests of that many passes.")
    }
    guard note == Array(description.note.utf8) else {
      throw failure("has a \(BundlePart.note.name) that differs from its description.")
    }
    try checkFiles(of: description)
    return description
  }

  private func checkFiles(of description: BundleDescription) throws(RetakeError) {
    var (chunkFiles, masks, backgroundFiles) = (0, 0, 0)
    for part in parts {
      switch part {
      case .chunkFile: chunkFiles += 1
      case .backgroundChunkFile: backgroundFiles += 1
      case .mask(let key, _):
        guard key == description.maskKey else { throw failure("contains masks that its replay does not need.") }
        masks += 1
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
    let found: BundleDescription.Background =
      backgroundFiles > 0 ? .recording : parts.contains(.background) ? .file : .none
    guard found == description.background, !(backgroundFiles > 0 && parts.contains(.background)) else {
      throw failure("has another background than it describes.")
    }
  }

  func failure(_ what: String) -> RetakeError { RetakeError(.corrupt, "\(name) \(what)", hint: BundleFormat.hint) }
}
