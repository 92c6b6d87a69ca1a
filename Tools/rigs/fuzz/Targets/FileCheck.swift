import FrameModel
import Support
import TestSupport

@testable import ChunkFormat

/// Runs everything that reads chunk files over arbitrary bytes, and checks the readers' invariants.
struct FileCheck {
  private struct Found: Equatable {
    var opcode: UInt8
    var offset: Int?
    var length: Int
    var place: MCAPItem.ChunkPlace?
    var isInSummary: Bool
  }

  private struct Reading {
    var found: [Found] = []
    var error: RetakeError?
    var isIntact = false
    var indexCount = 0
  }

  /// Larger records are rejected: a compressed chunk may expand 32 000 times.
  private static let recordByteCountLimit = 4 << 20

  private let bytes: [UInt8]
  private let messages: MessageCheck

  init(_ bytes: [UInt8], _ messages: MessageCheck) {
    self.bytes = bytes
    self.messages = messages
  }

  func run() {
    let strict = read(isLenient: false, checksCRCs: true)
    let strictWithoutCRCs = read(isLenient: false, checksCRCs: false)
    let lenient = read(isLenient: true, checksCRCs: true)
    let lenientWithoutCRCs = read(isLenient: true, checksCRCs: false)
    require(lenient.error == nil && lenientWithoutCRCs.error == nil, "a lenient reader throws nothing")
    require(
      lenient.found.starts(with: strict.found) && lenientWithoutCRCs.found.starts(with: strictWithoutCRCs.found),
      "a lenient reader gives all that a strict one gives")
    require(
      strictWithoutCRCs.found.starts(with: strict.found) && lenient.found == lenientWithoutCRCs.found,
      "CRCs change what is believed, not what is found")
    require(
      lenient.isIntact == (strict.error == nil) && lenientWithoutCRCs.isIntact == (strictWithoutCRCs.error == nil),
      "both readers agree whether a file is whole")
    require(
      read(isLenient: true, checksCRCs: true, knowsByteCount: false).found == lenient.found,
      "a source that does not know its length reads the same")
    checkSummary(strict)
  }

  private func read(isLenient: Bool, checksCRCs: Bool, knowsByteCount: Bool = true) -> Reading {
    var options = MCAPReaderOptions(isLenient: isLenient)
    options.checksCRCs = checksCRCs
    options.recordByteCountLimit = Self.recordByteCountLimit
    let reader = MCAPRecordReader(WatchedSource(bytes, knowsByteCount: knowsByteCount), options)
    var reading = Reading()
    // One reading is enough to check the messages' contents.
    let readsMessages = isLenient && !checksCRCs
    do throws(RetakeError) {
      try reader.readAll { item throws(RetakeError) in
        reading.found.append(
          Found(
            opcode: item.opcode, offset: item.offset, length: item.length, place: item.chunk,
            isInSummary: item.isInSummary))
        if case .chunkIndex = item.record, item.isInSummary { reading.indexCount += 1 }
        checkPlace(item)
        if readsMessages { messages.run(item, in: bytes) }
      }
    } catch {
      require(error.code == .corrupt || error.code == .unsupported, "a damaged file is called so, not \(error)")
      require(!error.message.isEmpty, "an error has a sentence")
      reading.error = error
    }
    require(reader.damage.count <= 100, "complaints do not fill memory")
    reading.isIntact = reader.isIntact
    return reading
  }

  private func checkPlace(_ item: MCAPItem) {
    guard let offset = item.offset else { return }
    require(offset >= MCAP.magic.count && item.length >= MCAP.recordHeaderByteCount, "a record lies behind the magic")
    require(offset + item.length <= bytes.count, "a record lies in the file")
    require(bytes[offset] == item.opcode, "a record lies where it is said to")
  }

  private func checkSummary(_ reading: Reading) {
    var source = WatchedSource(bytes, knowsByteCount: true)
    do throws(RetakeError) {
      let summary = try MCAPSummary(of: &source, byteCountLimit: Self.recordByteCountLimit)
      guard reading.error == nil, summary.footer.summaryStart != 0 else { return }
      require(summary.chunkIndexes.count == reading.indexCount, "the summary is what lies at the file's end")
    } catch {
      require(error.code == .corrupt || error.code == .unsupported, "a damaged summary is called so, not \(error)")
    }
  }
}

/// Fails when a reader asks for more memory than the file has bytes.
private struct WatchedSource: ByteSource {
  /// The most that a reader may request at once from a source of unknown length.
  private static let blindByteCountLimit = 1 << 20
  private var memory: MemorySource
  private let knowsByteCount: Bool

  init(_ bytes: [UInt8], knowsByteCount: Bool) {
    memory = MemorySource(bytes)
    self.knowsByteCount = knowsByteCount
  }

  var byteCount: Int? { knowsByteCount ? memory.byteCount : nil }

  mutating func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int {
    let limit = knowsByteCount ? memory.bytes.count : Self.blindByteCountLimit
    require(offset >= 0 && buffer.count <= limit, "a reader takes no more memory than the file has bytes")
    return try memory.read(at: offset, into: buffer)
  }
}
