import FrameModel

/// A source of frames: a camera, a simulated one, or a data set on disk.
///
/// A device is opened by its initialiser, which reads back what the driver really set; `streams` says so. It
/// delivers on threads of its own, from `start` to `stop`.
package protocol CaptureDevice: AnyObject, Sendable {
  /// Driver, model and serial, one line for people.
  var summary: String { get }
  var streams: [StreamDescription] { get }
  /// A live device cannot wait: what the recorder has no room for is dropped and counted. A device that is not
  /// live (a data set, a simulation faster than real time) is made to wait instead.
  var isLive: Bool { get }

  /// Begins to deliver. Call once.
  func start(delivering sink: any CaptureSink) throws(RetakeError)
  /// Ends delivery and waits for the device's threads: after it returns, the sink is not called again. May be
  /// called more than once, and before `start`.
  func stop()
}

/// Where a device's frames go. Called on the device's threads.
package protocol CaptureSink: Sendable {
  /// Takes the frame over. Returns at once for a live device, and when there is room for any other.
  func deliver(_ frame: CapturedFrame)
  /// Something was lost before there was a frame to deliver.
  func report(_ loss: CaptureLoss)
  /// No more frames will come: the end of a data set, or an error.
  func finished(_ error: RetakeError?)
}

/// Frames that were lost inside the device or its driver, so that nothing could be delivered.
package struct CaptureLoss: Hashable, Sendable {
  package var streamIndex: Int
  package var reason: FrameEvent.Reason
  package var count: Int
  package var arrival: MonotonicTime

  package init(streamIndex: Int, reason: FrameEvent.Reason, count: Int, arrival: MonotonicTime) {
    self.streamIndex = streamIndex
    self.reason = reason
    self.count = count
    self.arrival = arrival
  }
}
