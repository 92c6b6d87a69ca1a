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
    let index: IndexDatabase
    do throws(RetakeError) {
      try folder.checkDiskSpace(keepFree: options.floorByteCount)
      lock = try FolderLock(folder)
      index = try IndexDatabase.create(at: folder.indexPath)
    } catch {
      // The same words can then be tried again.
      folder.removeEmpty()
      throw error
    }
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
      while let item = queue.pop() {
        switch item {
        case .frame(let frame, let stream, let droppedBefore, let fill):
          writer.write(frame, stream: stream, droppedBefore: droppedBefore, queueFill: fill ?? 0)
        case .loss(let loss, let stream): writer.write(loss, stream: stream)
        }
        // What is still in the queue then goes the same way, and is accounted for.
        if writer.failure != nil { queue.close() }
        publish(writer)
      }
      writer.close(droppedAtEnd: queue.droppedAtEnd)
      publish(writer)
    } catch {
      queue.close()
      state.withLock { $0.failure = error }
    }
  }

  private func publish(_ writer: RecordingWriter) {
    state.withLock {
      $0 = writer.status
      $0.failure = writer.failure
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
