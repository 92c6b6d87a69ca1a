import Foundation
import Support

/// The page's files, by their path in an address.
struct PageFiles: Sendable {
  private let files: [String: (type: String, bytes: [UInt8])]

  /// - Parameter folder: of files that replace the program's own, for those who change the page; nil for none.
  init(folder: String? = nil) throws(RetakeError) {
    var files: [String: (type: String, bytes: [UInt8])] = [:]
    if let folder {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        guard let type = Self.type(name) else { continue }
        files["/" + name] = (type, try FileBytes.read(folder + "/" + name, limit: 4 << 20))
      }
    }
    files["/"] = files["/index.html"]
    self.files = files
  }

  func response(_ path: String) -> StudioResponse? {
    files[path].map { StudioResponse(type: $0.type, body: [$0.bytes]) }
  }

  private static func type(_ name: String) -> String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: nil
    }
  }
}
