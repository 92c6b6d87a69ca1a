import Support

/// ES modules joined to one script, so that a page needs one request, or none. Each module becomes a function that
/// runs after those that it imports and returns its exports.
///
/// Modules import by name, one line each, from paths relative to themselves, without cycles; they export declarations of
/// single names. That is all that this program's pages need.
package struct ScriptBundle {
  private let source: (String) -> String?
  private var text = ""
  private var done: Set<String> = []
  /// Modules whose imports are being followed.
  private var open: [String] = []

  /// - Parameters:
  ///   - entry: path of the module that begins.
  ///   - source: gives a module's text by its path.
  /// - Throws: `.unsupported` for a module that is missing, imports itself through others, or has another kind of
  ///   import or export.
  package static func script(_ entry: String, source: @escaping (String) -> String?) throws(RetakeError) -> String {
    var bundle = ScriptBundle(source: source)
    try bundle.add(entry)
    return "(() => {\n\"use strict\";\n\(bundle.text)})();\n"
  }

  private init(source: @escaping (String) -> String?) { self.source = source }

  private mutating func add(_ path: String) throws(RetakeError) {
    guard !done.contains(path) else { return }
    guard !open.contains(path) else {
      throw Self.problem("\((open + [path]).joined(separator: " → ")) is a cycle of imports.")
    }
    guard let code = source(path) else { throw Self.problem("There is no module \(path).") }
    open.append(path)
    var (lines, names): ([Substring], [Substring]) = ([], [])
    for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.utf8.starts(with: "import ".utf8) {
        lines.append(Substring(try importing(line, in: path)))
      } else if line.utf8.starts(with: "export ".utf8) {
        let declaration = line.dropFirst("export ".count)
        names.append(try Self.name(declaration, in: path))
        lines.append(declaration)
      } else {
        lines.append(line)
      }
    }
    open.removeLast()
    done.insert(path)
    text += "const \(Self.variable(path)) = (() => {\n\(lines.joined(separator: "\n"))"
    text += "return { \(names.joined(separator: ", ")) };\n})();\n"
  }

  /// `import { a, b } from "../x.js";` as `const { a, b } = x_js;`.
  private mutating func importing(_ line: Substring, in path: String) throws(RetakeError) -> String {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    let head = parts[0].split(separator: " ").map(String.init)
    guard parts.count == 3, parts[2] == ";", head.count > 4, head[1] == "{", head.suffix(2) == ["}", "from"],
      !head.contains("as")
    else { throw Self.problem("\(path) has an import of another kind: \(line)") }
    let target = Self.resolved(String(parts[1]), from: path)
    try add(target)
    return "const \(head[1..<head.count - 1].joined(separator: " ")) = \(Self.variable(target));"
  }

  private static func name(_ declaration: Substring, in path: String) throws(RetakeError) -> Substring {
    var words = declaration.split(separator: " ", maxSplits: 3)[...]
    if words.first == "async" { words.removeFirst() }
    if words.count > 1, ["const", "class", "function"].contains(words[words.startIndex]) {
      let name = words[words.startIndex + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if !name.isEmpty { return name }
    }
    throw problem("\(path) has an export of another kind: \(declaration)")
  }

  private static func variable(_ path: String) -> String {
    "$" + String(path.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  /// "../parts/dom.js" from "sweep/sweep.js" as "parts/dom.js".
  private static func resolved(_ target: String, from path: String) -> String {
    var folders = path.split(separator: "/").dropLast()
    for part in target.split(separator: "/") {
      if part == ".." { _ = folders.popLast() } else if part != "." { folders.append(part) }
    }
    return folders.joined(separator: "/")
  }

  private static func problem(_ text: String) -> RetakeError {
    RetakeError(.unsupported, text, hint: "correct the module")
  }
}
