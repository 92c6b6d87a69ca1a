import FrameModel
import Support

/// Delivers a device's frames to two sinks, such as a recorder and a display.
package struct CaptureTee: CaptureSink {
  private let first: any CaptureSink
  private let second: any CaptureSink

  package init(_ first: any CaptureSink, _ second: any CaptureSink) { (self.first, self.second) = (first, second) }

  package func deliver(_ frame: CapturedFrame) {
    first.deliver(frame)
    second.deliver(frame)
  }

  package func report(_ loss: CaptureLoss) {
    first.report(loss)
    second.report(loss)
  }

  /// The caller passes the callback that counts devices to only one of the sinks.
  package func finished(_ error: RetakeError?) {
    first.finished(error)
    second.finished(error)
  }
}
