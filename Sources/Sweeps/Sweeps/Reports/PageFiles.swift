/// The page's style and script, which are within the program: files of their own, so that editors know what they are.
enum PageFiles {
  static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
  static let script = String(decoding: PackageResources.report_js, as: UTF8.self)

  /// Forbids all that would ask a network, and every style and script but these two, whatever the page's texts say.
  static var policy: String {
    "default-src 'none'; img-src data:; style-src '\(source(style))'; script-src '\(source(script))'; "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func source(_ text: String) -> String { "sha256-" + Base64.text(SHA256.digest([UInt8](text.utf8))) }
}
