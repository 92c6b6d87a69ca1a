import ChunkFormat
import FrameModel
import Glibc
import Kernels
import Support
import TestSupport
import Testing

@Suite struct MCAPDamageTests {
  private struct Found: Equatable {
    var offset: Int
    var length: Int
    var data: [UInt8]
    var isSuspect: Bool
  }

  /// One of our own chunk files, with several small chunks and the places of its frames.
  private func chunkFile() throws -> (bytes: [UInt8], places: [MessagePlace]) {
    let sink = MemorySink()
    let stream = try TestFrames.stream("depth", .depth, FrameLayout(.depthMillimeters16, width: 5, height: 3))
    let identity = RecordingIdentity(
      id: "id", wallClockNanoseconds: 1, monotonicOrigin: MonotonicTime(nanoseconds: 2))
    var writer = try ChunkFileWriter(to: sink, identity: identity, streams: [stream], fileNumber: 0)
    var places: [MessagePlace] = []
    for number in 0..<7 {
      let buffer = TestFrames.buffer(stream.layout, seed: UInt64(number))
      defer { withExtendedLifetime(buffer) {} }
      let message = FrameMessage(
        number: number, layout: stream.layout, byteCount: buffer.byteCount, deviceSequence: nil,
        timestamps: FrameTimestamps(
          deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0),
          presentation: PresentationTime(nanoseconds: Int64(number))),
        flags: [], codec: .raw, checksum: Checksum.xxh3(buffer.bytes))
      places.append(try writer.append(message, payload: buffer.bytes, stream: 0))
      if number % 3 == 2 { try writer.flush() }
    }
    try writer.finish()
    return (sink.bytes, places)
  }

  private func lenient(_ bytes: [UInt8]) throws -> (
    messages: [Found], chunks: [Range<Int>], reader: MCAPRecordReader<MemorySource>
  ) {
    let reader = MCAPRecordReader(MemorySource(bytes), MCAPReaderOptions(isLenient: true))
    var messages: [Found] = []
    var chunks: [Range<Int>] = []
    try reader.readAll { item throws(RetakeError) in
      guard let offset = item.offset else { return }
      if case .chunk = item.record { chunks.append(offset..<offset + item.length) }
      guard case .message(let message) = item.record else { return }
      messages.append(
        Found(offset: offset, length: item.length, data: Array(message.data), isSuspect: item.isSuspect))
    }
    return (messages, chunks, reader)
  }

  /// Bytes of which the disk refuses some reads.
  private struct FailingSource: ByteSource {
    var memory: MemorySource
    var readsUntilFailure: Int
    var byteCount: Int? { memory.byteCount }

    mutating func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int {
      readsUntilFailure -= 1
      guard readsUntilFailure >= 0 else { throw FileBytes.failure("read", "a file", errno: EIO) }
      return try memory.read(at: offset, into: buffer)
    }
  }

  @Test func `a read that fails is no damage: a lenient reader passes it on too`() throws {
    let (bytes, _) = try chunkFile()
    var readCount = 0
    for limit in 0..<1000 {
      var options = MCAPReaderOptions(isLenient: true)
      options.searchesChunks = true
      let source = FailingSource(memory: MemorySource(bytes), readsUntilFailure: limit)
      let reader = MCAPRecordReader(source, options)
      do throws(RetakeError) {
        try reader.readAll { _ in }
        readCount = limit
        break
      } catch {
        #expect(error.code == .inputOutput && reader.damageCount == 0, "read \(limit)")
      }
    }
    #expect(readCount > 10)
  }

  private func strictError(_ bytes: [UInt8]) -> RetakeError? {
    do throws(RetakeError) {
      try MCAPRecordReader(MemorySource(bytes)).readAll { _ in }
      return nil
    } catch {
      return error
    }
  }

  @Test func `the reader finds each frame where the writer put it`() throws {
    let (bytes, places) = try chunkFile()
    let (messages, chunks, reader) = try lenient(bytes)
    #expect(messages.map { MessagePlace(offset: $0.offset, length: $0.length) } == places)
    #expect(chunks.count == 3)
    #expect(reader.isIntact)
    #expect(strictError(bytes) == nil)
  }

  @Test func `wherever a file is cut, every whole message before the cut is found`() throws {
    let (bytes, _) = try chunkFile()
    let all = try lenient(bytes).messages
    for length in Sample.of(0..<bytes.count, count: 400) {
      let cut = Array(bytes[..<length])
      let (messages, _, reader) = try lenient(cut)
      let whole = all.filter { $0.offset + $0.length <= length }
      #expect(messages.map(\.data) == whole.map(\.data), "\(length)")
      let stop = try #require(reader.stop)
      #expect(stop.offset <= length && !stop.error.message.isEmpty)
      #expect(strictError(cut) != nil, "\(length)")
      var source = MemorySource(cut)
      #expect(throws: RetakeError.self) { try MCAPSummary(of: &source) }
    }
  }

  @Test func `wherever a byte is changed, a strict reader notices and no reader crashes`() throws {
    let (bytes, _) = try chunkFile()
    let (all, chunks, _) = try lenient(bytes)
    for position in Sample.of(bytes.indices, count: 400) {
      for change: UInt8 in [0x01, 0x80, 0xFF] {
        var changed = bytes
        changed[position] ^= change
        #expect(strictError(changed) != nil, "byte \(position)")
        let (messages, _, reader) = try lenient(changed)
        #expect(!reader.isIntact, "byte \(position)")
        var source = MemorySource(changed)
        _ = try? MCAPSummary(of: &source)
        // In a chunk's records: its CRC tells, and the other chunks' messages are all there.
        let place = chunks.first { $0.contains(position) }
        guard let place, position >= place.lowerBound + MCAPChunk.uncompressedHeadByteCount else { continue }
        let others = all.filter { !place.contains($0.offset) }
        #expect(messages.filter { !place.contains($0.offset) } == others, "byte \(position)")
        #expect(messages.allSatisfy { $0.isSuspect == place.contains($0.offset) })
        let first = try #require(reader.damage.first)
        #expect(first.offset == place.lowerBound && first.error.message.contains("CRC"), "\(first)")
      }
    }
  }

  @Test func `compressed files with changed or missing bytes never crash and are noticed`() throws {
    let sink = MemorySink()
    var options = MCAPWriterOptions()
    options.compression = .zstd
    options.chunkByteCountTarget = 200
    var writer = try MCAPWriter(to: sink, header: MCAPHeader(profile: "", library: ""), options: options)
    try writer.add(MCAPChannel(id: 0, schema: 0, topic: "t", messageEncoding: "", metadata: []))
    for number in 0..<8 {
      let data = TestBytes((0..<60).map { UInt8($0 / 9 + number) })
      try data.read {
        let data = $0
        _ = try writer.append(channel: 0, sequence: UInt32(number), logTime: 1, publishTime: 1) { $0.append(data) }
      }
    }
    try writer.finish()
    #expect(strictError(sink.bytes) == nil)
    for position in Sample.of(sink.bytes.indices, count: 200) {
      for change: UInt8 in [0x01, 0x80, 0xFF] {
        var changed = sink.bytes
        changed[position] ^= change
        #expect(strictError(changed) != nil, "byte \(position)")
        _ = try lenient(changed)
      }
      #expect(strictError(Array(sink.bytes[..<position])) != nil)
      #expect(try lenient(Array(sink.bytes[..<position])).reader.stop != nil)
    }
  }
}
