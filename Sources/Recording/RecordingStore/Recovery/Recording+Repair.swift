import FrameModel
import Glibc
import Support

extension Recording {
  /// Opens a recording; when its recorder was killed, or its index is gone or of an earlier version, repairs it first.
  ///
  /// One that a recorder is at work on is opened as it is, and so is one in a folder that may not be written to.
  /// - Parameters:
  ///   - onProgress: called during a repair, after each chunk file, with their number done and in all.
  ///   - onFailure: called with what kept it from being repaired, where it is opened all the same.
  ///   - onRepair: called with what a repair found.
  /// - Throws: what opening throws, when there was nothing to repair or it did not help; `.inputOutput` when the repair could
  ///   not read or write what it needs.
  package static func opening(
    _ path: String, onProgress: @escaping (Int, Int) -> Void = { _, _ in },
    onFailure: (RetakeError) -> Void = { _ in }, onRepair: (Recovery.Report) -> Void
  ) throws(RetakeError) -> Recording {
    do throws(RetakeError) {
      let recording = try Recording(path: path)
      if recording.isClosed { return recording }
      guard try isLeftAlone(path) else { return recording }
    } catch {
      // A damaged index is somebody's to look at before it is replaced: 'retake recover' does.
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
    _ onRepair: (Recovery.Report) -> Void
  ) throws(RetakeError) -> Recording {
    do throws(RetakeError) {
      let report = try Recovery.finish(path: path, progress: onProgress)
      if report.chunkFileCount > 0 { onRepair(report) }
    } catch {
      // Frames that a read error hides from a repair are there: what the index has is no substitute.
      if error.code == .inputOutput { throw error }
      // It could not be repaired; perhaps what there is will do.
      guard let recording = try? Recording(path: path), try !recording.chunkFiles().isEmpty else { throw error }
      onFailure(error)
      return recording
    }
    return try Recording(path: path)
  }

  /// Whether nobody records into it, and it can be repaired.
  private static func isLeftAlone(_ path: String) throws(RetakeError) -> Bool {
    let folder = RecordingFolder(path: path)
    for place in [folder.path, folder.chunksPath] where access(place, W_OK) != 0 {
      guard [EACCES, EPERM, EROFS, ENOENT].contains(errno) else { throw FileBytes.failure("open", place) }
      return false
    }
    return try FolderLock.isFree(folder)
  }
}
