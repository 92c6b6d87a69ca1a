import CaptureDevices
import FrameModel
import Support
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
    #expect(options.led == .blinkGreen)
    #expect(options.given == ["video", "depth", "motion", "tilt", "led"])
    #expect(try self.options("kinect?depth=mm").depth == .millimeters)
    #expect(try self.options("kinect?video=none&motion=0").video == .none)
  }

  @Test(arguments: [
    ("rgb", PixelFormat.rgb24, StreamKind.color, KinectUnpacking.none), ("bayer", .bayerGRBG8, .color, .none),
    ("yuv", .yuyv, .color, .swappedPairs), ("yuv-rgb", .rgb24, .color, .none), ("ir8", .grey8, .infrared, .none),
    ("ir10", .grey16, .infrared, .none), ("ir10-packed", .grey16, .infrared, .packed(.ten)),
  ])
  func `every video format has its pixels`(
    name: String, pixels: PixelFormat, kind: StreamKind, unpacking: KinectUnpacking
  ) throws {
    let video = try options("kinect?video=\(name)").video
    #expect(video.pixels == pixels)
    #expect(video.kind == kind)
    #expect(video.unpacking == unpacking)
  }

  @Test(arguments: [
    ("11bit", PixelFormat.kinectRaw11, KinectUnpacking.none), ("11bit-packed", .kinectRaw11, .packed(.eleven)),
    ("10bit", .grey16, .none), ("10bit-packed", .grey16, .packed(.ten)), ("mm", .depthMillimeters16, .none),
    ("registered", .depthMillimeters16, .none),
  ])
  func `every depth format has its pixels`(name: String, pixels: PixelFormat, unpacking: KinectUnpacking) throws {
    let depth = try options("kinect?depth=\(name)").depth
    #expect(depth.pixels == pixels)
    #expect(depth.unpacking == unpacking)
  }

  @Test func `libfreenect's frames have the bytes that unpacking expects`() throws {
    let layout = try FrameLayout(.grey16, width: 640, height: 488)
    #expect(KinectVideo.infrared10Packed.unpacking.byteCount(of: layout) == 640 * 488 * 10 / 8)
    let depth = try FrameLayout(.kinectRaw11, width: 640, height: 480)
    #expect(KinectDepth.raw11Packed.unpacking.byteCount(of: depth) == 640 * 480 * 11 / 8)
    #expect(KinectVideo.yuv.unpacking.byteCount(of: try FrameLayout(.yuyv, width: 640, height: 480)) == 640 * 480 * 2)
  }

  @Test func `high resolution goes with colour and, without depth, with infrared`() throws {
    #expect(try options("kinect?resolution=high").isHighResolution)
    #expect(try options("kinect?video=bayer&resolution=high").isHighResolution)
    #expect(try options("kinect?video=ir10&resolution=high&depth=none").isHighResolution)
    #expect(try !options("kinect?resolution=medium").isHighResolution)
  }

  @Test func `controls are facts of the streams that depend on them`() throws {
    let controls = try options("kinect?auto-exposure=0&mirror-depth=1&ir-brightness=20").controls
    #expect(controls.settings(.color) == [.init("auto-exposure", "0")])
    #expect(controls.settings(.depth) == [.init("mirror-depth", "1"), .init("ir-brightness", "20")])
    #expect(controls.settings(.infrared) == [.init("ir-brightness", "20")])
  }

  @Test(arguments: ["A00364A08793107A", "012345678901"])
  func `a long place is a serial number`(_ serial: String) throws {
    #expect(try options("kinect:\(serial)").place == .serial(serial))
  }

  @Test(arguments: [
    "kinect?video=ir", "kinect?depth=11", "kinect?depth=12bit", "kinect?resolution=low", "kinect?auto-exposure=2",
    "kinect?ir-brightness=0", "kinect?ir-brightness=51", "kinect?video=yuv&resolution=high",
    "kinect?video=yuv-rgb&resolution=high", "kinect?video=none&resolution=high", "kinect?video=ir8&resolution=high",
    "kinect?video=ir10&depth=registered", "kinect?video=ir8&auto-exposure=1", "kinect?depth=none&mirror-depth=1",
    "kinect?motion=often", "kinect?tilt=31", "kinect?tilt=-31",
    "kinect?tilt=up", "kinect?led=blue", "kinect?size=640x480", "kinect:/dev/video0", "kinect:-1",
    "kinect:123", "kinect:ünïcödé1", "kinect?video=none&depth=none&motion=0",
  ])
  func `what a Kinect does not understand is wrong usage`(_ text: String) {
    let error = #expect(throws: RetakeError.self) { try options(text) }
    #expect(error?.code == .usage)
  }

  @Test(arguments: [
    "kinect?video=bayer", "kinect?depth=mm", "kinect?depth=registered", "kinect?video=ir8", "kinect?resolution=high",
    "kinect?depth=11bit-packed", "kinect?auto-exposure=1",
  ])
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
