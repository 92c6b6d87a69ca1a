/// The page's style sheet and script, which are embedded in the executable.
package enum PageFiles {
  package static let style = text("report.css")
  package static let script = text("report.js")

  /// Modules that Studio's page uses too, each after those that it imports.
  package static let shared = ["sweepdata.js", "settingstable.js", "parallel.js", "pareto.js"].map {
    (name: $0, text: text($0))
  }

  private static func text(_ name: String) -> String { PageResources.files.first { $0.name == name }!.text }

  /// Content-Security-Policy: forbids network requests, and other styles and scripts than these.
  static let policy =
    "default-src 'none'; img-src data:; style-src '\(styleSource)'; script-src '\(scriptSource)'; "
    + "base-uri 'none'; form-action 'none'"

  // Base 64 of the SHA-256 of both files. When one changes, a test says its new value.
  package static let styleSource = "sha256-5IKhpEdKyMQTu/Od9lqWiqNg5wP9Xv7HgUh+PBm6Kiw="
  package static let scriptSource = "sha256-A0PS0OAFnRdYAkppW647y09COGX+LDxdeCOTICY/Xys="
}
