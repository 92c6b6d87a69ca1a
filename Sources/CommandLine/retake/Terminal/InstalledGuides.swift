import Glibc
import Support

/// The README and guides that a package installed.
enum InstalledGuides {
  /// For the end of the help; empty where none are installed, as beside a build. Every start asks for it, so it costs
  /// a few system calls at most.
  static var sentence: String {
    let folder = Folder.parent(of: SharedFolder.program)
    // Debian's package, and the tarball.
    let places = ["../../share/doc/retake/README.md", "share/doc/retake/README.md"]
    let readme = places.map { folder + "/" + $0 }.first { (path: String) in access(path, R_OK) == 0 }
    return readme.map { "\n\nREADME and guides, with a tutorial: \(Folder.absolute($0))" } ?? ""
  }
}
