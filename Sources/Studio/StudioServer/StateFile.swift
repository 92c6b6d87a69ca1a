import Foundation
import RecordingStore
import StudioViews
import Support
import Synchronization

/// The page's state beside the recording: "first.studio.json" for "first.retake". The recording itself is never changed.
final class StateFile: Sendable {
  static let byteLimit = 64 << 10

  private let path: String
  private let lock = Mutex(())

  init(of recording: Recording) { path = recording.pathBeside + ".studio.json" }

  /// JSON; nil for none, or for one that cannot be read, as it decides nothing.
  func read() -> String? {
    lock.withLock { _ in
      guard let bytes = try? FileBytes.read(path, limit: Self.byteLimit), Self.isObject(bytes) else { return nil }
      return String(validating: bytes, as: UTF8.self)
    }
  }

  /// - Throws: `.usage` for what is not a JSON object of at most `byteLimit` bytes; what writing throws.
  func write(_ bytes: [UInt8]) throws(RetakeError) {
    _ = try Self.checked(bytes)
    let result: Result<Void, RetakeError> = lock.withLock { _ in
      Result { () throws(RetakeError) in try FileBeside.write(bytes, to: path) }
    }
    try result.get()
  }

  /// - Throws: `.usage` for what is not a JSON object of at most `byteLimit` bytes.
  static func checked(_ bytes: [UInt8]) throws(RetakeError) -> String {
    guard bytes.count <= byteLimit, isObject(bytes), let text = String(validating: bytes, as: UTF8.self) else {
      throw RetakeError(
        .usage, "The state is not a JSON object of at most \(byteLimit) bytes.", hint: "reload the page")
    }
    return text
  }

  private static func isObject(_ bytes: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any]
  }
}
