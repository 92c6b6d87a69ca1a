import ChunkFormat
import Foundation
import FrameModel
import Support
import Synchronization

package struct SplitOptions: Hashable, Sendable {
  /// A part ends at this duration or this total size of its chunk files, whichever comes first.
  package var nanoseconds: Int64?
  package var byteCount: Int?

  package init(nanoseconds: Int64?, byteCount: Int?) {
    self.nanoseconds = nanoseconds
    self.byteCount = byteCount
  }
}

/// The recordings of a session: one, or consecutive parts where it is split. All share one time
/// line, so a part begins where the previous one ended. Frame numbers start at 0 in each part.
package final class RecordingParts {
  private let folder: RecordingFolder
  private let streams: [StreamDescription]
  private let options: RecorderOptions
  private let fileSystem: any FileSystem
  private var files: RecordingFiles
  private var identity: RecordingIdentity?
  private var folders: [RecordingFolder]
  private var partStart: PresentationTime?
  private var earlierByteCount = 0
  private var numbering: FrameNumbering
  /// A "skipped" message for each written frame whose faces are pending; written if they never
  /// arrive.
  private var awaited: [FacesMessage] = []
  private let faceWatch: FaceWatch?
  package private(set) var isFull = false
  private var ownFailure: RetakeError?
  /// Closes finished parts, so that the next part does not wait for the disk.
  private let closer = DispatchQueue(label: "retake.part-closer")
  private let closed: ClosedParts
  private var next: NextPart?

  /// The status of each earlier part: final, or a snapshot while the part is being closed.
  private final class ClosedParts: Sendable {
    let statuses = Mutex<[RecorderStatus]>([])
  }

  package init(
    _ folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions, fileSystem: any FileSystem,
    faceWatch: FaceWatch? = nil
  ) throws(RetakeError) {
    self.folder = folder
    self.streams = streams
    self.options = options
    self.fileSystem = fileSystem
    closed = ClosedParts()
    numbering = FrameNumbering(streamCount: streams.count)
    self.faceWatch = faceWatch
    // An existing part folder would end the recording once its number is reached.
    if options.split != nil, let taken = folder.existingParts().first(where: { $0 != folder.part(0) || !$0.isEmpty }) {
      throw RetakeError(
        .inputOutput, "\(taken.path) already exists, but this session would use that name for a part.",
        hint: "choose another --output, or move the earlier session's parts away")
    }
    folders = [options.split == nil ? folder : folder.part(0)]
    files = try RecordingFiles(folders[0], streams: streams, options: options, fileSystem: fileSystem)
  }

  package var status: RecorderStatus {
    var all = files.status
    if folders.count > 1 { for status in closed.statuses.withLock({ $0 }) { all.add(status) } }
    all.failure = failure
    all.isFull = isFull
    // What is in the place of a folder that was moved is somebody else's.
    all.folders = files.isGone ? folders.dropLast() : folders
    return all
  }

  var failure: RetakeError? {
    ownFailure ?? files.failure ?? closed.statuses.withLock { $0.lazy.compactMap(\.failure).first }
  }

  package func begin(_ identity: RecordingIdentity) {
    self.identity = identity
    files.begin(identity)
  }

  package func write(_ entry: RecordEntry) {
    if case .faces(let faces) = entry { return write(faces) }
    // Checked in entry order, so that equal input stops at the same entry.
    guard !isFull else { return }
    if let limit = options.largestByteCount, failure == nil, case .frame = entry,
      earlierByteCount + files.byteCount + entry.byteCount + RecorderOptions.endingByteCount > limit
    {
      isFull = true
      return
    }
    guard files.makeRoom(for: entry) else {
      isFull = true
      return
    }
    // Ends before a frame set for which the disk has no room, as at the largest size.
    if failure == nil, case .frame(_, _, streams.masterStream) = entry, let full = files.lackOfSpace() {
      (ownFailure, isFull) = (full, true)
      return
    }
    // Splits only at a master frame, so that its partners are in the same part.
    if case .frame(_, _, streams.masterStream) = entry { splitIfDue(at: entry.presentation) }
    if case .frame(let message, _, let stream) = entry, stream == faceWatch?.stream {
      awaited.append(faceWatch!.skipped(number: message.number, at: message.timestamps.presentation))
    }
    if let entry = numbering.numbered(entry) { files.write(entry) }
  }

  /// Writes faces, which arrive after their frame. Faces of a frame in an earlier part are left
  /// out: that part already says the frame was skipped.
  private func write(_ faces: FacesMessage) {
    if faces.stream == faceWatch?.stream,
      // Usually near the front, since results arrive roughly in frame order.
      let position = awaited.firstIndex(where: { $0.frameNumber == faces.frameNumber })
    {
      awaited.remove(at: position)
    }
    if let entry = numbering.numbered(.faces(faces)) { files.write(entry) }
  }

  private func endAwaited() {
    for message in awaited { write(message) }
    awaited = []
  }

  func flush() { files.flush() }

  package func close() {
    endAwaited()
    files.close()
    closer.sync {}
    next?.take()?.discard()
    next = nil
  }

  // MARK: Splitting

  private func splitIfDue(at time: PresentationTime) {
    let start = partStart ?? time
    partStart = start
    guard let split = options.split, failure == nil, let identity else { return }
    let age = time.nanoseconds - start.nanoseconds
    let byteCount = files.byteCount + RecorderOptions.endingByteCount
    func isBeyond(_ part: Int) -> Bool {
      split.nanoseconds.map { age >= $0 / 4 * Int64(part) } ?? false
        || split.byteCount.map { byteCount >= $0 / 4 * part } ?? false
    }
    // Creating a folder and an index waits for the disk, so it starts at three quarters of a part.
    if next == nil && isBeyond(3) {
      next = NextPart(folder.part(folders.count), streams: streams, options: options, fileSystem: fileSystem)
    }
    guard isBeyond(4), let next else { return }
    self.next = nil
    do throws(RetakeError) {
      guard let following = try next.take()?.get() else { return }
      endAwaited()
      numbering = FrameNumbering(streamCount: streams.count)
      earlierByteCount += byteCount
      closeInBackground(files)
      files = following
      folders.append(following.folder)
      partStart = time
      files.begin(identity.ofPart(folders.count - 1))
    } catch {
      ownFailure = error
    }
  }

  /// Moves files to the closer queue. Unchecked: only that queue uses them afterwards.
  private struct Ending: @unchecked Sendable {
    let files: RecordingFiles
  }

  private func closeInBackground(_ files: RecordingFiles) {
    let ending = Ending(files: files)
    let position = closed.statuses.withLock {
      $0.append(files.status)
      return $0.count - 1
    }
    closer.async { [closed] in
      ending.files.close()
      var status = ending.files.status
      // A user may take finished parts away while the session goes on.
      status.failure = ending.files.isMovedWhole ? nil : ending.files.failure
      closed.statuses.withLock { $0[position] = status }
    }
  }
}
