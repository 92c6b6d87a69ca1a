import ArgumentParser
import FrameModel
import Glibc
import Replay
import Support

struct ExistingFiles: ParsableArguments {
  @Flag(help: "Replace existing files; empty ones are replaced without it.") var force = false

  /// - Throws: if a non-empty file would be replaced.
  func check(_ path: String) throws(RetakeError) {
    guard !force, FileReplacement.replaces(path) else { return }
    throw RetakeError(
      .inputOutput, "\(path) already exists.", hint: "--force replaces it; or choose another file")
  }

  /// - Throws: if the folder holds anything but pictures, or pictures without --force.
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
  }
}
