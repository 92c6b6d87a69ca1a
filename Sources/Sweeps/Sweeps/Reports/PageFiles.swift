/// The page's style sheet and script, which are embedded in the executable.
package enum PageFiles {
  package static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
  static let script = String(decoding: PackageResources.report_js, as: UTF8.self)

  /// Content-Security-Policy: forbids network requests, and other styles and scripts than these.
  static var policy: String {
    "default-src 'none'; img-src data:; style-src '\(source(style))'; script-src '\(source(script))'; "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func source(_ text: String) -> String { "sha256-" + Base64.text(SHA256.digest([UInt8](text.utf8))) }
}
