import Glibc
import Support

/// How a YAML file has to name a file that a sweep was given, so that it is found whatever the current folder is.
enum PlacedPath {
  /// - Parameters:
  ///   - path: as the sweep was given it: from the current folder, or from that of its results.
  ///   - yaml: the file that will have the text; nil for standard output.
  ///   - results: the sweep's results.
  /// - Returns: the path from the YAML file's folder if it lies in it, else from the root; what is no file stays.
  static func text(_ path: String, in yaml: String?, results: String) -> String {
    let places: [String] = [path, Folder.withoutTrailingSlash(Folder.parent(of: results)) + "/" + path]
    guard !path.isEmpty, !path.hasPrefix("/"), let found = places.first(where: { access($0, F_OK) == 0 }) else {
      return path
    }
    let whole = Folder.absolute(found)
    guard let yaml else { return whole }
    let folder = Folder.absolute(Folder.parent(of: yaml)) + "/"
    return whole.hasPrefix(folder) ? String(whole.dropFirst(folder.count)) : whole
  }
}
