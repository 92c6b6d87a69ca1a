import Foundation
import Glibc
import RecordingStore
import Support

/// Recordings as a table that fits a terminal.
struct RecordingTable {
  private static let head = [
    "RECORDING", "STARTED", "LENGTH", "STREAMS", "LOST", "MARKS", "FACES", "SIZE", "STATE", "TAGS",
  ]
  /// Columns that may be cut, and the width that each keeps.
  private static let flexible = [0: 28, 3: 12, 9: 8]
  /// Columns that a narrow terminal goes without: faces, streams, marks, the start, tags, what is lost.
  private static let leastWanted = [6, 3, 5, 1, 9, 4]

  let text: String
  /// Names of the columns that the text goes without, since the terminal is too narrow.
  let leftOut: [String]

  /// - Parameter columns: the terminal's width; nil cuts nothing.
  init(_ entries: [CatalogueEntry], columns: Int?) {
    let all = [Self.head] + entries.map(Self.row)
    guard let columns else {
      (text, leftOut) = (Format.table(all).printable, [])
      return
    }
    let rows = all.map { $0.map(\.printable) }
    var widths = Self.head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var shown = Self.head.indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
    func sum(_ width: (Int) -> Int) -> Int { shown.reduce(2 * (shown.count - 1)) { $0 + width($1) } }
    var leftOut: [String] = []
    for column in Self.leastWanted where shown.contains(column) {
      guard sum({ min(widths[$0], Self.flexible[$0] ?? widths[$0]) }) > columns else { break }
      shown.removeAll { $0 == column }
      leftOut.append(Self.head[column])
    }
    // The widest column that can be cut gives way, character by character.
    while sum({ widths[$0] }) > columns,
      let widest = Self.flexible.filter({ shown.contains($0.key) && widths[$0.key] > $0.value }).max(by: {
        (widths[$0.key], $1.key) < (widths[$1.key], $0.key)
      })
    {
      widths[widest.key] -= 1
    }
    self.leftOut = leftOut
    text = Format.table(
      rows.map { row in
        shown.map { column in
          let cell = row[column]
          guard cell.count > widths[column] else { return cell }
          // The end of a path says more than its beginning.
          return column == 0 ? "…" + cell.suffix(widths[0] - 1) : cell.prefix(widths[column] - 1) + "…"
        }
      })
  }

  private static func row(_ entry: CatalogueEntry) -> [String] {
    let isKnown = !entry.id.isEmpty
    func known(_ text: String) -> String { isKnown ? text : "-" }
    return [
      entry.path.withoutLineFeeds, entry.startNanoseconds == 0 ? "-" : time(entry.startNanoseconds, "%Y-%m-%d %H:%M"),
      known(length(entry.durationNanoseconds)),
      entry.streams.map { "\($0.name) \($0.width)x\($0.height)" }.joined(separator: ", "),
      known("\(entry.lossCount)"), known("\(entry.marks.count)"), known("\(entry.faceFrameCount)"),
      known(Format.bytes(entry.byteCount)), entry.state.rawValue,
      entry.tags.tags.map(\.text).joined(separator: ", "),
    ]
  }

  /// "8.4 s", "12:05" or "2:03:20".
  private static func length(_ nanoseconds: Int64) -> String {
    let seconds = Int(nanoseconds / 1_000_000_000)
    switch seconds {
    case ..<60: return Format.seconds(Double(nanoseconds) / 1e9)
    case ..<3600: return "\(seconds / 60):\((seconds % 60).zeroPadded(2))"
    default: return "\(seconds / 3600):\((seconds / 60 % 60).zeroPadded(2)):\((seconds % 60).zeroPadded(2))"
    }
  }

  /// In local time.
  private static func time(_ nanoseconds: Int64, _ format: String) -> String {
    var seconds = time_t(nanoseconds / 1_000_000_000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "-" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// "12 recordings, 3:05:00, 14.2 GB", and those that are gone.
  static func sum(_ all: [CatalogueEntry]) -> String {
    let entries = all.filter { $0.state != .gone }
    let goneCount = all.count - entries.count
    let gone = goneCount == 0 ? "" : "; \(goneCount) gone, which 'retake list --forget-gone' forgets"
    let duration = entries.reduce(Int64(0)) { $0 &+ $1.durationNanoseconds }
    let bytes = entries.reduce(0) { $0 &+ $1.byteCount }
    return "\(Format.counted(entries.count, "recording")), \(length(duration)), \(Format.bytes(bytes))\(gone)"
  }
}

extension CatalogueEntry {
  var json: JSONObject {
    JSONObject([
      "path": path, "state": state.rawValue, "problem": problem.isEmpty ? nil : problem, "id": id,
      "wall_clock_ns": startNanoseconds == 0 ? nil : Int(startNanoseconds),
      "duration_seconds": Double(durationNanoseconds) / 1e9, "frame_sets": frameSetCount, "lost_frames": lossCount,
      "events": eventCount, "frames_with_face": faceFrameCount, "stored_bytes": byteCount,
      "streams": streams.map {
        JSONObject([
          "name": $0.name, "format": $0.format, "width": $0.width, "height": $0.height, "frames": $0.frameCount,
        ])
      },
      "marks": marks, "tags": JSONObject(pairs: tags.tags.map { ($0.name, $0.value) }), "note": tags.note,
    ])
  }
}
