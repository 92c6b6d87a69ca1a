import Dispatch
import FrameModel
import Interchange
import RecordingStore
import Support
import Synchronization
import TestSupport

/// Collects everything that a source delivers.
final class ImportedFrames: CaptureSink {
  struct Contents {
    var frames: [CapturedFrame] = []
    var losses: [CaptureLoss] = []
    var failure: RetakeError?
  }

  private let contents = Mutex(Contents())
  private let isDone = DispatchSemaphore(value: 0)

  static func all(of source: ImportSource) throws -> Contents {
    let sink = ImportedFrames()
    try source.device.start(delivering: sink)
    sink.isDone.wait()
    source.device.stop()
    return sink.contents.withLock { $0 }
  }

  func deliver(_ frame: CapturedFrame) {
    // Copied, since a source has few buffers.
    var copy = frame
    copy.buffer = FrameBuffer(byteCount: max(1, frame.byteCount))
    copy.buffer.mutableBytes.copyBytes(from: frame.buffer.copiedBytes.prefix(frame.byteCount))
    contents.withLock { $0.frames.append(copy) }
  }

  func report(_ loss: CaptureLoss) { contents.withLock { $0.losses.append(loss) } }

  func finished(_ error: RetakeError?) {
    contents.withLock { $0.failure = error }
    isDone.signal()
  }
}

extension ImportedFrames.Contents {
  /// Bytes of a stream's frames.
  func bytes(ofStream stream: Int) -> [[UInt8]] {
    frames.filter { $0.streamIndex == stream }.map { Array($0.buffer.copiedBytes.prefix($0.byteCount)) }
  }
}

extension Recording {
  /// Bytes of a stream's frames.
  func bytes(ofStream stream: Int) throws -> [[UInt8]] {
    let reader = try FrameReader(self)
    return try frameRows(stream: stream, from: 0, limit: 1000).map { try reader.frame($0).copiedBytes }
  }
}
