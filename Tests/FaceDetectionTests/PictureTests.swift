import FaceDetection
import FrameModel
import Media
import Support
import Testing

@Suite struct PictureTests {
  @Test(
    .enabled(if: FaceSupport.hasFixtures, "needs ../shared/fixtures, which a clone lacks"), arguments: ["lbp", "haar"])
  func `the astronaut's face is found, once and where it is`(detector: String) throws {
    let faces = try FaceSupport.faces(detector, in: FaceSupport.fixture("astronaut.png"))
    try #require(faces.count == 1)
    // From the hairline to the chin, measured in the picture.
    let face = FaceObservation.Box(x: 172, y: 62, width: 102, height: 116)
    #expect(faces[0].box.overlap(with: face) > 0.5, "\(faces[0].box)")
    #expect(faces[0].confidence > 0.5)
    #expect(faces[0].framesSinceSeen == 0)
    #expect(faces[0].detector.hasPrefix("\(detector)-cascade opencv=4"))
    // She tilts her head to the picture's left by a few degrees.
    let roll = try #require(faces[0].roll)
    #expect(abs(roll) < 0.3)
    #expect(faces[0].yaw == nil && faces[0].pitch == nil)
  }

  @Test(
    .enabled(if: FaceSupport.hasFixtures, "needs ../shared/fixtures, which a clone lacks"), arguments: ["lbp", "haar"])
  func `there is no face in a cup of coffee`(detector: String) throws {
    #expect(try FaceSupport.faces(detector, in: FaceSupport.fixture("coffee.png")).isEmpty)
  }

  @Test func `a picture smaller than any face has none`() throws {
    #expect(try FaceSupport.faces("lbp", in: RGBImage(width: 1, height: 1)).isEmpty)
    #expect(try FaceSupport.faces("lbp", in: RGBImage(width: 23, height: 300, red: 80, green: 90, blue: 100)).isEmpty)
  }

  @Test(.enabled(if: FaceSupport.hasFixtures, "needs ../shared/fixtures, which a clone lacks"))
  func `a larger picture is made smaller, and boxes are in its own pixels`() throws {
    let small = try FaceSupport.fixture("astronaut.png")
    var large = RGBImage(width: small.width * 2, height: small.height * 2)
    for y in 0..<large.height {
      for x in 0..<large.width * 3 {
        large.pixels[y * large.width * 3 + x] = small.pixels[(y / 2 * small.width + x / 6) * 3 + x % 3]
      }
    }
    let image = try GreyImage(FrameLayout(.rgb24, width: large.width, height: large.height), usefulSide: 320)
    #expect(image.reduction == 2)
    let expected = try FaceSupport.faces("lbp", in: small)
    let found = try FaceSupport.faces("lbp", in: large)
    try #require(found.count == 1 && expected.count == 1)
    let halved = FaceObservation.Box(
      x: found[0].box.x / 2, y: found[0].box.y / 2, width: found[0].box.width / 2, height: found[0].box.height / 2)
    #expect(halved.overlap(with: expected[0].box) > 0.95)
  }

  @Test func `light is the same from every format of one grey scene`() throws {
    let (width, height) = (7, 5)
    let light = (0..<width * height).map { UInt8($0 * 7 % 256) }
    func grey(_ format: PixelFormat, stride: Int? = nil, _ byte: (Int, Int) -> UInt8) throws -> [UInt8] {
      let layout = try FrameLayout(format, width: width, height: height, bytesPerRow: stride)
      let buffer = FrameBuffer(byteCount: layout.byteCount)
      for y in 0..<layout.rowCount {
        for x in 0..<layout.bytesPerRow { buffer.mutableBytes[y * layout.bytesPerRow + x] = byte(x, y) }
      }
      let image = try GreyImage(layout, usefulSide: 320)
      try image.read(FramePicture(layout: layout, buffer: buffer, byteCount: layout.byteCount))
      return withExtendedLifetime(image) { Array(UnsafeBufferPointer(start: image.samples, count: width * height)) }
    }
    func at(_ x: Int, _ y: Int) -> UInt8 { light[min(y, height - 1) * width + min(x, width - 1)] }
    #expect(try grey(.grey8) { at($0, $1) } == light)
    #expect(try grey(.grey8, stride: 16) { at($0, $1) } == light)
    #expect(try grey(.rgb24) { at($0 / 3, $1) } == light)
    #expect(try grey(.yuyv) { $0 % 2 == 0 ? at($0 / 2, $1) : 128 } == light)
    #expect(try grey(.nv12) { $1 < height ? at($0, $1) : 128 } == light)
    // A mosaic mixes neighbours: an even scene stays even.
    #expect(try grey(.bayerGRBG8) { _, _ in 77 } == Array(repeating: 77, count: width * height))
  }

  @Test(.enabled(if: FaceSupport.hasFixtures, "needs ../shared/fixtures, which a clone lacks"))
  func `a JPEG is looked at as its pixels are`() throws {
    let image = try FaceSupport.fixture("astronaut.png")
    let file = try JPEGEncoder.encode(image, quality: 95)
    let layout = try FrameLayout(.jpeg, width: image.width, height: image.height)
    let buffer = FrameBuffer(byteCount: layout.byteCount)
    buffer.mutableBytes.copyBytes(from: file)
    let picture = FramePicture(layout: layout, buffer: buffer, byteCount: file.count)
    let detector = try #require(try FaceDetectorSpecification("lbp").detector())
    let finder = try FaceFinder(detector, color: FaceSupport.stream(.color, layout), depth: nil)
    let found = try finder.faces(in: picture, depth: nil)
    let expected = try FaceSupport.faces("lbp", in: image)
    try #require(found.count == 1 && expected.count == 1)
    #expect(found[0].box.overlap(with: expected[0].box) > 0.9)
  }

  @Test(.enabled(if: FaceSupport.hasFixtures, "needs ../shared/fixtures, which a clone lacks"))
  func `frames that are cut short or of another format are refused, and the next one is looked at`() throws {
    let picture = try FaceSupport.picture(FaceSupport.fixture("astronaut.png"))
    let detector = try #require(try FaceDetectorSpecification("lbp").detector())
    let finder = try FaceFinder(detector, color: FaceSupport.stream(.color, picture.layout), depth: nil)
    let cut = FramePicture(layout: picture.layout, buffer: picture.buffer, byteCount: picture.byteCount - 1)
    #expect(throws: RetakeError.self) { try finder.faces(in: cut, depth: nil) }
    let other = try FrameLayout(.grey8, width: 8, height: 8)
    let wrong = FramePicture(layout: other, buffer: FrameBuffer(byteCount: 64), byteCount: 64)
    #expect(throws: RetakeError.self) { try finder.faces(in: wrong, depth: nil) }
    #expect(try finder.faces(in: picture, depth: nil).count == 1)
  }

  @Test func `depth is no picture to look for faces in`() throws {
    let layout = try FrameLayout(.depthMillimeters16, width: 64, height: 48)
    let error = #expect(throws: RetakeError.self) { _ = try GreyImage(layout, usefulSide: 320) }
    #expect(error?.code == .unsupported)
  }
}
