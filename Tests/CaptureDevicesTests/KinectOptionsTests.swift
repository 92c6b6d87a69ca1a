import CaptureDevices
import FrameModel
import Testing

@Suite struct KinectOptionsTests {
  private func options(_ text: String) throws -> KinectOptions {
    try KinectOptions(DeviceSpecification(text))
  }

  @Test func `a bare kinect is the first one, with colour, raw depth and motion`() throws {
    let options = try options("kinect")
    #expect(options.place == .index(0))
    #expect(options.video == .rgb)
    #expect(options.depth == .raw11)
    #expect(options.motion)
    #expect(options.tilt == nil)
    #expect(options.led == nil)
    #expect(options.given.isEmpty)
  }

  @Test func `every option is understood`() throws {
    let options = try options("kinect:1?video=bayer&depth=registered&motion=0&tilt=-30&led=blink-green")
    #expect(options.place == .index(1))
    #expect(options.video == .bayer)
    #expect(options.depth == .registered)
    #expect(!options.motion)
    #expect(options.tilt == -30)
    #expect(options.led == "blink-green")
    #expect(options.given == ["video", "depth", "motion", "tilt", "led"])
    #expect(try self.options("kinect?depth=mm").depth == .millimeters)
    #expect(try self.options("kinect?video=none&motion=0").video == .none)
  }

  @Test(arguments: ["A00364A08793107A", "012345678901"])
  func `a long place is a serial number`(_ serial: String) throws {
    #expect(try options("kinect:\(serial)").place == .serial(serial))
  }

  @Test(arguments: [
    "kinect?video=ir", "kinect?depth=11", "kinect?motion=yes", "kinect?tilt=31", "kinect?tilt=-31",
    "kinect?tilt=up", "kinect?led=blue", "kinect?size=640x480", "kinect:/dev/video0", "kinect:-1",
    "kinect:123", "kinect:ünïcödé1", "kinect?video=none&depth=none&motion=0",
  ])
  func `what a Kinect does not understand is wrong usage`(_ text: String) {
    let error = #expect(throws: RetakeError.self) { try options(text) }
    #expect(error?.code == .usage)
  }

  @Test(arguments: ["kinect?video=bayer", "kinect?depth=mm", "kinect?depth=registered"])
  func `fakenect is never asked for what it aborts on`(_ text: String) throws {
    let options = try options(text)
    let error = #expect(throws: RetakeError.self) { try options.checkForFakenect() }
    #expect(error?.code == .unsupported)
    #expect(error?.hint.isEmpty == false)
  }

  @Test(arguments: ["kinect:1", "kinect:A00364A08793107A"])
  func `fakenect has one Kinect`(_ text: String) throws {
    let options = try options(text)
    let error = #expect(throws: RetakeError.self) { try options.checkForFakenect() }
    #expect(error?.code == .notFound)
  }

  @Test(arguments: ["kinect", "kinect:0?video=none", "kinect?depth=none&tilt=5&led=off"])
  func `fakenect is asked for what it has`(_ text: String) throws {
    try options(text).checkForFakenect()
  }

  @Test func `without a Kinect the error says what to do next`() throws {
    // A machine with a Kinect cannot show this.
    guard KinectDevice.list().isEmpty else { return }
    let error = #expect(throws: RetakeError.self) { _ = try KinectDevice(DeviceSpecification("kinect")) }
    #expect(error?.code == .notFound || error?.code == .device)
    #expect(error?.hint.isEmpty == false)
  }
}
