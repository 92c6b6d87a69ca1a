import ChunkFormat
import FrameModel
import Support

/// What a list of recordings shows of one of them.
package struct CatalogueEntry: Hashable, Sendable {
  package enum State: String, Sendable, CaseIterable {
    /// The recorder closed it. Whether its frames are intact is what `retake verify` checks.
    case whole
    /// A recorder is writing it.
    case recording
    /// Its recorder was killed: the next command that opens it repairs it.
    case unfinished
    /// It cannot be opened; `problem` says why.
    case damaged
    /// It may not be read, or the disk failed; `problem` says why.
    case unreadable
    /// A recorder was killed, or has just begun, before the first frame; or the folder is empty.
    case empty
    /// It was there at an earlier listing.
    case gone
  }

  package struct Stream: Hashable, Sendable {
    package var name: String
    package var format: String
    package var width: Int
    package var height: Int
    package var frameCount: Int
  }

  package var path: String
  package var state = State.damaged
  /// One sentence; empty without a problem.
  package var problem = ""
  package var id = ""
  /// Unix time of the first frame, nanoseconds; 0 if it is unknown.
  package var startNanoseconds: Int64 = 0
  package var durationNanoseconds: Int64 = 0
  package var frameSetCount = 0
  /// Number of the first frame set, which is not 0 for a part of a recording.
  package var firstNumber = 0
  /// Frames that are missing, damaged, late or unpaired: the sum of all events.
  package var eventCount = 0
  /// Of these, frames that the camera captured and the recording lacks.
  package var lossCount = 0
  package var faceFrameCount = 0
  /// Of the chunk files.
  package var byteCount = 0
  package var streams: [Stream] = []
  /// Labels of the marks, ordered by time.
  package var marks: [String] = []
  package var tags = RecordingTags()

  package init(path: String) { self.path = path }

  /// Reads a recording as it is. Repairs nothing.
  package static func read(_ path: String) -> CatalogueEntry {
    var entry = CatalogueEntry(path: path)
    do throws(RetakeError) {
      try entry.fill(Recording(path: path))
    } catch {
      entry.problem = error.message
      let folder = RecordingFolder(path: path)
      let isInUse = (try? FolderLock.isFree(folder)) == false
      if error.code == .inputOutput { entry.state = .unreadable }
      if folder.isEmpty { (entry.state, entry.problem) = (.empty, "It is an empty folder.") }
      if error.code == .notFound {
        entry.state = isInUse ? .recording : (try? RecordingFolder.exists(path)) == true ? .empty : .gone
        if entry.state == .recording { entry.problem = "" }
      }
    }
    return entry
  }

  private mutating func fill(_ recording: Recording) throws(RetakeError) {
    let summary = try recording.summary()
    id = recording.identity.id
    durationNanoseconds = Int64(min(max(0, summary.durationSeconds), 1e9) * 1e9)
    frameSetCount = summary.frameSetCount
    firstNumber = try recording.firstNumber()
    if recording.identity.hasWallClock {
      startNanoseconds = recording.identity.wallClockNanoseconds &+ (try recording.start()).nanoseconds
    }
    eventCount = summary.losses.reduce(0) { $0 + $1.count }
    lossCount = summary.lostCount
    faceFrameCount = summary.faceFrameCount
    byteCount = summary.storedByteCount
    streams = summary.streams.map {
      let layout = $0.description.layout
      return Stream(
        name: $0.description.name, format: layout.format.rawValue, width: layout.width, height: layout.height,
        frameCount: $0.frameCount)
    }
    state = .whole
    if !recording.isClosed { state = try FolderLock.isFree(recording.folder) ? .unfinished : .recording }
    // Tags and changed marks that cannot be read do not hide the rest.
    do throws(RetakeError) { marks = try recording.marks().map(\.label) } catch { problem = error.message }
    do throws(RetakeError) { tags = try recording.tags() } catch { problem = error.message }
    let damagedFiles = try recording.damagedChunkFiles()
    if !damagedFiles.isEmpty {
      problem = "\(damagedFiles.count) of its chunk files hold data that a repair could not read."
    }
    if problem.isEmpty, state != .recording, let missing = try recording.missingChunkFiles().first {
      (state, problem) = (.damaged, "\(missing).")
    }
  }
}
