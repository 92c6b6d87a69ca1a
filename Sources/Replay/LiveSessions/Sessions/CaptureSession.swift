import CaptureDevices
import FrameModel
import Glibc
import RecordingStore
import Support

package enum CaptureSession {
  package struct Result {
    package var status: RecorderStatus
    package var failure: RetakeError?
    /// Whether every device delivered all its frames.
    package var isComplete: Bool
  }

  /// How long a recording waits beyond its duration for cameras that lag behind.
  private static let graceNanoseconds: Int64 = 2_000_000_000

  /// Runs the devices until `stop` is set, the devices end, a failure occurs, the recording is full,
  /// or every stream has reached the duration.
  /// - Parameters:
  ///   - durationNanoseconds: that of the recorder's options; nil for no limit.
  ///   - onFailure: called on a device's thread when it failed and others continue.
  ///   - progress: called fifty times a second.
  /// - Throws: the error of a device that does not start; the incomplete recording is removed then.
  package static func run(
    _ devices: DeviceSet, _ recorder: Recorder, _ stop: StopFlag, durationNanoseconds: Int64? = nil,
    endsAtFailure: Bool = false, onFailure: @escaping @Sendable (RetakeError) -> Void = { _ in },
    progress: (RecorderStatus) -> Void
  ) throws(RetakeError) -> Result {
    let start = MonotonicTime.now()
    let ends = DeviceEnds(devices, endsAtFailure: endsAtFailure, stop: stop, onFailure: onFailure)
    do throws(RetakeError) {
      try devices.start { device, firstStream in
        recorder.sink(firstStream: firstStream, isLive: device.isLive) { ends.note($0) }
      }
    } catch {
      _ = recorder.finish()
      recorder.removeAll()
      throw error
    }
    while !stop.isSet {
      usleep(20_000)
      let status = recorder.status
      progress(status)
      if status.isFull || status.failure != nil { break }
      if let durationNanoseconds {
        let beyond = MonotonicTime.now().nanoseconds - start.nanoseconds - durationNanoseconds
        if hasReachedEnd(devices, recorder.streams, status, isOver: beyond > 0) { break }
        if devices.isLive && beyond > graceNanoseconds { break }
      }
    }
    devices.stop()
    let status = recorder.finish()
    return Result(status: status, failure: ends.failure ?? status.failure, isComplete: ends.isComplete)
  }

  /// Whether all streams that have pictures have ended. A camera that is away has no time of its own,
  /// so it ends when the duration is over.
  private static func hasReachedEnd(
    _ devices: DeviceSet, _ streams: [StreamDescription], _ status: RecorderStatus, isOver: Bool
  ) -> Bool {
    let away = isOver ? devices.away : []
    let hasPictures = streams.contains { $0.kind != .motion }
    return streams.indices.allSatisfy { stream in
      hasPictures && streams[stream].kind == .motion || status.endedStreams.contains(stream)
        || away.contains { $0.streams.contains(stream) }
    }
  }
}
