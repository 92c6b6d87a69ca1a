import FrameModel
import Support

/// A source of frames: a camera, a simulated one, or a data set on disk.
///
/// The initialiser opens the device and reads back what the driver set; `streams` describes it.
/// Frames are delivered on the device's own threads, from `start` to `stop`.
package protocol CaptureDevice: AnyObject, Sendable {
  /// Driver, model and serial in one line, for messages.
  var summary: String { get }
  var streams: [StreamDescription] { get }
  /// A full recorder drops and counts a live device's frames; it makes other devices wait.
  var isLive: Bool { get }
  /// Wall-clock time of arrival 0, in nanoseconds since 1970; 0 if the source gives none.
  var wallClockNanoseconds: Int64 { get }

  /// Begins delivery. Call once.
  func start(delivering sink: any CaptureSink) throws(RetakeError)
  /// Ends delivery and waits for the device's threads, so that the sink is not called afterwards.
  /// Idempotent; allowed before `start`.
  func stop()
}

extension CaptureDevice {
  package var wallClockNanoseconds: Int64 { 0 }
}
