import Support

/// Any record of an MCAP file. Data of messages, chunks, attachments and unknown records points
/// into the decoded bytes.
package enum MCAPRecord {
  case header(MCAPHeader)
  case footer(MCAPFooter)
  case schema(MCAPSchema)
  case channel(MCAPChannel)
  case message(MCAPMessage)
  case chunk(MCAPChunk)
  case messageIndex(MCAPMessageIndex)
  case chunkIndex(MCAPChunkIndex)
  case attachment(MCAPAttachment)
  case attachmentIndex(MCAPAttachmentIndex)
  case statistics(MCAPStatistics)
  case metadata(MCAPMetadata)
  case metadataIndex(MCAPMetadataIndex)
  case summaryOffset(MCAPSummaryOffset)
  case dataEnd(MCAPDataEnd)
  /// Of a later version, or private (0x80 and above).
  case unknown(MCAPUnknownRecord)

  /// - Parameter contents: the record's bytes after its length.
  /// - Throws: `.corrupt` when a field is cut short, `.unsupported` for an oversized map.
  static func decode(opcode: UInt8, _ contents: UnsafeRawBufferPointer) throws(RetakeError) -> MCAPRecord {
    var reader = ByteReader(contents)
    switch MCAP.Opcode(rawValue: opcode) {
    case .header: return .header(try MCAPHeader(from: &reader))
    case .footer: return .footer(try MCAPFooter(from: &reader))
    case .schema: return .schema(try MCAPSchema(from: &reader))
    case .channel: return .channel(try MCAPChannel(from: &reader))
    case .message: return .message(try MCAPMessage(from: &reader))
    case .chunk: return .chunk(try MCAPChunk(from: &reader))
    case .messageIndex: return .messageIndex(try MCAPMessageIndex(from: &reader))
    case .chunkIndex: return .chunkIndex(try MCAPChunkIndex(from: &reader))
    case .attachment: return .attachment(try MCAPAttachment(from: &reader))
    case .attachmentIndex: return .attachmentIndex(try MCAPAttachmentIndex(from: &reader))
    case .statistics: return .statistics(try MCAPStatistics(from: &reader))
    case .metadata: return .metadata(try MCAPMetadata(from: &reader))
    case .metadataIndex: return .metadataIndex(try MCAPMetadataIndex(from: &reader))
    case .summaryOffset: return .summaryOffset(try MCAPSummaryOffset(from: &reader))
    case .dataEnd: return .dataEnd(try MCAPDataEnd(from: &reader))
    case nil: return .unknown(MCAPUnknownRecord(opcode: opcode, data: contents))
    }
  }

  /// The record's name in error messages.
  static func name(_ opcode: UInt8) -> String {
    switch MCAP.Opcode(rawValue: opcode) {
    case .header: "header"
    case .footer: "footer"
    case .schema: "schema"
    case .channel: "channel"
    case .message: "message"
    case .chunk: "chunk"
    case .messageIndex: "message index"
    case .chunkIndex: "chunk index"
    case .attachment: "attachment"
    case .attachmentIndex: "attachment index"
    case .statistics: "statistics record"
    case .metadata: "metadata record"
    case .metadataIndex: "metadata index"
    case .summaryOffset: "summary offset"
    case .dataEnd: "data end"
    case nil: "record of unknown kind \(opcode)"
    }
  }
}

package struct MCAPUnknownRecord {
  package var opcode: UInt8
  package var data: UnsafeRawBufferPointer
}
