import FaceDetection
import FrameModel
import Media
import Support
import TestSupport
import Testing

/// A real face, as small as it is at 2 to 4 m, with the depth of a person there.
@Suite(.enabled(if: FaceSupport.hasFixtures, "needs ../shared/fixtures, which a clone lacks"))
struct DistantFaceTests {
  private static let focal = 525.0
  /// Of the astronaut, measured in the picture.
  private static let face = FaceObservation.Box(x: 172, y: 62, width: 102, height: 116)

  /// A person before a wall.
  private struct Scene {
    var size = (width: 640, height: 480)
    /// Of the face, 15 cm wide.
    var meters = 2.0
    /// Where depth says that the person is; nil for the truth.
    var depthMeters: Double?
    var wallMeters = 5.5
    var middle = (x: 320.0, y: 160.0)
    var hasBlackHair = false
    var seed: UInt64 = 1

    var focal: Double { DistantFaceTests.focal * Double(size.width) / 640 }
    var width: Double { focal * 0.15 / meters }
    var box: FaceObservation.Box {
      let height = width * DistantFaceTests.face.height / DistantFaceTests.face.width
      return FaceObservation.Box(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height)
    }
  }

  /// The astronaut, reduced by the mean of the pixels that each new one covers, before coffee.
  private func picture(_ scene: Scene) throws -> RGBImage {
    let person = try FaceSupport.fixture("astronaut.png")
    let room = try FaceSupport.fixture("coffee.png")
    var generator = SeededGenerator(seed: scene.seed)
    var image = RGBImage(width: scene.size.width, height: scene.size.height)
    let step = Self.face.width / scene.width
    for y in 0..<image.height {
      for x in 0..<image.width {
        let left = Self.face.centerX + (Double(x) - scene.middle.x) * step
        let top = Self.face.centerY + (Double(y) - scene.middle.y) * step
        let columns = Int(left)..<Int(left + step)
        let rows = Int(top)..<Int(top + step)
        let isPerson = left >= 0 && top >= 0 && columns.upperBound <= person.width && rows.upperBound <= person.height
        for channel in 0..<3 {
          var value = Int(
            room.pixels[(y * room.height / image.height * room.width + x * room.width / image.width) * 3 + channel])
          if isPerson {
            var sum = 0
            for row in rows {
              for column in columns { sum += Int(person.pixels[(row * person.width + column) * 3 + channel]) }
            }
            value = sum / (rows.count * columns.count)
          }
          value += generator.next(below: 9) - 4
          image.pixels[(y * image.width + x) * 3 + channel] = UInt8(min(max(value, 0), 255))
        }
      }
    }
    return image
  }

  /// A head and shoulders, with what a structured-light camera does not measure at their left.
  private func depth(_ scene: Scene) throws -> FramePicture {
    let near = scene.depthMeters ?? scene.meters
    let face = scene.width
    return try FaceSupport.depth(width: scene.size.width, height: scene.size.height) { x, y in
      let (dx, dy) = ((Double(x) - scene.middle.x) / face, (Double(y) - scene.middle.y) / face)
      func isPerson(_ dx: Double) -> Bool {
        dx * dx / 0.5 + (dy + 0.1) * (dy + 0.1) / 0.8 < 1 || dy > 0.75 && abs(dx) < min(1.6, 0.5 + (dy - 0.75) * 3)
      }
      if isPerson(dx) { return scene.hasBlackHair && dy < -0.25 ? 0 : Int(near * 1000) }
      return isPerson(dx + 0.2) && near < scene.wallMeters ? 0 : Int(scene.wallMeters * 1000)
    }
  }

  private func faces(_ detector: String, _ scene: Scene, hasDepth: Bool = true) throws -> [FaceObservation] {
    let picture = try FaceSupport.picture(picture(scene))
    let depth = try depth(scene)
    let detector = try #require(try FaceDetectorSpecification(detector).detector())
    let finder = try FaceFinder(
      detector, color: FaceSupport.stream(.color, picture.layout),
      depth: FaceSupport.stream(
        .depth, depth.layout, [.init("registered", "1"), .init("focal-x", "\(scene.focal)")]))
    return try finder.faces(in: picture, depth: hasDepth ? depth : nil)
  }

  private func scenes(_ meters: Double, size: (width: Int, height: Int) = (640, 480)) -> [Scene] {
    [(0.5, 0.33), (0.21, 0.31), (0.77, 0.3), (0.4, 0.52), (0.63, 0.41)].enumerated().map { index, place in
      Scene(
        size: size, meters: meters, middle: (Double(size.width) * place.0, Double(size.height) * place.1),
        seed: UInt64(index))
    }
  }

  @Test(arguments: ["lbp", "haar"], [1.75, 2, 2.5, 3, 3.5, 4])
  func `a face at 2 to 4 m is found where it is, and nothing else`(detector: String, meters: Double) throws {
    var foundCount = 0
    for scene in scenes(meters) {
      let faces = try faces(detector, scene)
      foundCount += faces.count { $0.box.overlap(with: scene.box) > 0.4 }
      #expect(faces.count <= 1, "\(scene.middle): \(faces.map(\.box))")
    }
    #expect(foundCount == 5)
  }

  @Test(arguments: [2.0, 3, 4])
  func `in a larger picture it is found too`(meters: Double) throws {
    for scene in scenes(meters, size: (1280, 720)) {
      let faces = try faces("lbp", scene)
      #expect(faces.count == 1 && faces[0].box.overlap(with: scene.box) > 0.4, "\(faces.map(\.box)), not \(scene.box)")
    }
  }

  @Test func `hair without depth does not hide a face`() throws {
    for var scene in scenes(3) {
      scene.hasBlackHair = true
      #expect(try faces("lbp", scene).count == 1)
    }
  }

  @Test(arguments: ["lbp", "haar"])
  func `what would be a face by its looks is none where depth says that it is too large, too small or flat`(
    detector: String
  ) throws {
    var scene = Scene(meters: 0.9)
    #expect(try faces(detector, scene, hasDepth: false).count == 1)
    #expect(try faces(detector, scene).count == 1)
    // As wide as 50 cm, 6 cm, and a picture on a wall.
    for meters in [3, 0.35, scene.wallMeters] {
      scene.depthMeters = meters
      #expect(try faces(detector, scene).isEmpty, "\(meters) m")
    }
    scene.depthMeters = 0.9
    scene.wallMeters = 0.9
    #expect(try faces(detector, scene).isEmpty)
  }

  @Test func `faces are the same whoever else looks at the same time`() async throws {
    let scene = Scene(meters: 2.5)
    let alone = try faces("lbp", scene)
    try #require(alone.count == 1)
    let beside = try await withThrowingTaskGroup(of: [FaceObservation].self) { group in
      for _ in 0..<5 { group.addTask { try faces("lbp", scene) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(beside == Array(repeating: alone, count: 5))
  }
}
