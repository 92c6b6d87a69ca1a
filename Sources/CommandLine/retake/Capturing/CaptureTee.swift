import FrameModel
import Support

/// Gives what a device delivers to two: who records, and who shows.
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

  /// One of the two tells who counts devices.
  func finished(_ error: RetakeError?) {
    first.finished(error)
    second.finished(error)
  }
}
