import FrameModel
import MattePipeline
import Support
import TestSupport
import Testing

/// The fixed-point pipeline against the formula in double precision.
@Suite struct ReferenceComparisonTests {
  struct Shape: Sendable, CustomStringConvertible {
    let depthWidth: Int
    let depthHeight: Int
    let width: Int
    let height: Int
    init(_ depthWidth: Int, _ depthHeight: Int, _ width: Int, _ height: Int) {
      self.depthWidth = depthWidth
      self.depthHeight = depthHeight
      self.width = width
      self.height = height
    }
    var description: String { "\(depthWidth)x\(depthHeight) to \(width)x\(height)" }

    static let small = [
      Shape(64, 48, 160, 90), Shape(33, 17, 101, 57), Shape(160, 120, 80, 60), Shape(1, 1, 5, 3),
    ]
    static let large = [Shape(640, 480, 640, 480), Shape(320, 240, 1280, 720)]
  }

  enum Scene: CaseIterable, Sendable {
    case person, noisyHoles, specks, stripes, nothing, everything

    /// The person is 0.8 m away, so a face there puts the cut-off at 1.05 m.
    func depth(_ shape: Shape) -> DepthMap {
      var generator = SeededGenerator(seed: 77)
      var map = DepthMap(shape.depthWidth, shape.depthHeight) { x, y in
        let u = (Double(x) + 0.5) / Double(shape.depthWidth) - 0.5
        let v = (Double(y) + 0.5) / Double(shape.depthHeight)
        let head = u * u / 0.02 + (v - 0.4) * (v - 0.4) / 0.05 < 1
        return head || (v > 0.6 && abs(u) < 0.28) ? 800 : 2500
      }
      for i in map.millimeters.indices {
        let draw = generator.next(below: 1000)
        switch self {
        case .person: break
        case .noisyHoles: if draw < 120 { map.millimeters[i] = draw < 60 ? 0 : UInt16(900 + 3 * draw) }
        case .specks: map.millimeters[i] = draw < 4 ? 1050 : draw < 8 ? 0 : 1051
        case .stripes: map.millimeters[i] = i % shape.depthWidth / 3 % 2 == 0 ? 1 : 65_535
        case .nothing: map.millimeters[i] = 0
        case .everything: map.millimeters[i] = 500
        }
      }
      return map
    }
  }

  /// The largest differences, in 8-bit steps.
  struct Differences {
    var matte = 0.0
    /// From the exact composite, and from it rounded to bytes.
    var composite = 0.0
    var compositeBytes = 0

    mutating func take(_ other: Differences) {
      matte = max(matte, other.matte)
      composite = max(composite, other.composite)
      compositeBytes = max(compositeBytes, other.compositeBytes)
    }
  }

  private static func compare(
    _ shape: Shape, _ scene: Scene, sigma: Double = 5, power: Double = 0.5, isContrasty: Bool = false
  ) throws -> Differences {
    let map = scene.depth(shape)
    var video = noiseImage(shape.width, shape.height, seed: 1)
    var background = noiseImage(shape.width, shape.height, seed: 2)
    if isContrasty {
      // 248 ... 255 before 0 ... 7: an error of the matte counts most.
      for i in video.pixels.indices {
        video.pixels[i] |= 0xF8
        background.pixels[i] &= 7
      }
    }
    let studio = try Studio(
      video: video, depth: (shape.depthWidth, shape.depthHeight),
      ["matte.blur=\(sigma)", "matte.gamma=\(power)", "mask.start=1.05"], background: background,
      threadCount: 2)
    let output = try #require(try studio.process(map))
    #expect(output.cutoffMillimeters == 1050)
    let reference = BackdropReference(sigma: sigma, power: power)
    let matte = reference.matte(
      depth: map, cutoffMillimeters: 1050, width: shape.width, height: shape.height)
    let composite = reference.composite(
      matte: matte, video: studio.video.pixels, background: background.pixels)
    var worst = Differences()
    for (byte, exact) in zip(output.allMatte.array, matte) {
      worst.matte = max(worst.matte, abs(Double(byte) - 255 * exact))
    }
    for (byte, exact) in zip(output.composite.array, composite) {
      worst.composite = max(worst.composite, abs(Double(byte) - exact))
      worst.compositeBytes = max(worst.compositeBytes, abs(Int(byte) - Int(exact.rounded())))
    }
    return worst
  }

  private static func expectWithinOneStep(_ worst: Differences, _ what: String) {
    print("Pipeline, \(what): matte \(worst.matte), composite \(worst.composite) of 255 at most")
    #expect(worst.matte <= 1)
    #expect(worst.compositeBytes <= 1)
    #expect(worst.composite <= 1)
  }

  @Test(arguments: Shape.small)
  func `A.5 matte and composite are within 1/255 of the formula`(shape: Shape) throws {
    var worst = Differences()
    for scene in Scene.allCases { worst.take(try Self.compare(shape, scene)) }
    Self.expectWithinOneStep(worst, "\(shape)")
  }

  @Test(
    arguments: Shape.large,
    [Scene.person, .noisyHoles])
  func `A.5 matte and composite are within 1/255 of the formula at cameras' sizes`(shape: Shape, scene: Scene) throws {
    Self.expectWithinOneStep(try Self.compare(shape, scene), "\(shape) \(scene)")
  }

  @Test
  func `A.5 before a background of the greatest contrast, the composite is within 1/255 of the formula too`() throws {
    for shape in Shape.small + Shape.large {
      let worst = try Self.compare(shape, .noisyHoles, isContrasty: true)
      // Two roundings add up here: of the matte to bytes, then of the mean.
      Self.expectWithinOneStep(worst, "contrasty \(shape)")
    }
  }

  @Test(arguments: [(0.0, 1.0), (0, 0.5), (0.7, 0.5), (2.5, 0.75), (12, 2), (1, 0.45), (20, 0.5), (5, 1), (3, 8)])
  func `A.5 other blurs and powers keep to the formula as well`(sigma: Double, power: Double) throws {
    var worst = Differences()
    for scene in [Scene.person, .noisyHoles, .specks] {
      worst.take(try Self.compare(Shape(64, 48, 160, 90), scene, sigma: sigma, power: power))
    }
    Self.expectWithinOneStep(worst, "blur \(sigma), gamma \(power)")
  }
}
