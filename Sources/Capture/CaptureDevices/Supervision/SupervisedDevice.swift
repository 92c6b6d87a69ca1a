import FrameModel
import Support
import Synchronization

/// A live device that is taken back when it was unplugged or stalled.
///
/// It forwards what the device delivers. When the device says that it is gone (`.disconnected`), or a stream of it brings
/// nothing for longer than it may, the gap is reported for each of its streams, and the device is closed and opened again
/// until its frames come: many a driver recovers no other way. Each has a supervisor of its own, on a thread of its own,
/// so that one which blocks holds up no other.
package final class SupervisedDevice: CaptureDevice {
  package typealias Opener = @Sendable () throws(RetakeError) -> any CaptureDevice

  /// As a person names it, for messages.
  package let name: String
  package let summary: String
  package let streams: [StreamDescription]
  package let isLive = true
  private let supervisor: DeviceSupervisor

  /// - Parameters:
  ///   - device: open, not started, and live.
  ///   - open: opens it again.
  ///   - onChange: called on the supervisor's thread, and not after `stop` has returned.
  package init(
    _ device: any CaptureDevice, name: String, options: SupervisionOptions = SupervisionOptions(),
    reopening open: @escaping Opener, onChange: @escaping @Sendable (SupervisionChange) -> Void
  ) {
    self.name = name
    summary = device.summary
    streams = device.streams
    supervisor = DeviceSupervisor(device, options: options, open: open, onChange: onChange)
  }

  deinit { supervisor.stop() }

  package func start(delivering sink: any CaptureSink) throws(RetakeError) {
    try supervisor.start(delivering: sink)
  }

  /// Takes no longer than a few seconds, even where the device's driver never returns. Not to be called from within the
  /// sink.
  package func stop() { supervisor.stop() }

  /// Since when it is away; nil while its frames come.
  package var awaySince: MonotonicTime? { supervisor.awaySince }
}
