import CV4L2
import FrameModel
import Glibc
import Support

/// Sets the requested controls of a camera, and reads all for the recording.
struct V4L2Controls {
  private let node: any VideoNode
  private let path: String
  private let controls: [VideoControl]

  init(_ node: any VideoNode, path: String) {
    self.node = node
    self.path = path
    controls = node.controls()
  }

  /// Applies controls in order: exposure can only be set once automatic exposure is off.
  /// - Throws: `.usage` for an unknown control or value, `.device` if the camera refuses it.
  func apply(_ settings: [DeviceSpecification.Option]) throws(RetakeError) {
    for setting in settings { try apply(setting) }
  }

  private func apply(_ setting: DeviceSpecification.Option) throws(RetakeError) {
    let control = try find(setting.name)
    guard let value = control.value(setting.value) else {
      throw RetakeError(
        .usage, "\(path) does not accept '\(setting.name)=\(setting.value)'.",
        hint: "\(setting.name) takes \(control.values)")
    }
    guard control.isWritable else {
      throw RetakeError(.usage, "'\(setting.name)' of \(path) is read-only.", hint: "leave it out")
    }
    let answer: Int64
    do throws(KernelError) {
      try node.set(control, to: value)
      guard control.isReadable else { return }
      answer = try node.value(of: control)
    } catch {
      throw RetakeError(
        .device, "\(path) did not accept \(setting.name)=\(setting.value): \(V4L2Failure.words(error)).",
        hint: [EBUSY, EACCES, EPERM].contains(error.number)
          ? "another program may hold the control, or an automatic mode may lock it"
          : "leave out the control, or try another value")
    }
    // Volatile controls keep changing, so they are not compared.
    guard answer == value || control.has(Int32(V4L2_CTRL_FLAG_VOLATILE)) else {
      throw RetakeError(
        .device, "\(path) set \(setting.name) to \(answer) instead of \(setting.value).",
        hint: "another control may override it, as automatic exposure does exposure; turn that one off first")
    }
  }

  private func find(_ name: String) throws(RetakeError) -> VideoControl {
    if let control = controls.first(where: { $0.name == name }) ?? controls.first(where: { $0.isCalled(name) }) {
      return control
    }
    let known = V4L2Options.parameters.declarations.map(\.name)
    let guess = Spelling.guess(name, in: known + controls.map(\.name))
    throw RetakeError(
      .usage, "\(path) has neither an option nor a control '\(name)'.",
      hint: "\(guess)'retake devices v4l2:\(path)' lists its controls")
  }

  /// The current values of all readable controls, as "control.brightness" and so on.
  func settings() -> [StreamDescription.Setting] {
    controls.compactMap { control in
      guard control.isReadable, let value = try? node.value(of: control) else { return nil }
      return StreamDescription.Setting("control.\(control.name)", "\(value)")
    }
  }
}
