import FrameModel
import Kernels
import Support
import TestSupport

@testable import ChunkFormat

/// A chunk file with valid lengths and CRCs but arbitrary records, in any order. Mutating the bytes
/// of a file rarely yields one.
///
/// The input is a list of records: opcode, length (2 bytes), contents. A chunk contains a byte
/// whose lowest bit selects zstd, then another list of records. Data end and footer get valid CRCs
/// and offsets unless they have contents.
struct RecordsTarget: FuzzTarget {
  private let messages: MessageCheck

  init() throws(RetakeError) { messages = try MessageCheck() }

  func run(_ input: UnsafeRawBufferPointer) { FileCheck(Self.file(FuzzInput(input)), messages).run() }

  private static func file(_ input: FuzzInput) -> [UInt8] {
    var input = input
    var file = ByteWriter()
    file.append(MCAP.magic)
    var summaryStart = 0
    while !input.isAtEnd {
      let opcode = input.byte()
      let contents = input.take(input.word16())
      switch MCAP.Opcode(rawValue: opcode) {
      case .chunk: append(chunk: contents, to: &file)
      case .dataEnd where contents.isEmpty:
        file.append(MCAPDataEnd(dataCRC: file.withRawBytes { Checksum.crc32($0) }))
        summaryStart = file.count
      case .footer where contents.isEmpty:
        append(footerOf: summaryStart, to: &file)
        file.append(MCAP.magic)
      default: append(opcode, contents, to: &file)
      }
    }
    return file.bytes
  }

  private static func append(_ opcode: UInt8, _ contents: UnsafeRawBufferPointer, to file: inout ByteWriter) {
    file.append(opcode)
    file.append(fixed: UInt64(contents.count))
    file.append(contents)
  }

  private static func append(footerOf summaryStart: Int, to file: inout ByteWriter) {
    let start = summaryStart == file.count ? 0 : summaryStart
    file.append(MCAPFooter(summaryStart: UInt64(start), summaryOffsetStart: 0, summaryCRC: 0))
    let crcOffset = file.count - 4
    let crc = file.withRawBytes { Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[summaryStart..<crcOffset])) }
    file.replace(at: crcOffset, fixed: crc)
  }

  private static func append(chunk input: UnsafeRawBufferPointer, to file: inout ByteWriter) {
    var input = FuzzInput(input)
    let isCompressed = input.byte() & 1 == 1
    var records = ByteWriter()
    while !input.isAtEnd {
      let opcode = input.byte()
      append(opcode, input.take(input.word16()), to: &records)
    }
    let packed = isCompressed ? try? ZstdCompressor().compressed(records.bytes) : records.bytes
    let crc = records.withRawBytes { Checksum.crc32($0) }
    file.appendRecord(.chunk) {
      $0.append(fixed: UInt64(0))
      $0.append(fixed: UInt64(0))
      $0.append(fixed: UInt64(records.count))
      $0.append(fixed: crc)
      $0.append(prefixed: isCompressed ? "zstd" : "")
      $0.append(fixed: UInt64(packed?.count ?? 0))
      $0.append(packed ?? [])
    }
  }

  // MARK: Seeds

  func seeds() throws -> [[UInt8]] {
    try SeedFiles.all().map { file in
      var options = MCAPReaderOptions()
      options.opensChunks = false
      var list: [UInt8] = []
      try MCAPRecordReader(MemorySource(file), options).readAll { item throws(RetakeError) in
        switch item.record {
        case .chunk(let chunk):
          let unpacker = MCAPChunkUnpacker(byteCountLimit: 1 << 20)
          let records = Array(try unpacker.records(of: chunk))
          Self.append(item.opcode, [chunk.compression.isEmpty ? 0 : 1] + (try Self.listed(records)), to: &list)
        case .dataEnd, .footer: Self.append(item.opcode, [], to: &list)
        default:
          guard let offset = item.offset else { return }
          Self.append(item.opcode, file[offset..<offset + item.length].dropFirst(9), to: &list)
        }
      }
      return list
    }
  }

  private static func listed(_ records: [UInt8]) throws(RetakeError) -> [UInt8] {
    try records.withRawBytes { bytes throws(RetakeError) in
      var list: [UInt8] = []
      var reader = ByteReader(bytes)
      while !reader.isAtEnd {
        let opcode = try reader.fixed(UInt8.self)
        append(opcode, try reader.take(try reader.fixed(UInt64.self)), to: &list)
      }
      return list
    }
  }

  private static func append(_ opcode: UInt8, _ contents: some Collection<UInt8>, to list: inout [UInt8]) {
    list += [opcode, UInt8(contents.count & 0xFF), UInt8(contents.count >> 8)]
    list += contents
  }
}
