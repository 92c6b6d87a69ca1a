import Foundation
import RecordingStore
import Support

/// Names recordings by the time of their begin.
enum RecordingName {
  /// Makes the folder "FOLDER/2026-01-31-120000.retake", with a number behind the time where that exists already.
  static func claimed(in folder: String, isSplit: Bool = false, isShared: Bool) throws(RetakeError) -> RecordingFolder {
    try RecordingFolder.claimed(named: "\(folder)/\(timeText)", isSplit: isSplit, isShared: isShared)
  }

  private static var timeText: String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd-HHmmss"
    return formatter.string(from: Date())
  }
}
