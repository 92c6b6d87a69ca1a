import Foundation
import FrameModel
import Glibc
import Support

/// Results that are written on this computer's own disk, and copied whole to a folder that several computers share.
///
/// Another computer may believe that this one is dead, and start the same work again. So whoever starts leaves a mark
/// beside the copy, and only the one that started last may write it.
package final class ScratchResults<File: CopiedResults> {
  package let file: File
  private let folder: String
  private let path: String
  private let mark: String
  private let ownMark: [UInt8]
  /// What is in the copy; nil before the first.
  package private(set) var publishedCount: Int?
  private var isFinished = false

  /// Starts with the runs of the copy, if there is one.
  /// - Parameters:
  ///   - path: the copy.
  ///   - scratch: an existing folder on this computer's own disk, to make a folder in.
  ///   - open: opens or creates a file.
  /// - Throws: as `open`, about the copy; disk errors.
  package init(path: String, scratch: String, open: (String) throws(RetakeError) -> File) throws(RetakeError) {
    self.path = path
    mark = ScratchMark.path(of: path)
    let name = "retake-sweep-\(UUID().uuidString)"
    folder = scratch + "/" + name
    ownMark = Array("\(name)\n".utf8)
    try FileBytes.write(ownMark, to: mark)
    try Folder.makeEmpty(folder, permissions: 0o700)
    let own = folder + "/results.sqlite"
    do throws(RetakeError) {
      if FileReplacement.replaces(path) { try SweepResultsFile.copyFile(path, to: own) }
      file = try open(own)
    } catch {
      Self.remove(folder)
      // It is the copy that is wrong.
      let isWrong = [.usage, .corrupt, .unsupported].contains(error.code)
      throw RetakeError(
        error.code, error.message.replacing(own, with: path),
        hint: isWrong ? "remove that file and run the part again" : error.hint)
    }
  }

  /// Writes the copy, if there are new runs.
  /// - Throws: `.busy` if another process has started the same work since; disk errors.
  package func publish() throws(RetakeError) {
    try checkMark()
    let count = try file.doneCount()
    guard count != publishedCount else { return }
    try file.writeCopy(to: path)
    publishedCount = count
  }

  private func checkMark() throws(RetakeError) {
    do throws(RetakeError) {
      if try FileBytes.read(mark, limit: ScratchMark.byteLimit) == ownMark { return }
    } catch  where error.code == .notFound {
      // The other one has finished.
    }
    throw RetakeError(
      .busy, "Another process has started the same part, so this one ends: \(path).",
      hint: "nothing needs to be done; its runs are in \(path)")
  }

  /// Publishes, and removes this computer's file.
  /// - Throws: as `publish`. After a disk error, this computer's file stays, and the error names it.
  package func finish() throws(RetakeError) {
    guard !isFinished else { return }
    isFinished = true
    do throws(RetakeError) {
      try publish()
    } catch {
      try? file.close()
      guard error.code != .busy else {
        Self.remove(folder)
        throw error
      }
      throw RetakeError(
        error.code, error.message,
        hint: "then run it again; until then, what it did not copy is in \(folder)/results.sqlite on this computer")
    }
    try file.close()
    Self.remove(folder)
    unlink(mark)
  }

  private static func remove(_ folder: String) {
    for name in (try? Folder.names(in: folder)) ?? [] { unlink(folder + "/" + name) }
    rmdir(folder)
  }
}

extension ScratchResults where File == SweepResultsFile {
  /// Starts with the runs of the copy, if there is one.
  package convenience init(path: String, scratch: String, _ identity: SweepIdentity) throws(RetakeError) {
    try self.init(path: path, scratch: scratch) { own throws(RetakeError) in
      try SweepResultsFile.openOrCreate(own, identity)
    }
  }
}

/// The file beside shared results that says who writes them.
enum ScratchMark {
  static let byteLimit = 1000
  static func path(of path: String) -> String { path + ".owner" }
}
