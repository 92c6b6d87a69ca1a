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

  /// Runs the devices until `stop` is set, the devices end, a failure occurs, or `goesOn` returns
  /// false. `goesOn` is called fifty times a second.
  /// - Parameter onFailure: called on a device's thread when it failed and others continue.
  /// - Throws: the error of a device that does not start; the incomplete recording is removed then.
  package static func run(
    _ devices: DeviceSet, _ recorder: Recorder, _ stop: StopFlag, endsAtFailure: Bool = false,
    onFailure: @escaping @Sendable (RetakeError) -> Void = { _ in }, while goesOn: (RecorderStatus) -> Bool
  ) throws(RetakeError) -> Result {
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
      guard goesOn(status), status.failure == nil else { break }
    }
    devices.stop()
    let status = recorder.finish()
    return Result(status: status, failure: ends.failure ?? status.failure, isComplete: ends.isComplete)
  }
}
