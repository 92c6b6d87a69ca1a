import FaceDetection
import FrameModel
import Support
import Testing

/// What a finder advises where most frames have no face.
@Suite struct FaceAdviceTests {
  private func advice(
    _ detector: String, grey: UInt8, depthMillimeters: Int? = nil, size: (width: Int, height: Int) = (640, 480)
  ) throws -> String? {
    let layout = try FrameLayout(.grey8, width: size.width, height: size.height)
    let buffer = FrameBuffer(byteCount: layout.byteCount)
    for i in buffer.mutableBytes.indices { buffer.mutableBytes[i] = grey }
    let depth = try depthMillimeters.map { millimeters in
      try FaceSupport.depth(width: size.width, height: size.height) { _, _ in millimeters }
    }
    let finder = try FaceFinder(
      try #require(try FaceDetectorSpecification(detector).detector()),
      color: FaceSupport.stream(.color, layout),
      depth: depth.map { try FaceSupport.stream(.depth, $0.layout, [.init("registered", "1")]) })
    #expect(finder.advice(option: "--faces") == nil)
    for _ in 0..<3 {
      _ = try finder.faces(
        in: FramePicture(layout: layout, buffer: buffer, byteCount: layout.byteCount), depth: depth)
    }
    return finder.advice(option: "--faces")
  }

  @Test func `without depth smaller faces and another detector are advised`() throws {
    #expect(
      try advice("lbp", grey: 120)
        == "No face was found in 3 of 3 searched frames; if people face the camera there, try --faces "
        + "'lbp?minimum=18', which finds faces from 18 pixels on instead of 60, or --faces 'haar', which is slower and "
        + "finds more.")
  }

  @Test func `with depth smaller faces are searched already, unless an option excludes them`() throws {
    let usual = try #require(try advice("lbp", grey: 120, depthMillimeters: 3000))
    #expect(!usual.contains("minimum") && usual.contains("--faces 'haar'"))
    let excluded = try #require(try advice("lbp?minimum=80", grey: 120, depthMillimeters: 3000))
    #expect(excluded.contains("'lbp?minimum=18', which finds faces from 18 pixels on instead of 80"))
  }

  @Test func `light is advised in the dark alone, and a detector never itself`() throws {
    #expect(try #require(try advice("haar", grey: 12)).contains("try more light, --faces 'haar?minimum="))
    let bright = try #require(try advice("haar", grey: 200))
    #expect(!bright.contains("light") && !bright.contains("'haar'") && bright.contains("yunet:FILE.onnx"))
  }

  @Test(.enabled(if: FaceSupport.hasFixtures, "needs ../shared/fixtures, which a clone lacks"))
  func `nothing is advised where faces are found`() throws {
    let picture = try FaceSupport.picture(FaceSupport.fixture("astronaut.png"))
    let detector = try #require(try FaceDetectorSpecification("lbp").detector())
    let finder = try FaceFinder(detector, color: FaceSupport.stream(.color, picture.layout), depth: nil)
    #expect(try finder.faces(in: picture, depth: nil).count == 1)
    #expect(finder.advice(option: "--faces") == nil)
  }
}
