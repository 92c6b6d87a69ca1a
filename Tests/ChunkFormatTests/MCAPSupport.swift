import ChunkFormat
import Foundation
import FrameModel
import TestSupport

/// A record as the conformance suite's JSON spells it: every number a string.
struct RecordText: Hashable, Decodable {
  enum Value: Hashable, Decodable {
    case text(String)
    case list([String])
    case map([String: String])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let list = try? value.decode([String].self) {
        self = .list(list)
      } else {
        self = .map(try value.decode([String: String].self))
      }
    }

    init<Number: FixedWidthInteger>(_ number: Number) { self = .text("\(number)") }
    init(_ bytes: some Sequence<UInt8>) { self = .list(bytes.map { "\($0)" }) }
    init(_ entries: [StreamDescription.Setting]) {
      self = .map(Dictionary(entries.map { ($0.name, $0.value) }) { $1 })
    }
    init<Key: FixedWidthInteger, Number: FixedWidthInteger>(_ entries: [(Key, Number)]) {
      self = .map(Dictionary(entries.map { ("\($0)", "\($1)") }) { $1 })
    }
  }

  var type: String
  var fields: [String: Value]

  private enum Key: CodingKey { case type, fields }

  init(_ type: String, _ fields: [String: Value]) {
    self.type = type
    self.fields = fields
  }

  init(from decoder: any Decoder) throws {
    let record = try decoder.container(keyedBy: Key.self)
    type = try record.decode(String.self, forKey: .type)
    fields = [:]
    var list = try record.nestedUnkeyedContainer(forKey: .fields)
    while !list.isAtEnd {
      var pair = try list.nestedUnkeyedContainer()
      fields[try pair.decode(String.self)] = try pair.decode(Value.self)
    }
  }

  /// The records that lie in a JSON file.
  static func load(_ path: String) throws -> [RecordText] {
    struct File: Decodable { var records: [RecordText] }
    return try JSONDecoder().decode(File.self, from: Data(contentsOf: URL(fileURLWithPath: path))).records
  }

  /// All records of a file but chunks, message indexes and unknown ones, which the suite does not list.
  static func read(_ bytes: [UInt8]) throws -> [RecordText] {
    var texts: [RecordText] = []
    try MCAPRecordReader(MemorySource(bytes)).readAll { item in
      if let text = RecordText(item.record) { texts.append(text) }
    }
    return texts
  }
}

extension RecordText {
  init?(_ record: MCAPRecord) {
    switch record {
    case .header(let header):
      self.init("Header", ["library": .text(header.library), "profile": .text(header.profile)])
    case .schema(let schema):
      self.init(
        "Schema",
        [
          "id": .init(schema.id), "name": .text(schema.name), "encoding": .text(schema.encoding),
          "data": .init(schema.data),
        ])
    case .channel(let channel):
      self.init(
        "Channel",
        [
          "id": .init(channel.id), "schema_id": .init(channel.schema), "topic": .text(channel.topic),
          "message_encoding": .text(channel.messageEncoding), "metadata": .init(channel.metadata),
        ])
    case .message(let message):
      self.init(
        "Message",
        [
          "channel_id": .init(message.channel), "sequence": .init(message.sequence),
          "log_time": .init(message.logTime), "publish_time": .init(message.publishTime),
          "data": .init(message.data),
        ])
    case .attachment(let attachment):
      self.init(
        "Attachment",
        [
          "log_time": .init(attachment.logTime), "create_time": .init(attachment.createTime),
          "name": .text(attachment.name), "media_type": .text(attachment.mediaType),
          "data": .init(attachment.data),
        ])
    case .metadata(let metadata):
      self.init("Metadata", ["name": .text(metadata.name), "metadata": .init(metadata.entries)])
    case .dataEnd(let end): self.init("DataEnd", ["data_section_crc": .init(end.dataCRC)])
    case .footer(let footer):
      self.init(
        "Footer",
        [
          "summary_start": .init(footer.summaryStart),
          "summary_offset_start": .init(footer.summaryOffsetStart), "summary_crc": .init(footer.summaryCRC),
        ])
    default: self.init(ofSummary: record)
    }
  }

