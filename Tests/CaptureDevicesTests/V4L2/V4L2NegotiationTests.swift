import CV4L2
import CaptureDevices
import FrameModel
import Glibc
import Support
import Testing

/// What a camera is asked for, and what is made of its answer.
@Suite struct V4L2NegotiationTests {
  private typealias Listed = ScriptedVideoNode.Listed
  private static let vga = PictureSize(640, 480)
  private static let hd = PictureSize(1280, 720)

  private func node(_ listed: [Listed]) -> ScriptedVideoNode {
    let node = ScriptedVideoNode()
    node.listed = listed
    return node
  }

  private func rates(_ texts: String...) -> VideoRates { .list(texts.compactMap { FrameRate($0) }) }

  private func refusal(_ options: String, _ node: ScriptedVideoNode) -> RetakeError? {
    #expect(throws: RetakeError.self) { _ = try scriptedDevice(options, node) }
  }

  /// A webcam as they are: small pictures in YUYV, large ones in MJPG.
  private func webcam() -> ScriptedVideoNode {
    node([
      Listed(code: FourCC("YUYV"), sizes: .list([Self.hd, Self.vga]), rates: rates("30", "15", "5")),
      Listed(
        code: FourCC("MJPG"), sizes: .list([Self.vga, Self.hd, PictureSize(1920, 1080)]), rates: rates("60", "30")),
      Listed(code: FourCC("H264"), sizes: .list([Self.hd])),
    ])
  }

  @Test(arguments: [
    ("", "format YUYV 640x480"), ("size=1920x1080", "format MJPG 1920x1080"), ("fps=60", "format MJPG 640x480"),
    ("format=MJPG", "format MJPG 640x480"), ("fps=15&size=1280x720", "format YUYV 1280x720"),
    ("format=mjpeg&size=1280x720&fps=60", "format MJPG 1280x720"),
  ])
  func `the mode is the nearest to what is wanted`(_ options: String, _ call: String) throws {
    let node = webcam()
    let device = try scriptedDevice(options, node)
    #expect(node.calls.contains(call))
    #expect(device.streams.count == 1)
  }

  @Test func `a mode too slow for video comes after one that is fast enough`() throws {
    let node = node([
      Listed(code: FourCC("YUYV"), sizes: .list([Self.vga]), rates: rates("10")),
      Listed(code: FourCC("MJPG"), sizes: .list([Self.hd]), rates: rates("30")),
    ])
    let device = try scriptedDevice("", node)
    #expect(device.streams[0].layout.format == .jpeg)
    #expect(device.streams[0].rate == .thirty)
  }

