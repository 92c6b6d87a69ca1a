import Foundation
import Glibc
import Support

/// Opens an address in the person's browser, where there is a desktop.
final class BrowserLauncher {
  private let path: String

  /// Nil without a desktop.
  init?(_ address: String) {
    let environment = ProcessInfo.processInfo.environment
    guard environment["DISPLAY"] ?? environment["WAYLAND_DISPLAY"] != nil, isatty(STDOUT_FILENO) == 1,
      let program = Self.program(environment["PATH"] ?? "")
    else { return nil }
    // By way of a file that only this user can read: other users see the arguments of programs.
    path = NSTemporaryDirectory() + "retake-studio-\(UUID().uuidString).html"
    let page = "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=\(address)\">"
    guard
      FileManager.default.createFile(atPath: path, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
    else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }

  deinit { unlink(path) }

  private static func program(_ path: String) -> String? {
    path.split(separator: ":").map { $0 + "/xdg-open" }.first { access($0, X_OK) == 0 }
  }
}
