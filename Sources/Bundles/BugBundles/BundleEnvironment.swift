import FrameModel
import Glibc
import Support

/// The machine and build behind the expected digests: a clue if the output differs.
package struct BundleEnvironment: Hashable, Sendable {
  /// "Debian GNU/Linux 12 (bookworm)".
  package var system: String
  package var kernel: String
  package var processor: String
  package var compiler: String

  package init(system: String, kernel: String, processor: String, compiler: String) {
    self.system = system
    self.kernel = kernel
    self.processor = processor
    self.compiler = compiler
  }

  package static func current() -> BundleEnvironment {
    var name = utsname()
    let release =
      uname(&name) == 0
      ? withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) } : unknown
    return BundleEnvironment(
      system: value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? unknown, kernel: "Linux \(release)",
      processor: value(of: "model name", in: "/proc/cpuinfo", separator: ":") ?? unknown, compiler: compilerName)
  }

  private static let unknown = "unknown"

  private static var compilerName: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }

  /// The value in the first line that begins with `name`.
  private static func value(of name: String, in path: String, separator: Character) -> String? {
    // Not `FileBytes`: files in /proc report a size of 0.
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(name), let cut = text.firstIndex(of: separator) else { continue }
      return String(text[text.index(after: cut)...].trimmingPrefix { $0 == " " }.filter { $0 != "\"" && $0 != "\n" })
    }
    return nil
  }

  package var json: JSONObject {
    JSONObject(["system": system, "kernel": kernel, "processor": processor, "compiler": compiler])
  }

  /// - Parameter members: from JSON; missing ones become "unknown".
  init(_ members: [String: String]) {
    func member(_ name: String) -> String { String((members[name] ?? Self.unknown).prefix(200)) }
    self.init(
      system: member("system"), kernel: member("kernel"), processor: member("processor"), compiler: member("compiler"))
  }
}
