import FrameModel
import Support

/// A live device that is reopened after it was unplugged or stalled.
///
/// When the device reports `.disconnected`, or a stream exceeds its timeout, the gap of every
/// stream is reported. The device is then closed and reopened until frames arrive: many drivers
/// recover no other way. A thread for each device keeps a blocking driver from delaying others.
package final class SupervisedDevice: CaptureDevice {
  package typealias Opener = @Sendable () throws(RetakeError) -> any CaptureDevice

  package let name: String
  package let summary: String
  package let streams: [StreamDescription]
  package let isLive = true
  private let supervisor: DeviceSupervisor

  /// - Parameters:
  ///   - device: open, not started, and live.
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

  /// Returns within seconds, even if the driver never does. Must not be called within the sink.
  package func stop() { supervisor.stop() }

  /// When the device went away; nil while its frames arrive.
  package var awaySince: MonotonicTime? { supervisor.awaySince }
}
