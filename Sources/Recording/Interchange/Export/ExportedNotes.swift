import ChunkFormat
import FrameModel
import RecordingStore
import Support

/// What an exported MCAP file says of a recording besides its frames: metadata records `retake.tags` with the tags,
/// `retake.note` with the note, and `retake.marks` with the marks. Read back, they are a stranger's.
package struct ExportedNotes: Sendable {
  package private(set) var tags = RecordingTags()
  /// At times of the file.
  package private(set) var marks: [Mark] = []

  private static let tagRecord = "retake.tags"
  private static let noteRecord = "retake.note"
  private static let noteEntry = "text"
  private static let markRecord = "retake.marks"
  private static let markLimit = 10_000

  init() {}

  init(tags: RecordingTags, marks: [Mark]) { (self.tags, self.marks) = (tags, marks) }

  /// Each mark is an entry "0", "1", … of its nanoseconds, a space, and its label.
  var records: [MCAPMetadata] {
    let entries: [(name: String, entries: [StreamDescription.Setting])] = [
      (Self.tagRecord, tags.tags.map { .init($0.name, $0.value) }),
      (Self.noteRecord, tags.note.isEmpty ? [] : [.init(Self.noteEntry, tags.note)]),
      (Self.markRecord, marks.enumerated().map { .init("\($0)", "\($1.presentation.nanoseconds) \($1.label)") }),
    ]
    return entries.filter { !$0.entries.isEmpty }.map { MCAPMetadata(name: $0.name, entries: $0.entries) }
  }

  /// Takes what a record has; leaves out what no recording can hold.
  mutating func note(_ record: MCAPMetadata) {
    switch record.name {
    case Self.tagRecord:
      for entry in record.entries.prefix(RecordingTags.countLimit) { try? tags.set(entry.name, to: entry.value) }
    case Self.noteRecord:
      if let text = record.entries.first(where: { $0.name == Self.noteEntry }) { try? tags.setNote(text.value) }
    case Self.markRecord:
      for entry in record.entries.prefix(Self.markLimit - marks.count) {
        let words = entry.value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let nanoseconds = Int64(words[0]), nanoseconds.isPlausibleTime else { continue }
        let label = words.count > 1 ? String(words[1]) : ""
        guard let mark = try? Mark(label: label, presentation: PresentationTime(nanoseconds: nanoseconds)) else {
          continue
        }
        marks.append(mark)
      }
    default: break
    }
  }

  /// With the first picture's time as 0.
  func counted(from startNanoseconds: Int64) -> ExportedNotes {
    var notes = self
    for index in marks.indices { notes.marks[index].presentation.nanoseconds &-= startNanoseconds }
    return notes
  }

  /// Stores them in a recording that was made of the file.
  package func store(in folder: RecordingFolder) throws(RetakeError) {
    if !tags.isEmpty { try TagFile(folder).change { $0 = tags } }
    if !marks.isEmpty { try MarkEditor.add(marks, to: Recording(path: folder.path)) }
  }
}
