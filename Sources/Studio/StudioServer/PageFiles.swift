import Foundation
import Support
import Sweeps

/// The page's files, by their path in an address. They are within the program, which needs no folder beside it.
package struct PageFiles: Sendable {
  private let files: [String: String]
  /// Whether a page gets its modules as one script: a browser takes 0.2 s for sixty. Those who change them see them
  /// one by one.
  private let isBundled: Bool

  /// - Parameter folder: of files that replace the program's own, for those who change the page; nil for none.
  /// - Throws: what reading the folder throws.
  init(folder: String?) throws(RetakeError) {
    var files: [String: String] = [:]
    for (name, text) in Self.own {
      files["/" + name] =
        try folder.map { folder throws(RetakeError) in try Self.read(folder + "/" + name) } ?? text
    }
    // Modules of a sweep's report. They are no files of the page's folder, but may be put into one to try a change.
    for (name, text) in Self.shared { files["/" + name] = folder.flatMap { try? Self.read($0 + "/" + name) } ?? text }
    let head = files.removeValue(forKey: "/head.html")!
    for name in Self.pages { files["/" + name] = Self.page(files["/" + name]!, head: head) }
    files["/"] = files["/index.html"]
    self.files = files
    isBundled = folder == nil
    // Made while the browser opens the page.
    if isBundled { DispatchQueue.global().async { _ = Self.whole } }
  }

  private static func read(_ path: String) throws(RetakeError) -> String {
    String(decoding: try FileBytes.read(path, limit: 4 << 20), as: UTF8.self)
  }

  func response(_ path: String) -> StudioResponse? {
    guard let text = files[path] else { return nil }
    if isBundled, let page = Self.whole[path] { return Self.response(page) }
    return .text(isBundled ? Self.bundles[path] ?? text : text, type: Self.type(path))
  }

  /// Answers what is asked outside /api/; nil for the rest.
  func answer(_ request: StudioRequest) -> StudioResponse? {
    if request.path.hasPrefix("/api/") { return nil }
    return request.method == .GET ? response(request.path) ?? .notFound(request.path) : .wrongMethod
  }

  private static func type(_ path: String) -> String {
    switch path.split(separator: ".").last {
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    default: "text/html; charset=utf-8"
    }
  }

  // MARK: Pages

  private static let pages = ["index.html", "list/list.html"]

  /// A page with what the heads of all have.
  private static func page(_ text: String, head: String) -> String {
    text.replacing("<!-- head.html -->\n", with: head)
  }

  // MARK: Scripts

  private static let entries: Set = ["/early.js", "/main.js", "/list/list.js"]

  /// Each entry with all that it imports.
  private static let bundles: [String: String] = {
    let sources = Dictionary(uniqueKeysWithValues: (own + shared).map { ($0.name, $0.text) })
    return Dictionary(
      uniqueKeysWithValues: entries.map { entry in
        do throws(RetakeError) {
          return (entry, try ScriptBundle.script(String(entry.dropFirst())) { sources[$0] })
        } catch {
          preconditionFailure("\(error)")
        }
      })
  }()

  // MARK: Pages in one

  /// Pages with their styles and their first script within them, cut where a nonce stands. A browser asks for a file only
  /// when it has read the page, and each costs it some milliseconds.
  private static let whole: [String: [Substring]] = {
    let files = Dictionary(uniqueKeysWithValues: own.map { ($0.name, $0.text) })
    var whole: [String: [Substring]] = [:]
    for name in pages {
      let page = page(files[name]!, head: files["head.html"]!)
        .replacing(/<link rel="stylesheet" href="(.*)">/) {
          "<style nonce=\"\(cut)\">\n\(files[String($0.1)]!)</style>"
        }
        .replacing(
          "<script type=\"module\" async src=\"early.js\">",
          with: "<script nonce=\"\(cut)\">\(bundles["/early.js"]!)")
      whole["/" + name] = page.split(separator: cut, omittingEmptySubsequences: false)
    }
    whole["/"] = whole["/index.html"]
    return whole
  }()
  private static let cut = "\u{0}"

  private static func response(_ page: [Substring]) -> StudioResponse {
    var draw = SystemRandomNumberGenerator()
    let nonce = String(draw.next(), radix: 36) + String(draw.next(), radix: 36)
    var response = StudioResponse.text(page.joined(separator: nonce), type: type("/"))
    response.nonce = nonce
    return response
  }

  private static let shared = Sweeps.PageFiles.shared.map { (name: "shared/" + $0.name, text: $0.text) }

  package static let own = PageResources.files
}
