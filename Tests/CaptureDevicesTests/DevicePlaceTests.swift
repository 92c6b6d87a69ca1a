import CaptureDevices
import FrameModel
import TestSupport
import Testing

/// Which device a name means.
@Suite struct DevicePlaceTests {
  @Test(arguments: [
    ("v4l2:7?format=YUYV", "v4l2:/dev/video7?format=YUYV"), ("v4l2:video7", "v4l2:/dev/video7"),
    ("v4l2:/dev/video7?fps=30", "v4l2:/dev/video7?fps=30"), ("v4l2:nonsense", "v4l2:nonsense"),
    ("v4l2:7?size=x", "v4l2:7?size=x"), ("kinect?depth=mm", "kinect:0?depth=mm"), ("kinect:01", "kinect:1"),
    ("kinect:A00364813041039A", "kinect:A00364813041039A"), ("simulated?seed=3", "simulated?seed=3"),
  ])
  func `a place is spelled out, and the options stay`(_ text: String, _ whole: String) throws {
    #expect(try DeviceSpecification(text).resolved.text == whole)
  }

  @Test(arguments: [
    ("kinect:1?depth=mm&motion=0", "A00364813041039A", "kinect:A00364813041039A?depth=mm&motion=0"),
    ("kinect", "A00364813041039A", "kinect:A00364813041039A"), ("kinect:0", "0000000000000000", "kinect:0"),
    ("kinect:0", "12", "kinect:0"), ("kinect:0", "a b", "kinect:0"), ("kinect:0", nil, "kinect:0"),
    ("v4l2:/dev/video0", "A00364813041039A", "v4l2:/dev/video0"),
  ])
  func `a Kinect that is open is known by its serial number where it has one`(
    _ text: String, _ serial: String?, _ pinned: String
  ) throws {
    var stream = try TestFrames.stream("color", .color, FrameLayout(.grey8, width: 8, height: 4))
    stream.settings = serial.map { [.init("serial", $0)] } ?? []
    #expect(try DeviceSpecification(text).pinned(to: [stream]).text == pinned)
  }

  @Test func `an option is taken by kinds that list it, a control by those that have controls`() {
    #expect(DeviceCatalog.takes("size", kind: "simulated") && DeviceCatalog.takes("size", kind: "v4l2"))
    #expect(!DeviceCatalog.takes("size", kind: "kinect") && DeviceCatalog.takes("tilt", kind: "kinect"))
    #expect(DeviceCatalog.takes("gain", kind: "v4l2") && !DeviceCatalog.takes("gain", kind: "simulated"))
    #expect(!DeviceCatalog.takes("size", kind: "nothing"))
  }
}
