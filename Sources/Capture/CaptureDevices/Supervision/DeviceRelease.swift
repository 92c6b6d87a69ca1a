import Synchronization

/// Stops a device on its own thread, so that a driver that never returns blocks nothing else.
final class DeviceRelease: Sendable {
  private let hasReturned = Atomic<Bool>(false)

  init(_ device: any CaptureDevice) {
    let release: @Sendable () -> Void = { [self] in
      device.stop()
      hasReturned.store(true, ordering: .releasing)
    }
    // Never joined: the thread ends when the driver returns, or with the process.
    if (try? DeliveryThread { _ in release() }) == nil { release() }
  }

  var isDone: Bool { hasReturned.load(ordering: .acquiring) }

  func wait(nanoseconds: Int64) -> Bool { SupervisionOptions.wait(nanoseconds: nanoseconds) { isDone } }
}
