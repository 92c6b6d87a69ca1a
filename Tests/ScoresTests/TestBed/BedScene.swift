import Foundation
import FrameModel
import Kernels
import Media
import Scores
import Support
import TestSupport
import Testing

/// A short sequence with exact truth: pictures with the noise of a sensor, and the true mattes. The
/// person stands still, then walks.
struct BedScene: CustomTestStringConvertible {
  let name: String
  let width: Int
  let height: Int
  private(set) var pictures: [[UInt8]] = []
  private(set) var truths: [AlphaPlane] = []
  /// The face's box, which the person covers entirely.
  private(set) var face = FaceObservation.Box(x: 0, y: 0, width: 1, height: 1)

  private static let frameCount = 24
  private static let stillCount = 10
  private static let step = 3

  var testDescription: String { name }

  /// The person's offset to the right in a frame.
  private static func place(_ frame: Int) -> Int { step * max(0, frame - stillCount + 1) }

  /// A made-up person, with a gap between arm and body, before a textured wall.
  static func made() -> BedScene {
    let (width, height) = (320, 240)
    var scene = BedScene(name: "made up", width: width, height: height)
    var random = SeededGenerator(seed: 11)
    let (wall, clothes) = (texture(width, height, &random, 40..<150), texture(width, height, &random, 90..<220))
    for frame in 0..<frameCount {
      let place = place(frame)
      let truth = AlphaPlane(
        width: width, height: height,
        (0..<width * height).map { person(Double($0 % width - place), Double($0 / width)) })
      scene.append(truth, &random) { i, channel in
        let own = 3 * (i - min(place, i % width)) + channel
        return (Int(clothes[own]), Int(wall[3 * i + channel]))
      }
    }
    scene.face = FaceObservation.Box(x: 104, y: 42, width: 16, height: 20)
    return scene
  }

  /// Opacity from the signed distance to body, head and arm, with an edge 3 pixels wide.
  private static func person(_ x: Double, _ y: Double) -> UInt8 {
    func ellipse(_ centerX: Double, _ centerY: Double, _ a: Double, _ b: Double) -> Double {
      let (dx, dy) = ((x - centerX) / a, (y - centerY) / b)
      return (1 - (dx * dx + dy * dy).squareRoot()) * min(a, b)
    }
    let body = ellipse(112, 200, 44, 115)
    let head = ellipse(112, 54, 24, 30)
    // The arm is a ring; its gap is background.
    let arm = min(ellipse(66, 160, 36, 50), -ellipse(66, 160, 18, 30))
    return UInt8(min(255, max(0, (max(body, head, arm) / 3 + 0.5) * 255)))
  }

  /// A portrait from the fixtures, about 320 pixels wide, in front of its own background.
  static func portrait(_ id: String) throws -> BedScene {
    func picture(_ kind: String) throws -> RGBImage {
      let path = Checkout.fixture("exact-alpha/p_\(id)_\(kind).png")
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      return try bytes.withUnsafeBytes { try PNGDecoder($0, name: path).rgb() }
    }
    let whole = try picture("alpha")
    let by = (whole.width + 160) / 320
    let (width, height) = (whole.width / by, whole.height / by)
    func reduced(_ image: RGBImage) -> [Int] {
      (0..<3 * width * height).map { i in
        let (x, y) = (i / 3 % width * by, i / 3 / width * by)
        let sum = (0..<by * by).reduce(0) {
          $0 + Int(image.pixels[3 * ((y + $1 / by) * image.width + x + $1 % by) + i % 3])
        }
        return (sum + by * by / 2) / (by * by)
      }
    }
    let (alpha, color, wall) = (reduced(whole), reduced(try picture("rgb")), reduced(try picture("background")))
    var scene = BedScene(name: "portrait \(id)", width: width, height: height)
    var random = SeededGenerator(seed: 12)
    for frame in 0..<frameCount {
      let place = place(frame)
      func moved(_ i: Int) -> Int { i - min(place, i % width) }
      let truth = AlphaPlane(
        width: width, height: height, (0..<width * height).map { UInt8(alpha[3 * moved($0)]) })
      scene.append(truth, &random) { i, channel in (color[3 * moved(i) + channel], wall[3 * i + channel]) }
    }
    // The middle of the pixels that are opaque in every frame.
    let opaque = (0..<width * height).filter { pixel in scene.truths.allSatisfy { $0.samples[pixel] == 255 } }
    let middle = opaque[opaque.count / 2]
    scene.face = FaceObservation.Box(x: Double(middle % width), y: Double(middle / width), width: 6, height: 6)
    return scene
  }

