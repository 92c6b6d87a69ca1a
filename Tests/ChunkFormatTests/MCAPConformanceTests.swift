import ChunkFormat
import Foundation
import FrameModel
import TestSupport
import Testing

@Suite struct MCAPConformanceTests {
  /// Compares each NAME.mcap of a folder with its NAME.json, and with its own summary.
  private func compareFiles(in folder: String) throws -> Int {
    let names = try TestFiles.names(in: folder, ending: ".mcap")
    for name in names {
      let bytes = try TestFiles.bytes("\(folder)/\(name).mcap")
      let records = try RecordText.read(bytes)
      #expect(try records == RecordText.load("\(folder)/\(name).json"), "\(name)")
      try compareSummary(bytes, name)
    }
    return names.count
  }

  private func compareSummary(_ bytes: [UInt8], _ name: String) throws {
    var source = MemorySource(bytes)
    let summary = try MCAPSummary(of: &source)
    var texts: [RecordText] = []
    try MCAPRecordReader(source).readAll { item in
      if item.isInSummary, let text = RecordText(item.record) { texts.append(text) }
    }
    var found = summary.schemas.map(MCAPRecord.schema) + summary.channels.map(MCAPRecord.channel)
    if let statistics = summary.statistics { found.append(.statistics(statistics)) }
    found += summary.chunkIndexes.map(MCAPRecord.chunkIndex)
    found += summary.attachmentIndexes.map(MCAPRecord.attachmentIndex)
    found += summary.metadataIndexes.map(MCAPRecord.metadataIndex)
    found += summary.summaryOffsets.map(MCAPRecord.summaryOffset) + [.footer(summary.footer)]
    #expect(Set(found.compactMap(RecordText.init)) == Set(texts), "\(name)")
    #expect(found.count == texts.count, "\(name)")
  }

  @Test(.enabled(if: Checkout.hasFixture("mcap-conformance"), "needs ../shared/fixtures, which a clone lacks"))
  func `every file of the conformance suite reads to the records that the suite lists`() throws {
    let folder = Checkout.fixture("mcap-conformance")
    #expect(try compareFiles(in: folder) == 292)
  }

  @Test(.enabled(if: Checkout.hasFixture("mcap-conformance"), "needs ../shared/fixtures, which a clone lacks"))
  func `files of the conformance suite with everything in them are written byte for byte`() throws {
    let folder = Checkout.fixture("mcap-conformance")
    let names = try TestFiles.names(in: folder, ending: ".mcap")
    // The writer has no option to leave out indexes, repetitions, statistics or offsets, so each kind of contents
    // matches the files with the most of them.
    let features = names.map { Set($0.split(separator: "-").dropFirst()) }
    let full = names.indices.filter { own in
      !features[own].contains("pad")
        && !names.indices.contains {
          names[$0].prefix { $0 != "-" } == names[own].prefix { $0 != "-" }
            && features[$0].contains("ch") == features[own].contains("ch") && !features[$0].contains("pad")
            && features[$0].isStrictSuperset(of: features[own])
        }
    }
    #expect(full.count >= 9)
    for (name, features) in full.map({ (names[$0], features[$0]) }) {
      let records = try RecordText.load("\(folder)/\(name).json")
      let written = try write(records, isChunked: features.contains("ch"))
      #expect(try written == TestFiles.bytes("\(folder)/\(name).mcap"), "\(name)")
    }
  }

  private func write(_ records: [RecordText], isChunked: Bool) throws -> [UInt8] {
    var options = MCAPWriterOptions()
    options.chunkByteCountTarget = isChunked ? 1 << 20 : nil
    let sink = MemorySink()
    var writer = try MCAPWriter(to: sink, header: MCAPHeader(profile: "", library: ""), options: options)
    for record in records {
      if record.type == "DataEnd" { break }
      try add(record, to: &writer)
    }
    try writer.finish()
    return sink.bytes
  }

