import Foundation
import Support
import Sweeps

/// The page's files, by their path in an address. They are within the program, which needs no folder beside it.
package struct PageFiles: Sendable {
  private let files: [String: (type: String, bytes: [UInt8])]

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
    for (name, bytes) in Sweeps.PageFiles.shared {
      let own = folder.flatMap { try? FileBytes.read($0 + "/" + name, limit: 4 << 20) }
      files["/" + name] = ("text/javascript; charset=utf-8", own ?? bytes)
    }
    files["/"] = files["/index.html"]
    self.files = files
  }

  func response(_ path: String) -> StudioResponse? {
    files[path].map { StudioResponse(type: $0.type, body: [$0.bytes]) }
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

  private static let own: [(name: String, bytes: [UInt8])] = [
    ("ahead.js", PackageResources.ahead_js),
    ("api.js", PackageResources.api_js),
    ("arrangement.js", PackageResources.arrangement_js),
    ("badge.js", PackageResources.badge_js),
    ("brush.js", PackageResources.brush_js),
    ("brushchoice.js", PackageResources.brushchoice_js),
    ("cameracontrols.js", PackageResources.cameracontrols_js),
    ("channel.js", PackageResources.channel_js),
    ("compare.js", PackageResources.compare_js),
    ("control.js", PackageResources.control_js),
    ("cutoffs.js", PackageResources.cutoffs_js),
    ("dom.js", PackageResources.dom_js),
    ("files.js", PackageResources.files_js),
    ("folder.js", PackageResources.folder_js),
    ("geometry.js", PackageResources.geometry_js),
    ("histogram.js", PackageResources.histogram_js),
    ("index.html", PackageResources.index_html),
    ("keys.js", PackageResources.keys_js),
    ("list.css", PackageResources.list_css),
    ("list.html", PackageResources.list_html),
    ("list.js", PackageResources.list_js),
    ("live.css", PackageResources.live_css),
    ("live.js", PackageResources.live_js),
    ("livebar.js", PackageResources.livebar_js),
    ("livefeed.js", PackageResources.livefeed_js),
    ("main.js", PackageResources.main_js),
    ("overlay.js", PackageResources.overlay_js),
    ("paint.js", PackageResources.paint_js),
    ("painter.js", PackageResources.painter_js),
    ("palette.js", PackageResources.palette_js),
    ("panel.js", PackageResources.panel_js),
    ("persist.js", PackageResources.persist_js),
    ("pictures.js", PackageResources.pictures_js),
    ("planes.js", PackageResources.planes_js),
    ("probe.js", PackageResources.probe_js),
    ("relevance.js", PackageResources.relevance_js),
    ("scale.js", PackageResources.scale_js),
    ("scores.js", PackageResources.scores_js),
    ("setting.js", PackageResources.setting_js),
    ("stage.js", PackageResources.stage_js),
    ("store.js", PackageResources.store_js),
    ("strokes.js", PackageResources.strokes_js),
    ("studio.css", PackageResources.studio_css),
    ("sweep.css", PackageResources.sweep_css),
    ("sweep.js", PackageResources.sweep_js),
    ("sweepresults.js", PackageResources.sweepresults_js),
    ("sweepsetup.js", PackageResources.sweepsetup_js),
    ("thumbnails.js", PackageResources.thumbnails_js),
    ("tile.js", PackageResources.tile_js),
    ("timeline.js", PackageResources.timeline_js),
    ("tint.js", PackageResources.tint_js),
    ("toolbar.js", PackageResources.toolbar_js),
    ("transport.js", PackageResources.transport_js),
    ("truth.js", PackageResources.truth_js),
    ("truthbar.js", PackageResources.truthbar_js),
    ("truthkeys.js", PackageResources.truthkeys_js),
    ("truthmode.js", PackageResources.truthmode_js),
    ("xxh3.js", PackageResources.xxh3_js),
  ]
}