  private init?(ofSummary record: MCAPRecord) {
    switch record {
    case .statistics(let statistics):
      self.init(
        "Statistics",
        [
          "message_count": .init(statistics.messageCount), "schema_count": .init(statistics.schemaCount),
          "channel_count": .init(statistics.channelCount),
          "attachment_count": .init(statistics.attachmentCount),
          "metadata_count": .init(statistics.metadataCount), "chunk_count": .init(statistics.chunkCount),
          "message_start_time": .init(statistics.startTime), "message_end_time": .init(statistics.endTime),
          "channel_message_counts": .init(statistics.messageCounts.map { ($0.channel, $0.count) }),
        ])
    case .chunkIndex(let index):
      self.init(
        "ChunkIndex",
        [
          "message_start_time": .init(index.startTime), "message_end_time": .init(index.endTime),
          "chunk_start_offset": .init(index.offset), "chunk_length": .init(index.length),
          "message_index_offsets": .init(index.messageIndexes.map { ($0.channel, $0.offset) }),
          "message_index_length": .init(index.messageIndexByteCount), "compression": .text(index.compression),
          "compressed_size": .init(index.compressedByteCount),
          "uncompressed_size": .init(index.uncompressedByteCount),
        ])
    case .attachmentIndex(let index):
      self.init(
        "AttachmentIndex",
        [
          "offset": .init(index.offset), "length": .init(index.length), "log_time": .init(index.logTime),
          "create_time": .init(index.createTime), "data_size": .init(index.dataByteCount),
          "name": .text(index.name), "media_type": .text(index.mediaType),
        ])
    case .metadataIndex(let index):
      self.init(
        "MetadataIndex",
        ["offset": .init(index.offset), "length": .init(index.length), "name": .text(index.name)])
    case .summaryOffset(let offset):
      self.init(
        "SummaryOffset",
        [
          "group_opcode": .init(offset.groupOpcode), "group_start": .init(offset.groupStart),
          "group_length": .init(offset.groupLength),
        ])
    default: return nil
    }
  }
}

/// PyPI's mcap, to compare with.
enum ReferenceMCAP {
  /// Writes files under many options into a folder.
  static func write(to folder: String) throws { try run(writer, folder) }

  /// Writes what its reader finds in each file of a folder beside it, as the conformance suite spells it. All
  /// CRCs that it can check are checked.
  static func describe(_ folder: String) throws { try run(reader, folder) }

  private static func run(_ script: String, _ folder: String) throws {
    let child = try ChildProcess.run(try Checkout.python, ["-c", script, folder])
    guard child.status == 0 else { throw ChildProcess.Missing(description: child.errors) }
  }

  private static let writer = """
    import sys
    from mcap.writer import Writer, CompressionType, IndexType
    switches = ["use_chunking", "repeat_channels", "repeat_schemas", "use_statistics", "use_summary_offsets"]
    for compression in [CompressionType.NONE, CompressionType.ZSTD]:
      for index in [IndexType.ALL, IndexType.NONE]:
        for off in [None] + switches:
          name = f"{compression.name}-{index.name}-{off}"
          options = {} if off is None else {off: False}
          w = Writer(f"{sys.argv[1]}/{name}.mcap", chunk_size=500, compression=compression, index_types=index,
            enable_data_crcs=True, **options)
          w.start("profile", "library")
          schema = w.register_schema("Name", "protobuf", bytes(range(256)))
          a = w.register_channel("/a", "protobuf", schema, {"key": "value", "b": "", "a": "\\u00fc"})
          b = w.register_channel("/b", "json", 0)
          for n in range(40):
            w.add_message(a if n % 3 else b, log_time=1000 - n, publish_time=2**64 - 1 - n, sequence=n,
              data=bytes([n]) * (n * 7))
            if n == 20:
              w.add_attachment(5, 6, "file.bin", "application/octet-stream", bytes(1000))
              w.add_metadata("meta", {"x": "1", "y": "2"})
          w.finish()
    """

  private static let reader = """
    import dataclasses, glob, json, sys
    from mcap.stream_reader import StreamReader
    def text(value):
      if isinstance(value, bytes): return [str(b) for b in value]
      if isinstance(value, dict): return {str(k): str(v) for k, v in value.items()}
      return str(value)
    for path in glob.glob(sys.argv[1] + "/*.mcap"):
      with open(path, "rb") as file:
        records = [{"type": type(r).__name__,
          "fields": [[f.name, text(getattr(r, f.name))] for f in dataclasses.fields(r)]}
          for r in StreamReader(file, validate_crcs=True).records if type(r).__name__ != "MessageIndex"]
      with open(path[:-5] + ".json", "w") as out: json.dump({"records": records}, out)
    """
}

enum TestFiles {
  static func names(in folder: String, ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) }.sorted()
      .map { String($0.dropLast(ending.count)) }
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