  private func add(_ record: RecordText, to writer: inout MCAPWriter<MemorySink>) throws {
    func text(_ name: String) -> String {
      guard case .text(let text) = record.fields[name] else { return "" }
      return text
    }
    func number<Number: FixedWidthInteger>(_ name: String) throws -> Number {
      try #require(Number(text(name)))
    }
    func data() throws -> [UInt8] {
      guard case .list(let list) = record.fields["data"] else { return [] }
      return try list.map { try #require(UInt8($0)) }
    }
    func metadata() -> [StreamDescription.Setting] {
      guard case .map(let map) = record.fields["metadata"] else { return [] }
      return map.map { .init($0, $1) }.sorted { $0.name < $1.name }
    }
    let bytes = TestBytes(try data())
    defer { withExtendedLifetime(bytes) {} }
    switch record.type {
    case "Schema":
      try writer.add(
        MCAPSchema(id: number("id"), name: text("name"), encoding: text("encoding"), data: data()))
    case "Channel":
      try writer.add(
        MCAPChannel(
          id: number("id"), schema: number("schema_id"), topic: text("topic"),
          messageEncoding: text("message_encoding"), metadata: metadata()))
    case "Message":
      _ = try writer.append(
        channel: number("channel_id"), sequence: number("sequence"), logTime: number("log_time"),
        publishTime: number("publish_time")
      ) { $0.append(bytes.pointer) }
    case "Attachment":
      try writer.add(
        MCAPAttachment(
          logTime: number("log_time"), createTime: number("create_time"), name: text("name"),
          mediaType: text("media_type"), data: bytes.pointer))
    case "Metadata": try writer.add(MCAPMetadata(name: text("name"), entries: metadata()))
    default: #expect(record.type == "Header")
    }
  }

  @Test func `files of other writers read to the records that their own reader finds`() throws {
    let folder = try TemporaryFolder()
    try ReferenceMCAP.write(to: folder.path)
    try ReferenceMCAP.describe(folder.path)
    #expect(try compareFiles(in: folder.path) == 24)
    let zstd = try TestFiles.bytes(folder.path("ZSTD-ALL-None.mcap"))
    #expect(try RecordText.read(zstd).count { $0.type == "Message" } == 40)
  }

  @Test(.enabled(if: Checkout.hasFixture("ros2-mcap"), "needs ../shared/fixtures, which a clone lacks"))
  func `recordings of ROS 2 are read whole`() throws {
    let folder = Checkout.fixture("ros2-mcap")
    let names = try TestFiles.names(in: folder, ending: ".mcap")
    try #require(!names.isEmpty)
    for name in names {
      let bytes = try TestFiles.bytes("\(folder)/\(name).mcap")
      var source = MemorySource(bytes)
      let statistics = try #require(try MCAPSummary(of: &source).statistics)
      let messages = try RecordText.read(bytes).count { $0.type == "Message" }
      #expect(messages == Int(statistics.messageCount) && messages > 0, "\(name)")
    }
  }

  @Test func `whatever its options, a written file reads back the same here and in PyPI's mcap`() throws {
    let folder = try TemporaryFolder()
    for chunking in [nil, 1, 300, 1 << 20] {
      for compression in [MCAPWriterOptions.Compression.none, .zstd] {
        for declaresInChunks in [true, false] {
          var options = MCAPWriterOptions()
          options.chunkByteCountTarget = chunking
          options.compression = compression
          options.declaresInChunks = declaresInChunks
          let bytes = try writeEverything(options)
          let name = "\(chunking ?? 0)-\(compression)-\(declaresInChunks).mcap"
          try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        }
      }
    }
    try ReferenceMCAP.describe(folder.path)
    #expect(try compareFiles(in: folder.path) == 16)
  }

  private func writeEverything(_ options: MCAPWriterOptions) throws -> [UInt8] {
    let sink = MemorySink()
    var writer = try MCAPWriter(to: sink, header: MCAPHeader(profile: "p", library: "ü"), options: options)
    try writer.add(MCAPSchema(id: 9, name: "S", encoding: "jsonschema", data: Array("{}".utf8)))
    try writer.add(MCAPChannel(id: 4, schema: 9, topic: "/t", messageEncoding: "json", metadata: []))
    let bytes = TestBytes((0..<500).map { UInt8(truncatingIfNeeded: $0 / 3) })
    defer { withExtendedLifetime(bytes) {} }
    for number in 0..<10 {
      if number == 5 {
        try writer.add(
          MCAPChannel(id: 2, schema: 0, topic: "/u", messageEncoding: "", metadata: [.init("a", "b")]))
        try writer.add(MCAPMetadata(name: "m", entries: [.init("z", "1"), .init("a", "2")]))
        try writer.add(
          MCAPAttachment(logTime: 1, createTime: 2, name: "n", mediaType: "text/plain", data: bytes.pointer))
      }
      _ = try writer.append(
        channel: number < 5 ? 4 : 2, sequence: UInt32(number), logTime: UInt64(100 - number), publishTime: 7
      ) { $0.append(UnsafeRawBufferPointer(rebasing: bytes.pointer[..<(number * 50)])) }
    }
    try writer.finish()
    return sink.bytes
  }
}
