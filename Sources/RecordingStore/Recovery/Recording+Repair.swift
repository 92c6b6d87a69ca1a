import FrameModel
import Glibc

extension Recording {
  /// Opens a recording; when its recorder was killed, or its index is gone or of an earlier version, repairs it first.
  ///
  /// One that a recorder is at work on is opened as it is, and so is one in a folder that may not be written to.
  /// - Parameter onRepair: called with what a repair found.
  /// - Throws: what opening throws, when there was nothing to repair or it did not help.
  package static func opening(_ path: String, onRepair: (Recovery.Report) -> Void) throws(RetakeError) -> Recording {
    var failure: RetakeError?
    do throws(RetakeError) {
      let recording = try Recording(path: path)
      if recording.isClosed || !isLeftAlone(path) { return recording }
    } catch {
      // A damaged index is somebody's to look at before it is replaced: 'retake recover' does.
      let folder = RecordingFolder(path: path)
      let isMissing = access(folder.chunksPath, F_OK) == 0 && access(folder.indexPath, F_OK) != 0
      guard isMissing || error.code == .unsupported, isLeftAlone(path) else { throw error }
      failure = error
    }
    do throws(RetakeError) {
      onRepair(try Recovery.run(path: path))
    } catch {
      // It could not be repaired; perhaps what there is will do.
      if let failure { throw failure }
      let recording = try Recording(path: path)
      // Killed before anything had reached the disk: there is nothing that will do.
      guard try !recording.chunkFiles().isEmpty else { throw error }
      return recording
    }
    return try Recording(path: path)
  }

  /// Whether nobody records into it, and it can be repaired.
  private static func isLeftAlone(_ path: String) -> Bool {
    let folder = RecordingFolder(path: path)
    guard access(folder.path, W_OK) == 0, access(folder.chunksPath, W_OK) == 0 else { return false }
    return (try? FolderLock(folder)) != nil
  }
}
