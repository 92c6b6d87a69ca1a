import FrameModel
import Support

/// Delivers a device's frames to two sinks, such as a recorder and a display.
struct CaptureTee: CaptureSink {
  let first: any CaptureSink
  let second: any CaptureSink

  func deliver(_ frame: CapturedFrame) {
    first.deliver(frame)
    second.deliver(frame)
  }

  func report(_ loss: CaptureLoss) {
    first.report(loss)
    second.report(loss)
  }

  /// The caller passes the callback that counts devices to only one of the sinks.
  func finished(_ error: RetakeError?) {
    first.finished(error)
    second.finished(error)
  }
}
