import ArgumentParser
import FrameModel
import Glibc
import Parameters
import RecordingStore
import Replay
import Support

struct ExistingFiles: ParsableArguments {
  @Flag(help: "Replace existing files; empty ones are replaced without it.") var force = false

  /// - Throws: if a non-empty file would be replaced; with --force, only one that the command line, or a YAML file of it, names too,
  ///   and what took long to make.
  func check(_ path: String) throws(RetakeError) {
    guard FileReplacement.replaces(path) else { return }
    if let kept = Self.kept(path) {
      throw RetakeError(
        .inputOutput, "\(path) is \(kept), which no command replaces.", hint: "choose another file, or remove it first")
    }
    guard force else {
      throw RetakeError(
        .inputOutput, "\(path) already exists.", hint: "--force replaces it; or choose another file")
    }
    guard Self.named.count(where: { $0.contains { Folder.isSame($0, path) } }) < 2 else {
      throw Self.isNamedTwice(path)
    }
  }

  private static func kept(_ path: String) -> String? {
    let resolved = Folder.absolute(path)
    if let recording = PathKind.recording(around: resolved),
      RecordingFolder.isOwnFile(String(resolved.dropFirst(recording.count + 1)))
    {
      return "a part of the recording \(recording)"
    }
    guard let kind = PathKind(path: path), [.bundle, .results].contains(kind) else { return nil }
    return kind.words
  }

  private static func isNamedTwice(_ path: String) -> RetakeError {
    RetakeError(
      .usage, "\(path) is named twice, on the command line or in a YAML file, so --force does not replace it.",
      hint: "choose another output")
  }

  /// The files that words of the command line name, for each word: `a.png`, `--background=a.png`, `sheet:a.png`, and
  /// `tune.yaml` with the files that it names.
  private static var named: [[String]] {
    CommandLine.arguments.dropFirst().map { word in
      let parts = [word[...]] + word.indices.filter { "=:".contains(word[$0]) }.map { word[word.index(after: $0)...] }
      let files = parts.map(String.init).filter(FileReplacement.replaces)
      return files + files.filter { [nil, .yaml].contains(PathKind(path: $0)) }.flatMap(named(in:))
    }
  }

  /// Relative paths are beside the YAML file, or as given.
  private static func named(in path: String) -> [String] {
    guard let document = try? YAMLDocument(path: path) else { return [] }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return document.entries.flatMap(\.values).flatMap { [$0, folder + $0] }.filter(FileReplacement.replaces)
  }

  /// - Throws: if the folder holds anything but pictures, or pictures without --force, or one that the command line names.
  func checkPictureFolder(_ path: String) throws(RetakeError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let names = try Folder.names(in: path)
    if let other = names.first(where: { !PNGFolderSink.isPicture($0) }) {
      throw RetakeError(
        .inputOutput, "\(path) contains other files, such as \(other).", hint: "choose another folder")
    }
    guard force || names.isEmpty else {
      throw RetakeError(
        .inputOutput, "\(path) already contains pictures.",
        hint: "--force replaces all of them; or choose another folder")
    }
    let named = Self.named.joined()
    if let name = names.first(where: { name in named.contains { Folder.isSame($0, "\(path)/\(name)") } }) {
      throw Self.isNamedTwice("\(path)/\(name)")
    }
  }
}
