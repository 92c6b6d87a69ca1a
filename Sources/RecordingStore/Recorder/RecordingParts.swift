import ChunkFormat
import Foundation
import FrameModel
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
  private var partNumber = 0
  private var partStart: PresentationTime?
  /// Frames of each stream in earlier parts.
  private var earlierCounts: [Int]
  private var ownFailure: RetakeError?
  /// Finishing a part waits for the disk; the next one does not wait for that.
  private let closer = DispatchQueue(label: "retake.part-closer")
  private let closed: ClosedParts

  /// How earlier parts ended, and of those that are still being closed how they stood.
  private final class ClosedParts: Sendable {
    let statuses = Mutex<[RecorderStatus]>([])
  }

  /// Makes the first recording's folder.
  init(
    _ folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions, fileSystem: any FileSystem
  ) throws(RetakeError) {
    self.folder = folder
    self.streams = streams
    self.options = options
    self.fileSystem = fileSystem
    closed = ClosedParts()
    earlierCounts = streams.map { _ in 0 }
    files = try RecordingFiles(
      options.split == nil ? folder : folder.part(0), streams: streams, options: options, fileSystem: fileSystem)
  }

  /// Of all parts together.
  var status: RecorderStatus {
    var all = files.status
    for status in closed.statuses.withLock({ $0 }) { all.add(status) }
    all.failure = failure
    all.isFull = isFull
    all.folders = (0...partNumber).map { options.split == nil ? folder : folder.part($0) }
    return all
  }

  var failure: RetakeError? {
    ownFailure ?? files.failure ?? closed.statuses.withLock { $0.lazy.compactMap(\.failure).first }
  }
  var isFull: Bool { files.isFull }

  /// The first thing to record begins the time line.
  func begin(_ identity: RecordingIdentity) {
    self.identity = identity
    files.begin(identity)
  }

  func write(_ entry: RecordEntry) {
    // At a master frame, so that what is paired with it comes along.
    if case .frame(_, _, streams.masterStream, _) = entry { splitIfDue(at: entry.presentation) }
    files.write(partNumber == 0 ? entry : entry.renumbered(less: earlierCounts))
  }

  func flush() { files.flush() }

  func close() {
    files.close()
    closer.sync {}
  }

  // MARK: Splitting

  private func splitIfDue(at time: PresentationTime) {
    let start = partStart ?? time
    partStart = start
    guard let split = options.split, failure == nil, let identity else { return }
    let isLong = split.nanoseconds.map { time.nanoseconds - start.nanoseconds >= $0 } ?? false
    let isLarge = split.byteCount.map { files.byteCount + RecorderOptions.endingByteCount >= $0 } ?? false
    guard isLong || isLarge else { return }
    do throws(RetakeError) {
      let next = try RecordingFiles(
        folder.part(partNumber + 1), streams: streams, options: options, fileSystem: fileSystem)
      closeInBackground(files)
      for stream in streams.indices { earlierCounts[stream] += files.status.frameCounts[stream] }
      files = next
      partNumber += 1
      partStart = time
      self.identity = identity.ofPart(partNumber)
      files.begin(identity.ofPart(partNumber))
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
