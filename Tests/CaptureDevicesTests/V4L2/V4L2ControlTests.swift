import CV4L2
import CaptureDevices
import FrameModel
import Glibc
import Support
import Testing

@Suite struct V4L2ControlTests {
  private static let exposureAuto = VideoControl(
    id: UInt32(V4L2_CID_EXPOSURE_AUTO), title: "Auto Exposure", kind: .menu, minimum: 0, maximum: 3, defaultValue: 3,
    menu: [.init(1, "Manual Mode"), .init(3, "Aperture Priority Mode")])
  private static let exposure = VideoControl(
    id: UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), title: "Exposure Time, Absolute", kind: .integer, minimum: 3, maximum: 2047,
    defaultValue: 250)
  private static let gain = VideoControl(
    id: 9, title: "Gain", kind: .integer, minimum: -8, maximum: 100, step: 4, defaultValue: 0)
  private static let flip = VideoControl(id: 10, title: "Horizontal Flip", kind: .boolean, minimum: 0, maximum: 1)
  private static let leds = VideoControl(id: 11, title: "LEDs", kind: .bitmask, minimum: 0, maximum: 0x80_000_003)
  private static let button = VideoControl(id: 12, title: "Do It", kind: .button, minimum: 0, maximum: 0)
  private static let measured = VideoControl(
    id: 13, title: "Temperature", kind: .integer, minimum: 0, maximum: 100, defaultValue: 42,
    flags: UInt32(V4L2_CTRL_FLAG_READ_ONLY))

  private func camera() -> ScriptedVideoNode {
    let node = ScriptedVideoNode()
    node.controlList = [
      Self.exposureAuto, Self.exposure, Self.gain, Self.flip, Self.leds, Self.button, Self.measured,
    ]
    return node
  }

  private func refusal(_ options: String, _ node: ScriptedVideoNode) -> RetakeError? {
    #expect(throws: RetakeError.self) { _ = try scriptedDevice(options, node) }
  }

  @Test(arguments: [
    ("Exposure, Auto", "exposure_auto"), ("Percentage of Dropped Buffers", "percentage_of_dropped_buffers"),
    ("Inject V4L2_BUF_FLAG_ERROR", "inject_v4l2_buf_flag_error"), ("  Pan (Relative)", "pan_relative"), ("", ""),
  ])
  func `names are v4l2-ctl's`(_ title: String, _ name: String) {
    #expect(VideoControl.name(of: title) == name)
  }

  @Test func `controls are set in the order in which they were given, before the mode`() throws {
    let node = camera()
    _ = try scriptedDevice("auto_exposure=1&format=YUYV&exposure_time_absolute=100&gain=8", node)
    #expect(
      node.calls.prefix(4) == [
        "auto_exposure 1", "exposure_time_absolute 100", "gain 8", "format YUYV 640x480",
      ])
  }

  @Test func `what is set is stored, with what was not touched`() throws {
    let device = try scriptedDevice("gain=8", camera())
    let settings = device.streams[0].settings
    #expect(settings.contains(.init("control.gain", "8")))
    #expect(settings.contains(.init("control.auto_exposure", "3")))
    #expect(settings.contains(.init("control.temperature", "42")))
    #expect(!settings.contains { $0.name == "control.do_it" })
  }

  @Test func `names from before kernel 5.16 go on to work`() throws {
    let node = camera()
    _ = try scriptedDevice("exposure_auto=1&exposure_absolute=77", node)
    #expect(node.calls.prefix(2) == ["auto_exposure 1", "exposure_time_absolute 77"])
  }

  @Test(arguments: [
    ("auto_exposure=manual_mode", "auto_exposure 1"), ("auto_exposure=Manual Mode", "auto_exposure 1"),
    ("horizontal_flip=on", "horizontal_flip 1"), ("leds=0x80000001", "leds 2147483649"), ("gain=-8", "gain -8"),
    ("do_it=1", "do_it 1"),
  ])
  func `values are written as people write them`(_ option: String, _ call: String) throws {
    let node = camera()
    _ = try scriptedDevice(option, node)
    #expect(node.calls.first == call)
  }

  @Test(arguments: [
    ("gain=101", "-8 to 100 in steps of 4"), ("gain=7", "in steps of 4"), ("gain=much", "-8 to 100"),
    ("gain=99999999999999999999", "-8 to 100"), ("horizontal_flip=2", "0 or 1"),
    ("auto_exposure=0", "1 (Manual Mode), 3 (Aperture Priority Mode)"), ("leds=4", "0 to 0x80000003"),
    ("do_it=2", "1, to press it"),
  ])
  func `a value out of range is refused with the range`(_ option: String, _ words: String) {
    let error = refusal(option, camera())
    #expect(error?.code == .usage)
    #expect(error?.hint.contains(words) == true, "\(error?.hint ?? "")")
  }

  @Test(arguments: [
    ("gian=4", "gain"), ("exposre_time_absolute=4", "exposure_time_absolute"), ("formt=YUYV", "format"),
  ])
  func `an unknown name is answered with the nearest`(_ option: String, _ nearest: String) {
    let error = refusal(option, camera())
    #expect(error?.code == .usage)
    #expect(error?.hint.contains("did you mean \(nearest)?") == true, "\(error?.hint ?? "")")
  }

  @Test func `a control that can only be read is not set`() {
    #expect(refusal("temperature=20", camera())?.message.contains("is read-only") == true)
  }

  @Test func `a value that the driver changes is refused, but for one that it measures itself`() throws {
    let node = camera()
    node.adjustControl = { _, _ in 250 }
    let error = refusal("exposure_time_absolute=100", node)
    #expect(error?.code == .device)
    #expect(error?.message.contains("to 250 instead of 100") == true)

    let measuring = camera()
    var control = Self.exposure
    control.flags = UInt32(V4L2_CTRL_FLAG_VOLATILE)
    measuring.controlList = [control]
    measuring.adjustControl = { _, _ in 250 }
    _ = try scriptedDevice("exposure_time_absolute=100", measuring)
    #expect(measuring.calls.first == "exposure_time_absolute 100")
  }

  @Test(arguments: [EBUSY, EIO, EINVAL])
  func `a control that the driver refuses is named`(_ number: Int32) {
    let node = camera()
    node.adjustControl = { _, _ throws(KernelError) in throw KernelError(number) }
    let error = refusal("gain=8", node)
    #expect(error?.code == .device)
    #expect(error?.message.contains("gain=8") == true)
    #expect(error?.hint.isEmpty == false)
  }
}
