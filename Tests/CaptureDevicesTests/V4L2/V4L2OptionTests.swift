import CaptureDevices
import FrameModel
import Support
import Testing

@Suite struct V4L2OptionTests {
  private func options(_ text: String) throws -> V4L2Options { try V4L2Options(DeviceSpecification(text)) }

  @Test(arguments: [
    ("v4l2", String?.none), ("v4l2:0", "/dev/video0"), ("v4l2:12", "/dev/video12"), ("v4l2:video3", "/dev/video3"),
    ("v4l2:/dev/video1", "/dev/video1"),
    (
      "v4l2:/dev/v4l/by-path/pci-0000:00:14.0-usb-0:1:1.0-video-index0",
      "/dev/v4l/by-path/pci-0000:00:14.0-usb-0:1:1.0-video-index0"
    ),
  ])
  func `a camera is named by number, node or lasting name`(_ text: String, _ path: String?) throws {
    #expect(try options(text).path == path)
  }

  @Test(arguments: ["v4l2:camera", "v4l2:-1", "v4l2:1234", "v4l2:video", "v4l2:video1x", "v4l2:./video0"])
  func `what names no camera is refused`(_ text: String) {
    let error = #expect(throws: RetakeError.self) { try options(text) }
    #expect(error?.code == .usage)
    #expect(error?.hint.contains("v4l2:0") == true)
  }

  @Test func `options of its own and the camera's controls are told apart`() throws {
    let all = try options("v4l2:0?gain=3&format=yuy2&size=320x240&fps=30000/1001&kind=color&input=2&exposure_auto=1")
    #expect(all.format?.name == "YUYV")
    #expect(all.size == PictureSize(320, 240))
    #expect(all.rate?.description == "30000/1001")
    #expect(all.kind == .color)
    #expect(all.input == 2)
    #expect(all.controls.map(\.name) == ["gain", "exposure_auto"])
    #expect(all.controls.map(\.value) == ["3", "1"])
  }

  @Test(arguments: [
    ("format=YVYU", RetakeError.Code.unsupported, "YUYV"), ("size=640", .usage, ""), ("fps=0", .usage, ""),
    ("kind=alpha", .usage, ""), ("format=YUYV&kind=depth", .usage, "color"),
    ("format=Y16&kind=color", .usage, "infrared or depth"),
    ("depth-unit=0", .usage, ""), ("input=x", .usage, ""),
  ])
  func `what cannot be is refused before a camera is opened`(
    _ text: String, _ code: RetakeError.Code, _ hint: String
  ) {
    let error = #expect(throws: RetakeError.self) { try options("v4l2:0?\(text)") }
    #expect(error?.code == code)
    #expect(hint.isEmpty || error?.hint.contains(hint) == true, "\(error?.hint ?? "")")
  }

  @Test(arguments: CameraFormat.all)
  func `every format is found by each of its names, in any case`(_ format: CameraFormat) {
    for name in [format.name] + format.otherNames {
      #expect(CameraFormat.named(name) == format)
      #expect(CameraFormat.named(name.lowercased()) == format)
    }
    #expect(CameraFormat.of(format.code) == format)
  }
}
