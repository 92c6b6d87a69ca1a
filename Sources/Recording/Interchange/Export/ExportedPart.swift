import RecordingStore
import Support

/// What a recording may hold besides frames.
enum ExportedPart: String {
  case faces, marks, tags, note, alignment
  /// Counts of lost frames.
  case events
}

extension ExportFrames {
  /// Names in the report what the recording has and the format cannot hold.
  func leaveOutParts(except kept: Set<ExportedPart> = []) throws(RetakeError) {
    // Tags that cannot be read are none that are exported.
    let tags = try? recording.tags()
    let parts: [(ExportedPart, Bool)] = [
      (.faces, hasFaces), (.marks, !marks.isEmpty), (.tags, tags?.tags.isEmpty != true),
      (.note, tags?.note.isEmpty == false), (.alignment, try recording.alignment() != nil), (.events, hasLosses),
    ]
    report.leftOutStreams += parts.filter { $1 && !kept.contains($0) }.map(\.0.rawValue)
  }
}
