/// The page's style sheet and script, which are embedded in the executable.
package enum PageFiles {
  package static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
  package static let script = String(decoding: PackageResources.report_js, as: UTF8.self)

  /// Modules that Studio's page uses too, each after those that it imports.
  package static let shared: [(name: String, bytes: [UInt8])] = [
    ("sweepdata.js", PackageResources.sweepdata_js), ("settingstable.js", PackageResources.settingstable_js),
    ("parallel.js", PackageResources.parallel_js), ("pareto.js", PackageResources.pareto_js),
  ]

  /// Content-Security-Policy: forbids network requests, and other styles and scripts than these.
  static let policy =
    "default-src 'none'; img-src data:; style-src '\(styleSource)'; script-src '\(scriptSource)'; "
    + "base-uri 'none'; form-action 'none'"

  // Base 64 of the SHA-256 of both files. When one changes, a test says its new value.
  package static let styleSource = "sha256-5IKhpEdKyMQTu/Od9lqWiqNg5wP9Xv7HgUh+PBm6Kiw="
  package static let scriptSource = "sha256-A0PS0OAFnRdYAkppW647y09COGX+LDxdeCOTICY/Xys="
}
