import ChunkFormat
import Foundation
import FrameModel
import Synchronization

/// Records what devices deliver into a recording folder.
///
/// Devices deliver into a bounded queue from threads of their own; one writer thread encodes, writes chunk files and
/// keeps the accounts; another flushes finished files and fills the index. Nobody that feeds the queue ever waits for
/// the disk.
package final class Recorder: Sendable {
  private let queue: CaptureQueue
  private let state: Mutex<RecorderStatus>
  private let done = DispatchSemaphore(value: 0)
  private let lock: FolderLock
  package let folder: RecordingFolder
  package let streams: [StreamDescription]

  /// Makes the folder and its index, and starts the writer.
  /// - Throws: when the folder exists with something in it, or cannot be written, or the disk is nearly full.
  package init(folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions = RecorderOptions())
    throws(RetakeError)
  {
    precondition(!streams.isEmpty)
    try folder.create()
    try folder.checkDiskSpace(keepFree: options.floorByteCount)
    lock = try FolderLock(folder)
    let index = try IndexDatabase.create(at: folder.indexPath)
    self.folder = folder
    self.streams = streams
    queue = CaptureQueue(limit: options.queueLimit, streamCount: streams.count)
    state = Mutex(RecorderStatus(streamCount: streams.count))
    let thread = Thread { [self] in
      run(index: index, options: options)
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
    DeviceSink(queue: queue, firstStream: firstStream, isLive: isLive, onFinished: onFinished)
  }

  /// How it stands now.
  package var status: RecorderStatus {
    var status = state.withLock { $0 }
    status.queueDepth = queue.depth
    if let space = folder.diskSpace() { status.freeByteCount = space.free }
    return status
  }

  /// Writes what is in the queue, finishes the files and the index, and waits for it. Stop the devices first.
  package func finish() -> RecorderStatus {
    queue.close()
    done.wait()
    done.signal()  // so that a second call returns too
    return status
  }

  private func run(index: IndexDatabase, options: RecorderOptions) {
    do throws(RetakeError) {
      let writer = try RecordingWriter(folder: folder, streams: streams, index: index, options: options)
      var failure: RetakeError?
      do throws(RetakeError) {
        while let item = queue.pop() {
          switch item {
          case .frame(let frame, let stream, let droppedBefore, let fill):
            try writer.write(frame, stream: stream, droppedBefore: droppedBefore, queueFill: fill ?? 0)
          case .loss(let loss, let stream): try writer.write(loss, stream: stream)
          }
          state.withLock { $0 = writer.status }
        }
        try writer.close(droppedAtEnd: queue.droppedAtEnd)
      } catch {
        failure = error
        queue.close()
        while let item = queue.pop() {
          if case .frame(_, let stream, _, _) = item { writer.lose(stream: stream) }
        }
        writer.salvage(droppedAtEnd: queue.droppedAtEnd)
      }
      state.withLock {
        $0 = writer.status
        $0.failure = failure
      }
    } catch {
      queue.close()
      state.withLock { $0.failure = error }
    }
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

  /// After a recording with no frame: takes the folder away again, unless it holds anything but an empty index.
  package func removeIfEmpty() { folder.removeEmpty() }
}
