import CV4L2
import CaptureDevices
import FrameModel
import Glibc
import Support
import Testing

/// Controls of a camera that runs.
@Suite struct CameraControlsTests {
  private static let automatic = VideoControl(
    id: 1, title: "Auto Exposure", kind: .boolean, minimum: 0, maximum: 1, defaultValue: 1)
  private static let exposure = VideoControl(
    id: 2, title: "Exposure", kind: .integer, minimum: 3, maximum: 2047, defaultValue: 250)
  private static let measured = VideoControl(
    id: 3, title: "Temperature", kind: .integer, minimum: 0, maximum: 100, defaultValue: 42,
    flags: UInt32(V4L2_CTRL_FLAG_READ_ONLY))

  private let node: ScriptedVideoNode
  private let controls: CameraControls

  init() {
    let node = ScriptedVideoNode()
    node.controlList = [Self.automatic, Self.exposure, Self.measured]
    self.node = node
    // Unsafe, but one test uses it on one thread.
    nonisolated(unsafe) let opened = node
    controls = CameraControls(path: "/dev/video7") { path throws(KernelError) in
      guard path == "/dev/video7", opened.failures["open"] == nil else { throw KernelError(ENODEV) }
      return opened
    }
  }

  @Test func `values are read from the camera, and set within its limits`() throws {
    #expect(try controls.list().map(\.value) == [1, 250, 42])
    try controls.set("exposure", to: "80")
    #expect(try controls.list().map(\.value) == [1, 80, 42])
    #expect(controls.settings().contains(.init("control.exposure", "80")))
    // The node notes only its first end.
    #expect(node.calls == ["close", "exposure 80"])
  }

  @Test(arguments: [
    ("exposure", "2", "does not accept 'exposure=2'"), ("exposure", "2048", "does not accept"),
    ("exposure", "x", "does not accept"), ("temperature", "1", "is read-only"),
    ("exposur", "5", "neither an option nor a control"),
    ("../etc/passwd", "1", "neither an option nor a control"),
  ])
  func `what a camera does not take is refused before it is asked`(name: String, value: String, sentence: String) {
    let error = #expect(throws: RetakeError.self) { try controls.set(name, to: value) }
    #expect(error?.code == .usage && error?.message.contains(sentence) == true, "\(error?.message ?? "")")
    #expect(node.calls == ["close"])
  }

  @Test func `a camera that returns gets again what was set, in order, and nothing else`() throws {
    try controls.set("auto_exposure", to: "0")
    try controls.set("exposure", to: "80")
    try controls.set("exposure", to: "90")
    node.values = [:]
    try controls.restore()
    #expect(node.calls.suffix(2) == ["auto_exposure 0", "exposure 90"])
  }

  @Test func `a refusal of the camera is an error, and is not set again`() throws {
    node.failures["exposure"] = EBUSY
    let error = #expect(throws: RetakeError.self) { try controls.set("exposure", to: "80") }
    #expect(error?.code == .device)
    node.failures = [:]
    try controls.restore()
    #expect(node.values[2] == nil)
  }

  @Test func `controls of a camera that is away are an error, and none are recorded`() {
    node.failures["open"] = ENODEV
    #expect(throws: RetakeError.self) { try controls.list() }
    #expect(controls.settings().isEmpty)
  }

  @Test func `only V4L2 cameras have controls that are set while they run`() throws {
    #expect(CameraControls(of: try DeviceSpecification("simulated")) == nil)
    #expect(CameraControls(of: try DeviceSpecification("v4l2:/dev/video0")) != nil)
  }
}
