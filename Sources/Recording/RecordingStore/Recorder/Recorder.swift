import ChunkFormat
import Foundation
import FrameModel
import Support
import Synchronization

/// Records what devices deliver into a recording folder, or into several, one after the other.
///
/// Devices deliver into a bounded queue from threads of their own; one writer thread keeps the accounts and has frames
/// encoded; one writes chunk files; another flushes finished files and fills the index. No live device ever waits for the
/// disk.
package final class Recorder: Sendable {
  private let queue: CaptureQueue
  private let output: EntryWriter
  /// What the writer itself knows; the rest is `output`'s.
  private let state: Mutex<RecorderStatus>
  /// Of each stream, frames that the queue dropped at the end and that the recording says so of.
  private let accountedDrops: Mutex<[Int]>
  private let done = DispatchSemaphore(value: 0)
  private let idle: IdleTicker
  /// Whether a source keeps the host's time.
  private let hasClock = Mutex(false)
  private let fileSystem: any FileSystem
  package let streams: [StreamDescription]

  /// The writer on its way to its thread, which alone has it from then on.
  private struct SendableWriter: @unchecked Sendable {
    let writer: RecordingWriter
  }

  /// Makes the folder and its index, and starts the writer.
  /// - Parameters:
  ///   - folder: with `options.split`, what the folders' names begin with.
  ///   - faces: who looks for faces.
  ///   - fileSystem: where chunk files are written.
  /// - Throws: when the folder exists with something in it, or cannot be written, or the disk is nearly full.
  package init(
    folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions = RecorderOptions(),
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
    self.streams = streams
    self.fileSystem = fileSystem
    queue = CaptureQueue(limit: options.queueLimit, streams: streams, backlog: backlog)
    idle = IdleTicker(queue)
    accountedDrops = Mutex(streams.map { _ in 0 })
    state = Mutex(box.writer.status)
    let thread = Thread { [self] in
      run(box.writer)
      done.signal()
    }
    thread.name = "retake.writer"
    thread.start()
  }

  /// The sink of one device, whose first stream is `firstStream` of the recording's.
  /// - Parameter onFinished: called when the device has no more frames, on the device's thread.
  package func sink(
    firstStream: Int, isLive: Bool, onFinished: @escaping @Sendable (RetakeError?) -> Void
  ) -> any CaptureSink {
    // What waits for frames that come without a clock is decided by them, so that equal input gives equal files.
    if isLive {
      idle.start()
      hasClock.withLock { $0 = true }
    }
    return DeviceSink(queue: queue, firstStream: firstStream, isLive: isLive, onFinished: onFinished)
  }

  /// Sets a mark at a moment on the host's clock.
  /// - Throws: `.usage` for a label that is too long or not one line.
  package func mark(_ label: String, at time: MonotonicTime) throws(RetakeError) {
    _ = try Mark(label: label, presentation: PresentationTime(nanoseconds: 0))
    _ = queue.push(mark: label, at: time)
  }

  /// Sets a mark now: at a moment on the host's clock, or where the sources do not keep it, at what is being recorded.
  /// - Returns: whether it was taken: not after the recording's end.
  /// - Throws: `.usage` for a label that is too long or not one line.
  package func markNow(_ label: String, at time: MonotonicTime = MonotonicTime.now()) throws(RetakeError) -> Bool {
    _ = try Mark(label: label, presentation: PresentationTime(nanoseconds: 0))
    return queue.push(mark: label, at: hasClock.withLock { $0 } ? time : nil)
  }

  /// How it stands now.
  package var status: RecorderStatus {
    var status = state.withLock { $0 }.updated(with: output.status)
    status.queueDepth = queue.depth
    if let folder = status.folders.last, let space = fileSystem.space(of: folder.path) {
      status.freeByteCount = space.free
    }
    return status
  }

  /// Writes what is in the queue, finishes the files and the index, and waits for it. Stop the devices first.
  package func finish() -> RecorderStatus {
    idle.end()
    queue.close()
    done.wait()
    done.signal()  // so that a second call returns too
    var status = status
    // Frames that came after a failure had ended the recording.
    let late = queue.droppedAtEnd
    let known = accountedDrops.withLock { $0 }
    if status.failure != nil {
      for stream in streams.indices { status.dropped[.queue]![stream] += late[stream] - known[stream] }
    }
    return status
  }

  @Sendable private func markFromOutside(_ label: String, _ time: MonotonicTime) -> Bool {
    (try? markNow(label, at: time)) ?? false
  }

  private func run(_ writer: RecordingWriter) {
    var inbox = MarkInboxReader(writer.status.folders[0], onMark: markFromOutside)
    var partCount = 1
    while let item = queue.pop() {
      switch item {
      case .frame(let frame, let stream, let droppedBefore, let isLive):
        writer.write(frame, stream: stream, droppedBefore: droppedBefore, isLive: isLive)
      case .loss(let loss, let stream): writer.write(loss, stream: stream)
      case .mark(let label, let time): writer.mark(label, at: time)
      case .idle: writer.flush()
      }
      // What is still in the queue then goes the same way, and is accounted for.
      if writer.failure != nil { queue.close() }
      let status = writer.status
      if status.folders.count > partCount {
        // Marks go to the part that is being recorded.
        inbox?.end()
        partCount = status.folders.count
        inbox = MarkInboxReader(status.folders[partCount - 1], onMark: markFromOutside)
      }
      state.withLock { $0 = status }
    }
    inbox?.end()
    let droppedAtEnd = queue.droppedAtEnd
    accountedDrops.withLock { $0 = droppedAtEnd }
    writer.close(droppedAtEnd: droppedAtEnd)
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
  /// An id that depends on the streams alone, for sources that give the same frames every time.
  package static func id(of streams: [StreamDescription]) -> String {
    RecordingIdentity.id(of: streams)
  }

  /// After a recording with no frame: takes the folders away again, unless they hold anything but an empty index.
  package func removeIfEmpty() { for folder in status.folders { folder.removeEmpty() } }

  /// Takes away what was recorded, and nothing else that lies in its folders. After `finish`.
  package func removeAll() { for folder in status.folders { folder.removeAll() } }
}
