import FrameModel
import Synchronization

/// Stops a device on a thread of its own, so that a driver that never returns holds up nobody.
final class DeviceRelease: Sendable {
  private final class Mark: Sendable {
    let isSet = Atomic<Bool>(false)
  }
  private let done = Mark()
  /// Nobody joins it: it ends when the driver lets it, or with the process.
  private let thread: DeliveryThread?

  init(_ device: any CaptureDevice) {
    let done = done
    let release: @Sendable () -> Void = {
      device.stop()
      done.isSet.store(true, ordering: .releasing)
    }
    thread = try? DeliveryThread { _ in release() }
    // Without a thread there is no other way.
    if thread == nil { release() }
  }

  var isDone: Bool { done.isSet.load(ordering: .acquiring) }

  /// - Returns: whether the device was let go of in time.
  func wait(nanoseconds: Int64) -> Bool { SupervisionOptions.wait(nanoseconds: nanoseconds) { isDone } }
}
