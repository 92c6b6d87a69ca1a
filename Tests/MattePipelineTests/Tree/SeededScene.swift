import FrameModel
import Kernels
import MattePipeline
import Support

/// Sizes of video and depth, pixels.
struct SceneShape: Hashable, Sendable, CustomStringConvertible {
  let width: Int
  let height: Int
  let depthWidth: Int
  let depthHeight: Int

  init(_ width: Int, _ height: Int, depth depthWidth: Int, _ depthHeight: Int) {
    (self.width, self.height) = (width, height)
    (self.depthWidth, self.depthHeight) = (depthWidth, depthHeight)
  }

  var description: String { "\(width)x\(height), depth \(depthWidth)x\(depthHeight)" }

  /// Larger and smaller depth than video, other aspects, odd sizes, and the least.
  static let all = [
    SceneShape(160, 90, depth: 64, 48), SceneShape(101, 57, depth: 33, 17), SceneShape(80, 60, depth: 160, 120),
    SceneShape(7, 4, depth: 3, 2), SceneShape(1, 1, depth: 1, 1),
  ]
}

/// Somebody who moves before a wall, all of it out of a seed. Depth comes with every second frame; where the face is lost
/// for a while, others hold.
struct SeededScene {
  let shape: SceneShape
  let depthFormat: PixelFormat
  var seed: UInt64 = 1
  /// Frames at the start without a person.
  var emptyCount = 0

  func format() throws -> PipelineFormat {
    try PipelineFormat(
      color: FrameLayout(.rgb24, width: shape.width, height: shape.height),
      depth: FrameLayout(depthFormat, width: shape.depthWidth, height: shape.depthHeight))
  }

  func frames(_ count: Int) throws -> [FrameSet] {
    try (0..<count).map { index in
      FrameSet(
        index: index, color: try color(index), depth: index % 2 == 0 ? try depth(index) : nil,
        faces: index < emptyCount || [4, 5].contains(index) ? [] : [face(index)])
    }
  }

  /// Where the middle of the person is, 0 to 1, going to and fro.
  private func middle(_ index: Int) -> Double { 0.35 + 0.05 * Double(index % 6) }

  private func isPerson(_ x: Double, _ y: Double, _ index: Int) -> Bool {
    guard index >= emptyCount else { return false }
    let (across, down) = ((x - middle(index)) / 0.2, (y - 0.6) / 0.45)
    return across * across + down * down <= 1
  }

  private func color(_ index: Int) throws -> Frame {
    var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(index))
    var image = RGBImage(width: shape.width, height: shape.height)
    for y in 0..<shape.height {
      for x in 0..<shape.width {
        let (u, v) = ((Double(x) + 0.5) / Double(shape.width), (Double(y) + 0.5) / Double(shape.height))
        let base = isPerson(u, v, index) ? [190, 140, 110] : [Int(60 * u) + 20, Int(150 * v) + 60, 90]
        for channel in 0..<3 {
          image.pixels[(y * shape.width + x) * 3 + channel] = UInt8(base[channel] + generator.next(below: 30))
        }
      }
    }
    return try colorFrame(image, number: index)
  }

  private func depth(_ index: Int) throws -> Frame {
    var generator = SeededGenerator(seed: seed &* 7919 &+ UInt64(index))
    let map = DepthMap(shape.depthWidth, shape.depthHeight) { x, y in
      let (u, v) = ((Double(x) + 0.5) / Double(shape.depthWidth), (Double(y) + 0.5) / Double(shape.depthHeight))
      let noise = generator.next(below: 60)
      if noise < 2 { return 0 }
      return isPerson(u, v, index) ? UInt16(950 + noise) : UInt16(2200 + Int(400 * u) + 2 * noise)
    }
    guard depthFormat == .disparityFloat32 else { return try depthFrame(map) }
    let disparity = map.millimeters.map { $0 == 0 ? Float.nan : 1000 / Float($0) }
    return try disparityFrame(map.width, map.height, disparity)
  }

  private func face(_ index: Int) -> FaceObservation {
    let (width, height) = (Double(shape.width), Double(shape.height))
    return FaceObservation(
      box: .init(x: (middle(index) - 0.1) * width, y: 0.3 * height, width: 0.2 * width, height: 0.3 * height),
      confidence: 1, roll: 0.1 * Double(index % 5) - 0.2, pitch: 0.05 * Double(index % 3), yaw: -0.3, detector: "seeded"
    )
  }
}

/// In place of a network: what is reddish is the person.
final class ReddishSegmenter: PersonSegmenter {
  let maskSize: (width: Int, height: Int)
  private(set) var askedCount = 0

  init(width: Int = 29, height: Int = 23) { maskSize = (width, height) }

  func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>) -> Bool {
    askedCount += 1
    for y in 0..<maskSize.height {
      let row = picture.row(y * picture.height / maskSize.height)
      for x in 0..<maskSize.width {
        let pixel = row + x * picture.width / maskSize.width * 3
        mask[y * maskSize.width + x] = UInt8(min(max((Int(pixel[0]) - Int(pixel[2])) * 3 + 20, 0), 255))
      }
    }
    return true
  }
}
