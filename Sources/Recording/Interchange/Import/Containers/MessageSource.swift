import Glibc
import RecordingStore
import Support

/// A recording of messages: one file, or the files of a split one. It is opened once for each pass.
struct MessageSource: Sendable {
  enum Format: Sendable {
    case mcap
    /// ROS 1, version 2.0.
    case bag
    /// ROS 2's SQLite storage.
    case database
  }

  struct File: Sendable {
    var path: String
    var format: Format
    /// Holds the temporary folder of a file that had to be copied or decompressed.
    var scratch: ScratchFolder?

    func open() throws(RetakeError) -> any MessageContainer {
      switch format {
      case .mcap: try MCAPContainer(path: path)
      case .bag: try BagFile(path: path)
      case .database: try MessageDatabase(path: path)
      }
    }
  }

  /// As the user gave it.
  var path: String
  /// "MCAP file", "ROS 1 bag" or "ROS 2 bag".
  var name: String
  var files: [File]
  /// Messages per topic of pictures, as metadata.yaml states them; empty without one.
  var topicCounts: [String: Int] = [:]
  /// Files that are missing or cut short.
  var damage: [RetakeError] = []
  /// What was read or tried to be; `files` may be copies.
  var takenPaths: [String] = []

  var byteCount: Int {
    files.reduce(0) { sum, file in
      var status = stat()
      return sum + (stat(file.path, &status) == 0 ? Int(status.st_size) : 0)
    }
  }

  func open() throws(RetakeError) -> any MessageContainer { try MessageFiles(self) }
}
