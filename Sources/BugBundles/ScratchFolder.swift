import Foundation
import FrameModel
import Glibc
import Synchronization

/// A folder for the time of one piece of work. It goes with its owner, and with the process where that ends before: at a second
/// Ctrl-C.
package final class ScratchFolder: Sendable {
  package let path: String

  private static let open = Mutex<Set<String>>([])
  private static let removesAtExit: Void = {
    atexit { ScratchFolder.removeAll() }
  }()

  /// - Parameter prefix: of its path; random letters follow.
  package init(prefix: String) throws(RetakeError) {
    _ = Self.removesAtExit
    var template = Array((prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw FileBytes.failure("create", prefix) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.path = path
    Self.open.withLock { _ = $0.insert(path) }
  }

  /// Where the system has its temporary files.
  package convenience init(named name: String) throws(RetakeError) {
    try self.init(prefix: NSTemporaryDirectory() + "\(name)-")
  }

  deinit {
    let path = path
    Self.open.withLock { _ = $0.remove(path) }
    Self.remove(path)
  }

  package func path(_ name: String) -> String { path + "/" + name }

  /// Symbolic links are removed, not followed.
  private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  private static func removeAll() {
    let paths = open.withLock { $0 }
    for path in paths { remove(path) }
  }
}
