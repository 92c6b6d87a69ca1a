import FrameModel
import Support
import Synchronization

/// Controls of a V4L2 camera that runs, such as exposure. Each call opens the camera's node beside the one that streams, as
/// V4L2 allows.
package final class CameraControls: Sendable {
  package typealias Opener = @Sendable (_ path: String) throws(KernelError) -> any VideoNode

  /// What the names of a stream's settings begin with.
  package static let settingPrefix = "control."

  private let path: String
  private let open: Opener
  /// What was set here, in order: exposure can only be set once automatic exposure is off.
  private let changes = Mutex<[DeviceSpecification.Option]>([])
  /// One thread at a time.
  private let lock = Mutex(())

  package init(path: String, open: @escaping Opener) { (self.path, self.open) = (path, open) }

  /// Nil for devices whose controls cannot be changed while they run.
  package convenience init?(of specification: DeviceSpecification) {
    guard specification.kind == "v4l2", let options = try? V4L2Options(specification),
      let path = try? V4L2Device.path(of: options)
    else { return nil }
    self.init(path: path) { path throws(KernelError) in try LinuxVideoNode(path: path) }
  }

  /// All controls, and their values as the camera says them.
  /// - Throws: `.notFound`, `.device` while the camera is away.
  package func list() throws(RetakeError) -> [DeviceDetails.Control] {
    try withNode { node throws(RetakeError) in
      node.controls().map { control in
        DeviceDetails.Control(control: control, value: control.isReadable ? try? node.value(of: control) : nil)
      }
    }
  }

  /// - Throws: `.usage` for an unknown control or a value that it does not take; `.device` if the camera refuses it.
  package func set(_ name: String, to value: String) throws(RetakeError) {
    let option = DeviceSpecification.Option(name: name, value: value)
    try withNode { node throws(RetakeError) in try V4L2Controls(node, path: path).apply([option]) }
    changes.withLock { changes in
      changes.removeAll { $0.name == name }
      changes.append(option)
    }
  }

  /// Sets again what was set, after the camera returned.
  /// - Throws: as `set(_:to:)`.
  package func restore() throws(RetakeError) {
    let changes = changes.withLock { $0 }
    guard !changes.isEmpty else { return }
    try withNode { node throws(RetakeError) in try V4L2Controls(node, path: path).apply(changes) }
  }

  /// The current values as a recording keeps them; empty while the camera is away.
  package func settings() -> [StreamDescription.Setting] {
    (try? withNode { node throws(RetakeError) in V4L2Controls(node, path: path).settings() }) ?? []
  }

  private func withNode<Value: Sendable>(
    _ body: (any VideoNode) throws(RetakeError) -> Value
  ) throws(RetakeError) -> Value {
    let result: Result<Value, RetakeError> = lock.withLock { _ in
      Result { () throws(RetakeError) in
        let node = try V4L2Failure.opening(path) { () throws(KernelError) in try open(path) }
        defer { node.close() }
        return try body(node)
      }
    }
    return try result.get()
  }
}
