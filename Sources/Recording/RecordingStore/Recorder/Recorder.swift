import ChunkFormat
import Foundation
import FrameModel
import Support
import Synchronization

/// Records frames from devices into a recording folder, or into several consecutive folders.
///
/// Devices push to a bounded queue from their own threads. One thread admits frames and has them
/// encoded; one writes chunk files; one syncs finished files and fills the index. A live device
/// never waits for the disk.
package final class Recorder: Sendable {
  private let queue: CaptureQueue
  private let output: EntryWriter
  private let state: Mutex<RecorderStatus>
  /// Signalled when no device delivers any more.
  private let finishing = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  private let idle: IdleTicker
  private let hasClock = Mutex(false)
  private let fileSystem: any FileSystem
  private let makeParts: @Sendable (RecordingFolder) throws(RetakeError) -> Void
  package let streams: [StreamDescription]

  /// Moves the writer to its thread. Unchecked: only that thread uses it afterwards.
  private struct SendableWriter: @unchecked Sendable {
    let writer: RecordingWriter
  }

  /// Creates the folder and its index, and starts the writer thread.
  /// - Parameters:
  ///   - folder: with `options.split`, the prefix of the folders' names. Nil with `options.markWindow` to make it when
  ///     `begin` is called; until then, nothing is on the disk.
  ///   - faces: the source of face detections.
  ///   - fileSystem: where chunk files are written.
  /// - Throws: when the folder is not empty or cannot be written, or the disk is nearly full.
  package init(
    folder: RecordingFolder?, streams: [StreamDescription], options: RecorderOptions = RecorderOptions(),
    faces: FaceRecording = .device, fileSystem: any FileSystem = RealFileSystem()
  ) throws(RetakeError) {
    precondition(!streams.isEmpty)
    if let taken = streams.first(where: { ChunkTopic.all.contains($0.name) }) {
      throw RetakeError(.unsupported, "The stream name '\(taken.name)' is reserved.", hint: "rename the stream")
    }
    let backlog = Backlog(byteLimit: options.waitingByteCount, nanosecondLimit: options.waitingNanoseconds)
    let box = SendableWriter(
      writer: try RecordingWriter(
        folder, streams: streams, options: options, fileSystem: fileSystem, faces: faces, backlog: backlog))
    output = box.writer.output
    makeParts = box.writer.opening
    self.streams = streams
    self.fileSystem = fileSystem
    queue = CaptureQueue(limit: options.queueLimit, streams: streams, backlog: backlog)
    idle = IdleTicker(queue)
    state = Mutex(box.writer.status)
    let thread = Thread { [self] in
      run(box.writer)
      done.signal()
    }
    thread.name = "retake.writer"
    thread.start()
  }

  /// Returns a sink for a device whose stream 0 is the recording's stream `firstStream`.
  /// - Parameter onFinished: called on the device's thread when the device has no more frames.
  package func sink(
    firstStream: Int, isLive: Bool, onFinished: @escaping @Sendable (RetakeError?) -> Void
  ) -> any CaptureSink {
    // Without a host clock, only frames may trigger a flush, so that equal input gives equal files.
    if isLive {
      idle.start()
      hasClock.withLock { $0 = true }
    }
    return DeviceSink(queue: queue, firstStream: firstStream, isLive: isLive, onFinished: onFinished)
  }

  /// Sets a mark at a host clock time.
  /// - Throws: `.usage` for a label that is too long or not one line.
  package func mark(_ label: String, at time: MonotonicTime) throws(RetakeError) {
    _ = try Mark(label: label, presentation: PresentationTime(nanoseconds: 0))
    _ = queue.push(mark: label, at: time)
  }

  /// Sets a mark at the current host time; without a host clock, at the current frame.
  /// - Returns: false after the recording has ended.
  /// - Throws: `.usage` for a label that is too long or not one line.
  package func markNow(_ label: String, at time: MonotonicTime = MonotonicTime.now()) throws(RetakeError) -> Bool {
    _ = try Mark(label: label, presentation: PresentationTime(nanoseconds: 0))
    return queue.push(mark: label, at: hasClock.withLock { $0 } ? time : nil)
  }

  /// Begins a recording whose folder is made now, with what the mark window holds and a mark.
  /// - Throws: as `init`; the recorder then waits as before.
  package func begin(in folder: RecordingFolder, mark label: String) throws(RetakeError) {
    try makeParts(folder)
    _ = try markNow(label)
  }

  /// The share in use of what live devices may queue. Dropping starts at three quarters.
  package var load: Double { queue.load }

  package var status: RecorderStatus {
    var status = state.withLock { $0 }.updated(with: output.status)
    status.queueDepth = queue.depth
    if let folder = status.folders.last, let space = fileSystem.space(of: folder.path) {
      status.freeByteCount = space.free
    }
    return status
  }

  /// Drains the queue, finishes the files and the index, and waits until that is done. Stop the
  /// devices first. Idempotent.
  package func finish() -> RecorderStatus {
    idle.end()
    queue.close()
    finishing.signal()
    done.wait()
    done.signal()  // so that a second call returns too
    return status
  }

  @Sendable private func markFromOutside(_ label: String, _ time: MonotonicTime) -> Bool {
    (try? markNow(label, at: time)) ?? false
  }

  private func run(_ writer: RecordingWriter) {
    var partCount = writer.status.folders.count
    var inbox = writer.status.folders.last.flatMap { MarkInboxReader($0, onMark: markFromOutside) }
    while let item = queue.pop() {
      switch item {
      case .frame(let frame, let stream, let droppedBefore, let isLive):
        writer.write(frame, stream: stream, droppedBefore: droppedBefore, isLive: isLive)
      case .loss(let loss, let stream): writer.write(loss, stream: stream)
      case .mark(let label, let time): writer.mark(label, at: time)
      case .idle: writer.flush()
      }
      let status = writer.status
      // Items still in the queue are processed too, so that they are accounted for.
      if status.failure != nil && !status.isFull { queue.close() }
      if status.folders.count > partCount {
        inbox?.end()
        partCount = status.folders.count
        inbox = MarkInboxReader(status.folders[partCount - 1], onMark: markFromOutside)
      }
      state.withLock { $0 = status }
    }
    inbox?.end()
    // Frames that arrive after a failure are lost too, until the devices are stopped.
    finishing.wait()
    writer.close(droppedAtEnd: queue.droppedAtEnd)
    state.withLock { $0 = writer.status }
  }
}

private struct DeviceSink: CaptureSink {
  let queue: CaptureQueue
  let firstStream: Int
  let isLive: Bool
  let onFinished: @Sendable (RetakeError?) -> Void

  func deliver(_ frame: CapturedFrame) {
    queue.push(frame, stream: firstStream + frame.streamIndex, waits: !isLive)
  }

  func report(_ loss: CaptureLoss) { queue.push(loss, stream: firstStream + loss.streamIndex) }

  func finished(_ error: RetakeError?) { onFinished(error) }
}

extension Recorder {
  /// Returns an id derived from the streams alone, for sources with reproducible frames.
  package static func id(of streams: [StreamDescription]) -> String {
    RecordingIdentity.id(of: streams)
  }

  /// For a recording without frames; keeps folders that hold more than an empty index.
  package func removeIfEmpty() { for folder in status.folders { folder.removeEmpty() } }

  /// Removes the recorded files, but no other files in the folders. Call after `finish`.
  package func removeAll() { for folder in status.folders { folder.removeAll() } }
}
