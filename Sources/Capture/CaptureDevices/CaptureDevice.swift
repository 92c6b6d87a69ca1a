import FrameModel
import Support

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
