import Glibc
import Support

extension Recording {
  /// Opens a recording. Repairs it first if its recorder was killed, or its index is missing or of
  /// an earlier version. A recording in progress or in a read-only folder is opened as it is.
  /// - Parameters:
  ///   - onProgress: called during a repair with the chunk files done and in total.
  ///   - onFailure: called with the error of a failed repair if the recording opens anyway.
  /// - Throws: errors of opening; `.inputOutput` when the repair could not read or write.
  package static func opening(
    _ path: String, onProgress: @escaping (Int, Int) -> Void = { _, _ in },
    onFailure: (RetakeError) -> Void = { _ in }, onRepair: (Repair.Report) -> Void
  ) throws(RetakeError) -> Recording {
    do throws(RetakeError) {
      let recording = try Recording(path: path)
      if recording.isClosed { return recording }
      guard try isLeftAlone(path) else { return recording }
    } catch {
      // Only 'retake recover' replaces a damaged index, so that it can be examined before.
      let folder = RecordingFolder(path: path)
      let isRepairable =
        switch error.code {
        case .unsupported: true
        case .corrupt, .notFound: try folder.lacksIndex()
        default: false
        }
      guard isRepairable else { throw error }
      guard try isLeftAlone(path) else { throw error }
    }
    return try repaired(path, onProgress, onFailure, onRepair)
  }

  private static func repaired(
    _ path: String, _ onProgress: @escaping (Int, Int) -> Void, _ onFailure: (RetakeError) -> Void,
    _ onRepair: (Repair.Report) -> Void
  ) throws(RetakeError) -> Recording {
    do throws(RetakeError) {
      let report = try Repair.finish(path: path, progress: onProgress)
      if report.chunkFileCount > 0 { onRepair(report) }
    } catch {
      // A read error hides frames that exist, so opening with the old index would lose them.
      if error.code == .inputOutput { throw error }
      // The existing index may still be usable.
      guard let recording = try? Recording(path: path), try !recording.chunkFiles().isEmpty else { throw error }
      onFailure(error)
      return recording
    }
    return try Recording(path: path)
  }

  /// Whether no recorder is running, and the folder is writable and changes stay in it.
  private static func isLeftAlone(_ path: String) throws(RetakeError) -> Bool {
    let folder = RecordingFolder(path: path)
    guard folder.linkInside == nil else { return false }
    for place in [folder.path, folder.chunksPath] where access(place, W_OK) != 0 {
      guard [EACCES, EPERM, EROFS, ENOENT].contains(errno) else { throw FileBytes.failure("open", place) }
      return false
    }
    return try FolderLock.isFree(folder)
  }
}
