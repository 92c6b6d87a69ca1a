import GRDB

/// An entry as a row of the catalogue. Lists are lines of fields with tabs between them.
extension CatalogueEntry {
  static let columns = """
    path, state, problem, id, start_ns, duration_ns, frame_sets, first_number, events, drops, mark_count, face_frames,
    byte_count, streams, marks, tags, note
    """

  func arguments(stamp: Int64) -> StatementArguments {
    [
      path, stamp, state.rawValue, problem, id, startNanoseconds, durationNanoseconds, frameSetCount, firstNumber,
      eventCount, lossCount, marks.count, faceFrameCount, byteCount,
      streams.map { "\($0.name)\t\($0.format)\t\($0.width)\t\($0.height)\t\($0.frameCount)" }.joined(separator: "\n"),
      marks.joined(separator: "\n"), tags.tags.map { "\($0.name)\t\($0.value)" }.joined(separator: "\n"), tags.note,
    ]
  }

  init(_ row: Row) {
    self.init(path: row[0])
    state = State(rawValue: row[1]) ?? .damaged
    (problem, id) = (row[2], row[3])
    (startNanoseconds, durationNanoseconds, frameSetCount, firstNumber) = (row[4], row[5], row[6], row[7])
    (eventCount, lossCount, faceFrameCount, byteCount) = (row[8], row[9], row[11], row[12])
    let text: String = row[13]
    streams = Self.lines(text).map { line in
      let fields = line.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      guard fields.count == 5 else { return Stream(name: String(line), format: "", width: 0, height: 0, frameCount: 0) }
      func number(_ field: Int) -> Int { Int(Substring(fields[field])) ?? 0 }
      return Stream(
        name: String(Substring(fields[0])), format: String(Substring(fields[1])), width: number(2), height: number(3),
        frameCount: number(4))
    }
    // An empty text is no mark or one without a label.
    let markCount: Int = row[10]
    let labels: String = row[14]
    if markCount > 0 {
      marks = labels.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
        String(Substring($0))
      }
    }
    let words: String = row[15]
    for line in Self.lines(words) {
      let fields = line.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      try? tags.set(String(Substring(fields[0])), to: fields.count > 1 ? String(Substring(fields[1])) : "")
    }
    let note: String = row[16]
    if !note.isEmpty { try? tags.setNote(note) }
  }

  private static func lines(_ text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
  }
}
