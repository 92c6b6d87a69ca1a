import Foundation
import Synchronization

/// A folder that is removed with its owner, or when the process exits: what tests share is never deinitialised.
package final class TemporaryFolder: Sendable {
  package let path: String
  private static let existing = Mutex<Set<String>>([])
  private static let removalAtExit: Void = {
    atexit {
      for path in TemporaryFolder.existing.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }
  }()

  package init() throws {
    Self.removalAtExit
    path = NSTemporaryDirectory() + "retake-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    _ = Self.existing.withLock { $0.insert(path) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    _ = Self.existing.withLock { $0.remove(path) }
  }

  private static let shared = Result { try TemporaryFolder() }

  /// Returns a new path for a recording that tests share. It lies in a folder that lives as long as the process.
  package static func sharedRecordingPath() throws -> String { try shared.get().path("\(UUID().uuidString).retake") }

  package func path(_ name: String) -> String { path + "/" + name }
}
