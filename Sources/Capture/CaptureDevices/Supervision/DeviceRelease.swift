import Synchronization

/// Stops a device on its own thread, so that a driver that never returns blocks nothing else.
final class DeviceRelease: Sendable {
  private final class Mark: Sendable {
    let isSet = Atomic<Bool>(false)
  }
  private let done = Mark()
  /// Never joined: it ends when the driver returns, or with the process.
  private let thread: DeliveryThread?

  init(_ device: any CaptureDevice) {
    let done = done
    let release: @Sendable () -> Void = {
      device.stop()
      done.isSet.store(true, ordering: .releasing)
    }
    thread = try? DeliveryThread { _ in release() }
    if thread == nil { release() }
  }

  var isDone: Bool { done.isSet.load(ordering: .acquiring) }

  func wait(nanoseconds: Int64) -> Bool { SupervisionOptions.wait(nanoseconds: nanoseconds) { isDone } }
}
