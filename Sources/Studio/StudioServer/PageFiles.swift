import Foundation
import Support
import Sweeps

/// The page's files, by their path in an address. They are within the program, which needs no folder beside it.
package struct PageFiles: Sendable {
  private let files: [String: (type: String, bytes: [UInt8])]
  /// Whether a page gets its modules as one script: a browser takes 0.2 s for sixty. Those who change them see them
  /// one by one.
  private let isBundled: Bool

  package static var names: [String] { own.map(\.name) }

  /// - Parameter folder: of files that replace the program's own, for those who change the page; nil for none.
  /// - Throws: what reading the folder throws.
  init(folder: String?) throws(RetakeError) {
    var files: [String: (type: String, bytes: [UInt8])] = [:]
    for (name, bytes) in Self.own {
      guard let type = Self.type(name) else { continue }
      files["/" + name] = (
        type,
        try folder.map { folder throws(RetakeError) in
          try FileBytes.read(folder + "/" + name, limit: 4 << 20)
        } ?? bytes
      )
    }
    // Modules of a sweep's report. They are no files of the page's folder, but may be put into one to try a change.
    for (name, bytes) in Self.shared {
      let own = folder.flatMap { try? FileBytes.read($0 + "/" + name, limit: 4 << 20) }
      files["/" + name] = ("text/javascript; charset=utf-8", own ?? bytes)
    }
    let head = files.removeValue(forKey: "/head.html")?.bytes ?? []
    for name in Self.pages {
      let page = Self.page(files["/" + name]?.bytes ?? [], head: head)
      files["/" + name]?.bytes = Array(page.utf8)
    }
    files["/"] = files["/index.html"]
    self.files = files
    isBundled = folder == nil
    // Made while the browser opens the page.
    if isBundled { DispatchQueue.global().async { _ = Self.whole } }
  }

  func response(_ path: String) -> StudioResponse? {
    guard let file = files[path] else { return nil }
    if isBundled, let page = Self.whole[path] { return Self.response(page) }
    return StudioResponse(type: file.type, body: [isBundled ? Self.bundles[path] ?? file.bytes : file.bytes])
  }

  /// Answers what is asked outside /api/; nil for the rest.
  func answer(_ request: StudioRequest) -> StudioResponse? {
    if request.path.hasPrefix("/api/") { return nil }
    return request.method == .GET ? response(request.path) ?? .notFound(request.path) : .wrongMethod
  }

  private static func type(_ name: String) -> String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    default: nil
    }
  }

  // MARK: Pages

  private static let pages = ["index.html", "list/list.html"]

  /// A page with what the heads of all have.
  private static func page(_ bytes: [UInt8], head: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
      .replacing("<!-- head.html -->\n", with: String(decoding: head, as: UTF8.self))
  }

  // MARK: Scripts

  private static let entries: Set = ["/early.js", "/main.js", "/list/list.js"]

  /// Each entry with all that it imports.
  private static let bundles: [String: [UInt8]] = {
    let sources = Dictionary(uniqueKeysWithValues: (own + shared).map { ("/" + $0.name, $0.bytes) })
    return Dictionary(
      uniqueKeysWithValues: entries.map { entry in
        do throws(RetakeError) {
          let script = try ScriptBundle.script(String(entry.dropFirst())) { path in
            sources["/" + path].map { String(decoding: $0, as: UTF8.self) }
          }
          return (entry, Array(script.utf8))
        } catch {
          preconditionFailure("\(error)")
        }
      })
  }()

  // MARK: Pages in one

  /// Pages with their styles and their first script within them, cut where a nonce stands. A browser asks for a file only
  /// when it has read the page, and each costs it some milliseconds.
  private static let whole: [String: [Substring]] = {
    let files = Dictionary(uniqueKeysWithValues: own.map { ($0.name, $0.bytes) })
    func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes!, as: UTF8.self) }
    var whole: [String: [Substring]] = [:]
    for name in pages {
      let page = page(files[name]!, head: files["head.html"]!)
        .replacing(/<link rel="stylesheet" href="(.*)">/) {
          "<style nonce=\"\(cut)\">\n\(text(files[String($0.1)]))</style>"
        }
        .replacing(
          "<script type=\"module\" async src=\"early.js\">",
          with: "<script nonce=\"\(cut)\">\(text(bundles["/early.js"]))")
      whole["/" + name] = page.split(separator: cut, omittingEmptySubsequences: false)
    }
    whole["/"] = whole["/index.html"]
    return whole
  }()
  private static let cut = "\u{0}"

  private static func response(_ page: [Substring]) -> StudioResponse {
    var draw = SystemRandomNumberGenerator()
    let nonce = String(draw.next(), radix: 36) + String(draw.next(), radix: 36)
    var response = StudioResponse.text(page.joined(separator: nonce), type: type(".html")!)
    response.nonce = nonce
    return response
  }

  private static let shared = Sweeps.PageFiles.shared.map { (name: "shared/" + $0.name, bytes: $0.bytes) }

  private static let own: [(name: String, bytes: [UInt8])] = [
    ("early.js", PackageResources.early_js),
    ("head.html", PackageResources.head_html),
    ("index.html", PackageResources.index_html),
    ("keys.js", PackageResources.keys_js),
    ("list/folder.js", PackageResources.folder_js),
    ("list/list.css", PackageResources.list_css),
    ("list/list.html", PackageResources.list_html),
    ("list/list.js", PackageResources.list_js),
    ("live/cameracontrols.js", PackageResources.cameracontrols_js),
    ("live/live.css", PackageResources.live_css),
    ("live/live.js", PackageResources.live_js),
    ("live/livebar.js", PackageResources.livebar_js),
    ("live/livefeed.js", PackageResources.livefeed_js),
    ("main.js", PackageResources.main_js),
    ("parts/api.js", PackageResources.api_js),
    ("parts/channel.js", PackageResources.channel_js),
    ("parts/dom.js", PackageResources.dom_js),
    ("parts/first.js", PackageResources.first_js),
    ("parts/geometry.js", PackageResources.geometry_js),
    ("parts/palette.js", PackageResources.palette_js),
    ("parts/scale.js", PackageResources.scale_js),
    ("parts/setting.js", PackageResources.setting_js),
    ("parts/store.js", PackageResources.store_js),
    ("parts/time.js", PackageResources.time_js),
    ("parts/xxh3.js", PackageResources.xxh3_js),
    ("persist.js", PackageResources.persist_js),
    ("pictures/arrangement.js", PackageResources.arrangement_js),
    ("pictures/badge.js", PackageResources.badge_js),
    ("pictures/compare.js", PackageResources.compare_js),
    ("pictures/neighbours.js", PackageResources.neighbours_js),
    ("pictures/overlay.js", PackageResources.overlay_js),
    ("pictures/paint.js", PackageResources.paint_js),
    ("pictures/pictures.js", PackageResources.pictures_js),
    ("pictures/planes.js", PackageResources.planes_js),
    ("pictures/probe.js", PackageResources.probe_js),
    ("pictures/requests.js", PackageResources.requests_js),
    ("pictures/stage.js", PackageResources.stage_js),
    ("pictures/tile.js", PackageResources.tile_js),
    ("setting/control.js", PackageResources.control_js),
    ("setting/cutoffs.js", PackageResources.cutoffs_js),
    ("setting/files.js", PackageResources.files_js),
    ("setting/histogram.js", PackageResources.histogram_js),
    ("setting/loading.js", PackageResources.loading_js),
    ("setting/panel.js", PackageResources.panel_js),
    ("setting/relevance.js", PackageResources.relevance_js),
    ("setting/scores.js", PackageResources.scores_js),
    ("studio.css", PackageResources.studio_css),
    ("sweep/sweep.css", PackageResources.sweep_css),
    ("sweep/sweep.js", PackageResources.sweep_js),
    ("sweep/sweepresults.js", PackageResources.sweepresults_js),
    ("sweep/sweepsetup.js", PackageResources.sweepsetup_js),
    ("timeline/ahead.js", PackageResources.ahead_js),
    ("timeline/gaps.js", PackageResources.gaps_js),
    ("timeline/marks.js", PackageResources.marks_js),
    ("timeline/thumbnails.js", PackageResources.thumbnails_js),
    ("timeline/timeline.js", PackageResources.timeline_js),
    ("timeline/transport.js", PackageResources.transport_js),
    ("toolbar.js", PackageResources.toolbar_js),
    ("truth/brush.js", PackageResources.brush_js),
    ("truth/brushchoice.js", PackageResources.brushchoice_js),
    ("truth/painter.js", PackageResources.painter_js),
    ("truth/strokes.js", PackageResources.strokes_js),
    ("truth/tint.js", PackageResources.tint_js),
    ("truth/truth.js", PackageResources.truth_js),
    ("truth/truthbar.js", PackageResources.truthbar_js),
    ("truth/truthkeys.js", PackageResources.truthkeys_js),
    ("truth/truthmode.js", PackageResources.truthmode_js),
  ]
}
