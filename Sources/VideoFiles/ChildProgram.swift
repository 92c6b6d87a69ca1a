import Foundation
import FrameModel

/// Programs that run beside this one.
enum ChildProgram {
  /// Where a program of ffmpeg's lies.
  /// - Parameter missing: what is said where it is not installed.
  static func path(_ name: String, missing: String) throws(RetakeError) -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let found = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { throw RetakeError(.childProcess, missing, hint: "apt-get install ffmpeg") }
    return found
  }
}
