import ArgumentParser
import FrameModel
import Glibc
import Replay
import Support

struct ExistingFiles: ParsableArguments {
  @Flag(help: "Replace files that are there already.") var force = false

  /// - Throws: if a non-empty file would be replaced.
  func check(_ path: String) throws(RetakeError) {
    guard !force, FileReplacement.replaces(path) else { return }
    throw RetakeError(
      .inputOutput, "\(path) exists.", hint: "--force replaces it; or name another file")
  }

  /// - Throws: if the folder holds anything but pictures, or pictures without --force.
  func checkPictureFolder(_ path: String) throws(RetakeError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let names = try Folder.names(in: path)
    if let other = names.first(where: { !PNGFolderSink.isPicture($0) }) {
      throw RetakeError(
        .inputOutput, "\(path) holds other files, such as \(other).", hint: "name another folder")
    }
    guard force || names.isEmpty else {
      throw RetakeError(
        .inputOutput, "\(path) holds pictures.", hint: "--force replaces all of them; or name another folder")
    }
  }
}