  @Test(arguments: [
    ("YUYV", PixelFormat.yuyv, StreamKind.color), ("UYVY", .yuyv, .color), ("NV12", .nv12, .color),
    ("RGB3", .rgb24, .color),
    ("BGR3", .rgb24, .color), ("MJPG", .jpeg, .color), ("RGGB", .bayerRGGB8, .color), ("GRBG", .bayerGRBG8, .color),
    ("GBRG", .bayerGBRG8, .color), ("BA81", .bayerBGGR8, .color), ("GREY", .grey8, .color),
    ("Z16 ", .depthMillimeters16, .depth), ("Y16 ", .grey16, .infrared),
  ])
  func `every format has its pixels and its kind`(_ code: String, _ pixels: PixelFormat, _ kind: StreamKind) throws {
    let bytes = Array(code.utf8)
    let raw = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[$1]) << (8 * UInt32($1)) }
    let device = try scriptedDevice("", node([Listed(code: FourCC(rawValue: raw))]))
    #expect(device.streams[0].layout.format == pixels)
    #expect(device.streams[0].layout.isPacked)
    #expect(device.streams[0].kind == kind)
    #expect(device.streams[0].name == kind.rawValue)
    #expect(device.streams[0].settings.contains(.init("source-format", code.split(separator: " ").joined())))
    #expect(device.streams[0].device == "v4l2:scripted:Scripted Camera:test-1")
  }

  @Test(arguments: [
    ("kind=depth", "Z16 ", PixelFormat.depthMillimeters16, String?.none),
    ("depth-unit=100", "Z16 ", .grey16, "100"), ("kind=depth", "Y16 ", .depthMillimeters16, nil),
    ("kind=depth&depth-unit=125", "Y16 ", .grey16, "125"),
  ])
  func `depth in other units than millimetres says so`(
    _ options: String, _ code: String, _ pixels: PixelFormat, _ unit: String?
  ) throws {
    let device = try scriptedDevice(
      options, node([Listed(code: code == "Z16 " ? FourCC("Z16 ") : FourCC("Y16 "))]))
    let stream = device.streams[0]
    #expect(stream.kind == .depth)
    #expect(stream.layout.format == pixels)
    #expect(stream.settings.first { $0.name == StreamDescription.depthUnit }?.value == unit)
    // What is assumed is said, with what to do about it.
    #expect(device.summary.contains("1 mm is assumed: depth-unit=") == !options.contains("depth-unit"))
  }

  @Test func `ranges the wrong way round and sizes that cannot be are no end of the program`() throws {
    let (one, five, fifteen, sixty) = (
      try FrameRate(1), try FrameRate(5), try FrameRate(15), try FrameRate(60)
    )
    let range = VideoRates.range(from: .thirty, to: five)
    #expect(range.contains(fifteen) && !range.contains(sixty))
    #expect(range.best(upTo: .thirty) == .thirty && range.best(upTo: one) == five)
    let huge = PictureSize(Int(UInt32.max), Int(UInt32.max))
    let device = try scriptedDevice("", node([Listed(code: FourCC("YUYV"), sizes: .list([huge, Self.vga]))]))
    #expect(device.streams[0].layout.width == 640)
  }

  @Test func `a unit of depth for what is no depth is refused`() {
    #expect(refusal("depth-unit=100", webcam())?.code == .usage)
    #expect(refusal("depth-unit=100", node([Listed(code: FourCC("Y16 "))]))?.hint.contains("kind=depth") == true)
  }

  @Test func `a kind is looked for first in the format that is made for it`() throws {
    let node = node([Listed(code: FourCC("Y16 ")), Listed(code: FourCC("Z16 ")), Listed(code: FourCC("YUYV"))])
    #expect(try scriptedDevice("kind=depth", node).streams[0].settings.contains(.init("source-format", "Z16")))
    #expect(refusal("kind=infrared", self.node([Listed(code: FourCC("YUYV"))]))?.hint.contains("YUYV") == true)
  }

  @Test(arguments: [
    ("format=NV12", "NV12", "YUYV, MJPG"), ("size=641x480", "641x480", "640x480, 1280x720, 1920x1080"),
    ("size=1920x1080&format=YUYV", "1920x1080 in YUYV", "640x480, 1280x720"),
    ("fps=25", "25 frames per second", "30, 15, 5, 60"),
    ("fps=60&format=YUYV", "60 frames per second in YUYV", "30, 15, 5"),
  ])
  func `what a camera does not list is refused with what it does`(
    _ options: String, _ words: String, _ offer: String
  ) {
    let error = refusal(options, webcam())
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.hint.contains(offer) == true, "\(error?.hint ?? "")")
  }

  @Test func `a camera of nothing that is recorded says what it has`() {
    let error = refusal(
      "", node([Listed(code: FourCC("H264")), Listed(code: FourCC(rawValue: FourCC("Y16 ").rawValue | 1 << 31))]))
    #expect(error?.message.contains("H264, Y16-BE") == true)
    #expect(error?.hint.contains("YUYV") == true)
  }

  @Test func `formats that libv4l2 would make are not the camera's`() {
    let node = node([
      Listed(code: FourCC("MJPG")), Listed(code: FourCC("RGB3"), isEmulated: true),
    ])
    #expect(refusal("format=RGB24", node)?.hint == "it has MJPG")
  }

  @Test func `a format that changes silently is refused where it was asked for and said where it was not`() throws {
    let asked = webcam()
    asked.adjust = {
      VideoFormat(
        FourCC("YUYV"), $0.size, bytesPerRow: 2 * $0.size.width, byteCount: 2 * $0.size.width * $0.size.height)
    }
    let error = refusal("format=MJPG", asked)
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("asked for MJPG, but its driver set the format YUYV") == true)
    #expect(asked.isClosed)

    let unasked = webcam()
    unasked.adjust = asked.adjust
    let device = try scriptedDevice("fps=60", unasked)
    #expect(device.streams[0].layout.format == .yuyv)
    #expect(device.summary.contains("set YUYV instead of MJPG"))
    #expect(device.streams[0].settings.contains { $0.name == "note-1" && $0.value.contains("YUYV") })
  }

  @Test func `a size that changes silently is refused where it was asked for and said where it was not`() throws {
    let small: (VideoFormat) -> VideoFormat = {
      VideoFormat($0.code, PictureSize(320, 240), bytesPerRow: 640, byteCount: 153_600)
    }
    let asked = webcam()
    asked.adjust = small
    #expect(refusal("size=640x480", asked)?.message.contains("asked for 640x480, but its driver set 320x240") == true)
    let unasked = webcam()
    unasked.adjust = small
    let device = try scriptedDevice("", unasked)
    #expect(device.streams[0].layout.width == 320)
    #expect(device.summary.contains("320x240 instead of 640x480"))
  }

  @Test func `a rate that changes silently is refused where it was asked for and said where it was not`() throws {
    let asked = webcam()
    asked.adjustRate = { _ in FrameRate("15") }
    #expect(refusal("fps=30", asked)?.message.contains("asked for 30, but its driver set 15 frames") == true)
    let unasked = webcam()
    unasked.adjustRate = asked.adjustRate
    let device = try scriptedDevice("", unasked)
    #expect(device.streams[0].rate.description == "15")
    #expect(device.summary.contains("15 frames a second instead of 30"))
  }

  @Test(arguments: [
    ("10000000/333333", "30"), ("30000/1001", "30000/1001"), ("25", "25"), ("15/2", "15/2"),
  ])
  func `intervals that were rounded to 100 ns are whole rates`(_ driver: String, _ rate: String) throws {
    let node = webcam()
    node.adjustRate = { _ in FrameRate(driver) }
    #expect(try scriptedDevice("", node).streams[0].rate.description == rate)
  }

  @Test func `where a driver knows no rate one is assumed, and that is said`() throws {
    let node = node([Listed(code: FourCC("YUYV"), rates: .list([]))])
    node.setRateFailure = ENOTTY
    let device = try scriptedDevice("", node)
    #expect(device.streams[0].rate == .thirty)
    #expect(device.streams[0].settings.contains(.init("rate-source", "assumed")))
    #expect(device.summary.contains("assumed"))
    let asked = self.node([Listed(code: FourCC("YUYV"), rates: .list([]))])
    asked.setRateFailure = ENOTTY
    #expect(refusal("fps=30", asked)?.code == .unsupported)
  }

  @Test func `a digital input has its signal's size and rate`() throws {
    let node = node([
      Listed(
        code: FourCC("YUYV"),
        sizes: .range(from: PictureSize(16, 16), to: PictureSize(4096, 2160), step: PictureSize(2, 2)))
    ])
    node.currentInput = VideoInput(index: 0, name: "HDMI", problem: "no signal", signalRate: FrameRate("60"))
    let device = try scriptedDevice("", node)
    #expect(node.calls.contains("format YUYV 160x120"))
    #expect(device.streams[0].rate.description == "60")
    #expect(device.streams[0].settings.contains(.init("rate-source", "signal")))
    #expect(device.summary.contains("HDMI has no signal"))
  }

  @Test func `an input is chosen by its number`() throws {
    let node = webcam()
    node.currentInput = VideoInput(index: 0, name: "Composite")
    _ = try scriptedDevice("input=1", node)
    #expect(node.calls.first == "input 1")
    let without = webcam()
    without.failures["input"] = EINVAL
    #expect(refusal("input=3", without)?.message.contains("no input 3") == true)
  }

  @Test(arguments: [
    (PictureSize(640, 480), true), (PictureSize(641, 480), false), (PictureSize(48, 46), true),
    (PictureSize(16, 16), false),
    (PictureSize(4096, 2160), true), (PictureSize(5000, 2160), false),
  ])
  func `a range of sizes holds its steps`(_ size: PictureSize, _ isIn: Bool) {
    let range = VideoSizes.range(from: PictureSize(48, 32), to: PictureSize(4096, 2160), step: PictureSize(2, 2))
    #expect(range.contains(size) == isIn)
  }

  @Test func `a range of sizes without steps has one of each side at least`() {
    let range = VideoSizes.range(from: PictureSize(640, 480), to: PictureSize(640, 480), step: PictureSize(0, 0))
    #expect(range.contains(PictureSize(640, 480)))
    #expect(range.nearest(to: PictureSize(1, 1)) == PictureSize(640, 480))
  }

  @Test(arguments: [2, 3, 4, 7])
  func `interlaced fields are refused`(_ field: UInt32) {
    let node = webcam()
    node.adjust = {
      var format = $0
      format.field = field
      return format
    }
    let error = refusal("", node)
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("interlaced") == true)
  }

  @Test func `padding in the driver's rows is not delivered`() async throws {
    let node = ScriptedVideoNode([
      .frame(.scripted(5, byteCount: 1344 * 480), fill: 9), .failure(ENODEV, queueIsBroken: true),
    ])
    node.adjust = { VideoFormat($0.code, $0.size, bytesPerRow: 1344, byteCount: 1344 * 480) }
    let result = try await scriptedRun(node)
    #expect(result.frames.map(\.byteCount) == [1280 * 480])
    #expect(result.frames.allSatisfy { $0.flags.isEmpty && $0.layout.isPacked })
  }

  @Test(arguments: [1279, 1, 1 << 30])
  func `rows that cannot be are refused`(_ bytesPerRow: Int) {
    let node = webcam()
    node.adjust = { VideoFormat($0.code, $0.size, bytesPerRow: bytesPerRow, byteCount: 614_400) }
    #expect(refusal("", node)?.code == .device)
  }

  @Test(arguments: [
    (UInt32(V4L2_CAP_VIDEO_OUTPUT) | UInt32(V4L2_CAP_STREAMING)),
    UInt32(V4L2_CAP_META_CAPTURE) | UInt32(V4L2_CAP_STREAMING),
    UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_VIDEO_M2M) | UInt32(V4L2_CAP_STREAMING),
    UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_READWRITE),
  ])
  func `a node that is for something else is refused`(_ flags: UInt32) {
    let node = webcam()
    node.answer.flags = flags
    let error = refusal("", node)
    #expect(error?.code == .device)
    #expect(error?.message.contains("does not capture video") == true)
    #expect(error?.hint.isEmpty == false)
  }
}
