import Foundation
import Glibc
import RecordingStore

/// Names recordings by the time of their begin.
enum RecordingName {
  /// "FOLDER/2026-01-31-120000.retake".
  static func now(in folder: String) -> String { "\(folder)/\(timeText)\(RecordingFolder.suffix)" }

  /// As `now(in:)`, with a number behind it where that exists already.
  static func unused(in folder: String) -> String {
    let name = "\(folder)/\(timeText)"
    let endings = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? "" : "-\($0)" }
    let ending = endings.first { access(name + $0 + RecordingFolder.suffix, F_OK) != 0 } ?? ""
    return name + ending + RecordingFolder.suffix
  }

  private static var timeText: String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd-HHmmss"
    return formatter.string(from: Date())
  }
}
