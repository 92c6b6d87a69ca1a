import ChunkFormat
import Foundation
import FrameModel
import Support
import Synchronization

/// Where a session is cut into recordings of their own.
package struct SplitOptions: Hashable, Sendable {
  /// A part is complete when it has come so far on the time line, or when its chunk files have so many bytes.
  package var nanoseconds: Int64?
  package var byteCount: Int?

  package init(nanoseconds: Int64?, byteCount: Int?) {
    self.nanoseconds = nanoseconds
    self.byteCount = byteCount
  }
}

/// The recordings of a session: one, or one after the other where it is split. All lie on one time line, so that a later
/// part begins where the one before it ended; frames are numbered from 0 in each.
final class RecordingParts {
  private let folder: RecordingFolder
  private let streams: [StreamDescription]
  private let options: RecorderOptions
  private let fileSystem: any FileSystem
  private var files: RecordingFiles
  private var identity: RecordingIdentity?
  private var folders: [RecordingFolder]
  private var partStart: PresentationTime?
  private var earlierByteCount = 0
  /// Of the present part.
  private var numbering: FrameNumbering
  /// For each frame that is written and whose faces have not come: what is written if they do not come.
  private var awaited: [FacesMessage] = []
  private let faceWatch: FaceWatch?
  /// The session has come to its largest size: what comes now is beyond its end.
  private(set) var isFull = false
  private var ownFailure: RetakeError?
  /// Finishing a part waits for the disk; the next one does not wait for that.
  private let closer = DispatchQueue(label: "retake.part-closer")
  private let closed: ClosedParts
  private var next: NextPart?

  /// How earlier parts ended, and of those that are still being closed how they stood.
  private final class ClosedParts: Sendable {
    let statuses = Mutex<[RecorderStatus]>([])
  }

  /// Makes the first recording's folder.
  init(
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
    // It would end the recording when its turn came.
    if options.split != nil, let taken = folder.existingParts().first {
      throw RetakeError(
        .inputOutput, "\(taken.path) already exists, but this session would use that name for a part.",
        hint: "choose another --output, or move the earlier session's parts away")
    }
    folders = [options.split == nil ? folder : folder.part(0)]
    files = try RecordingFiles(folders[0], streams: streams, options: options, fileSystem: fileSystem)
  }

  /// Of all parts together.
  var status: RecorderStatus {
    var all = files.status
    if folders.count > 1 { for status in closed.statuses.withLock({ $0 }) { all.add(status) } }
    all.failure = failure
    all.isFull = isFull
    all.folders = folders
    return all
  }

  var failure: RetakeError? {
    ownFailure ?? files.failure ?? closed.statuses.withLock { $0.lazy.compactMap(\.failure).first }
  }

  /// The first thing to record begins the time line.
  func begin(_ identity: RecordingIdentity) {
    self.identity = identity
    files.begin(identity)
  }

  func write(_ entry: RecordEntry) {
    if case .faces(let faces) = entry { return write(faces) }
    // Decided in the order of the entries, so that equal input ends at the same one.
    guard !isFull else { return }
    if let limit = options.largestByteCount, failure == nil, case .frame = entry,
      earlierByteCount + files.byteCount + entry.byteCount + RecorderOptions.endingByteCount > limit
    {
      isFull = true
      return
    }
    // At a master frame, so that what is paired with it comes along.
    if case .frame(_, _, streams.masterStream) = entry { splitIfDue(at: entry.presentation) }
    if case .frame(let message, _, let stream) = entry, stream == faceWatch?.stream {
      awaited.append(faceWatch!.skipped(number: message.number, at: message.timestamps.presentation))
    }
    if let entry = numbering.numbered(entry) { files.write(entry) }
  }

  /// Faces come after their frame. Where that is not in this part they are left out: an earlier part says that its frame
  /// was skipped.
  private func write(_ faces: FacesMessage) {
    if faces.stream == faceWatch?.stream,
      // One of the first, as they come about in the order of their frames.
      let position = awaited.firstIndex(where: { $0.frameNumber == faces.frameNumber })
    {
      awaited.remove(at: position)
    }
    if let entry = numbering.numbered(.faces(faces)) { files.write(entry) }
  }

  /// No more will be known of the frames whose faces have not come.
  private func endAwaited() {
    for message in awaited { write(message) }
    awaited = []
  }

  func flush() { files.flush() }

  func close() {
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
    // Making a folder and an index waits for the disk: it is done before it is needed.
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

  /// Files on their way to the closer, which alone has them from then on.
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
      status.failure = ending.files.failure
      closed.statuses.withLock { $0[position] = status }
    }
  }
}