  private init(name: String, width: Int, height: Int) { (self.name, self.width, self.height) = (name, width, height) }

  /// - Parameter colors: returns a pixel channel's value for the person and for the wall.
  private mutating func append(
    _ truth: AlphaPlane, _ random: inout SeededGenerator, _ colors: (Int, Int) -> (person: Int, wall: Int)
  ) {
    var picture = [UInt8](repeating: 0, count: 3 * width * height)
    for i in picture.indices {
      let alpha = Int(truth.samples[i / 3])
      let (person, wall) = colors(i / 3, i % 3)
      // The sum of three numbers from 0 to 4: noise with a standard deviation of 2.4.
      let noise = random.next(below: 5) + random.next(below: 5) + random.next(below: 5) - 6
      picture[i] = UInt8(min(255, max(0, (alpha * person + (255 - alpha) * wall + 127) / 255 + noise)))
    }
    pictures.append(picture)
    truths.append(truth)
  }

  /// Smooth patches, packed RGB.
  private static func texture(
    _ width: Int, _ height: Int, _ random: inout SeededGenerator, _ range: Range<Int>
  ) -> [UInt8] {
    let side = 12
    let columns = width / side + 2
    let knots = (0..<3 * columns * (height / side + 2)).map { _ in range.lowerBound + random.next(below: range.count) }
    return (0..<3 * width * height).map { i in
      let (x, y) = (i / 3 % width, i / 3 / width)
      func knot(_ dx: Int, _ dy: Int) -> Int { knots[3 * ((y / side + dy) * columns + x / side + dx) + i % 3] }
      let (right, below) = (x % side, y % side)
      let upper = knot(0, 0) * (side - right) + knot(1, 0) * right
      let lower = knot(0, 1) * (side - right) + knot(1, 1) * right
      return UInt8((upper * (side - below) + lower * below) / (side * side))
    }
  }
}

extension BedScene {
  /// - Parameter hasTruth: whether the scores get the truth.
  func scored(_ mattes: [AlphaPlane?], hasTruth: Bool = true, tolerance: Int? = nil) -> ScoreRow {
    let scores = Set(ScoreKind.allCases)
    let maker = SceneMaker(scores: scores, width: width, height: height, tolerance: tolerance, hasTruth: hasTruth)
    let scorer = SettingScorer(scores: scores, width: width, height: height, tolerance: tolerance)
    let reference = ReferenceMatte(width: width, height: height, tolerance: tolerance)
    let plane = PixelPlane<UInt8>(width: width, height: height, channels: 3)
    let observation = FaceObservation(
      box: face, confidence: 1, roll: nil, pitch: nil, yaw: nil, detector: "made up")
    for (i, matte) in mattes.enumerated() {
      pictures[i].withUnsafeBufferPointer { plane.samples.update(from: $0.baseAddress!, count: $0.count) }
      withBytes(hasTruth ? truths[i].samples : nil) { truth in
        let scene = maker.scene(
          number: i, previousNumber: i == 0 ? nil : i - 1, picture: plane, truth: truth, faces: [observation])
        // A reference without faults: so the claims are about agreement itself.
        withBytes(truths[i].samples) { reference.take($0, scene) }
        withBytes(matte?.samples) { matte in
          scorer.take(scene, matte: matte, references: [reference])
          withBytes(truths[i].samples) { scorer.takeForLag(matte: matte, reference: $0) }
        }
      }
    }
    return scorer.finish(reference: 0).summary
  }
}
