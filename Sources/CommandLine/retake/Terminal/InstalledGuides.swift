import Foundation

/// The README and guides that a package installed.
enum InstalledGuides {
  /// For the end of the help; empty where none are installed, as beside a build.
  static var sentence: String {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    // Debian's package, and the tarball.
    let readme = ["../../share/doc/retake/README.md", "share/doc/retake/README.md"]
      .map { folder.appending(path: $0).standardizedFileURL.path }
      .first { FileManager.default.isReadableFile(atPath: $0) }
    return readme.map { "\n\nREADME and guides, with a tutorial: \($0)" } ?? ""
  }
}
