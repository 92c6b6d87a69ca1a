import Kernels
import Support

/// Things before a wall, with the shadows that a structured-light sensor sees beside them.
struct AlignmentScene {
  static let width = 320
  static let height = 240

  enum Shadows { case left, right }

  var shift = DepthShift.none
  var shadows = Shadows.left
  /// By how many pixels things are larger in depth than in colour.
  var growth = 0
  /// Pixels of the video per pixel of depth.
  var scale = 1

  private struct Thing {
    var x: Int
    var y: Int
    var radius: Int
    var millimeters: Int
    var color: [Int]
    var isRound: Bool

    func contains(_ column: Double, _ row: Double, growth: Int = 0) -> Bool {
      let (across, down) = (column - Double(x), row - Double(y))
      let reach = Double(radius + growth)
      return isRound ? across * across + down * down < reach * reach : max(abs(across), abs(down)) < reach
    }
  }

  private static func things(_ frame: Int) -> [Thing] {
    var random = SeededGenerator(seed: UInt64(frame))
    return (0..<5).map { _ in
      Thing(
        x: 40 + random.next(below: width - 80), y: 40 + random.next(below: height - 80),
        radius: 15 + random.next(below: 15), millimeters: 900 + random.next(below: 600),
        color: (0..<3).map { _ in 40 + random.next(below: 180) }, isRound: random.next(below: 2) == 0)
    }
  }

  /// Millimetres, with noise of 1 %.
  func depth(_ frame: Int) -> PixelPlane<UInt16> {
    let plane = PixelPlane<UInt16>(width: Self.width, height: Self.height)
    let things = Self.things(frame)
    var random = SeededGenerator(seed: 1000 + UInt64(frame))
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        func near(_ column: Int) -> Int? {
          things.first { $0.contains(Double(column), Double(y), growth: growth) }?.millimeters
        }
        let isShadow = (1...12).contains { near(shadows == .left ? x + $0 : x - $0) != nil }
        let value = near(x) ?? (isShadow ? 0 : 3000)
        plane.samples[y * Self.width + x] = UInt16(value * (990 + random.next(below: 21)) / 1000)
      }
    }
    shift.apply(to: plane, uncovered: 0)
    return plane
  }

  /// A patterned wall, and noise.
  func color(_ frame: Int) -> PixelPlane<UInt8> {
    let plane = PixelPlane<UInt8>(width: Self.width * scale, height: Self.height * scale, channels: 3)
    let things = Self.things(frame)
    var random = SeededGenerator(seed: 2000 + UInt64(frame))
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        let (column, row) = ((Double(x) + 0.5) / Double(scale) - 0.5, (Double(y) + 0.5) / Double(scale) - 0.5)
        let thing = things.first { $0.contains(column, row) }
        for channel in 0..<3 {
          let wall = 120 + (x / (37 * scale) + y / (29 * scale)) % 3 * 25
          plane.row(y)[3 * x + channel] = UInt8((thing?.color[channel] ?? wall) + random.next(below: 12))
        }
      }
    }
    return plane
  }

  /// Colours of `color` beside this scene's depth, in a few frames.
  func profiles(color: (Int) -> PixelPlane<UInt8>) -> EdgeProfiles {
    let edges = DepthEdges(width: Self.width, height: Self.height)
    var profiles = EdgeProfiles()
    for frame in 0..<6 {
      profiles.add(
        edges.find(depth(frame).samples), depthWidth: Self.width, depthHeight: Self.height, color: color(frame),
        time: frame)
    }
    return profiles
  }

  func estimate() -> Result<OffsetEstimate, OffsetEstimate.Obstacle> {
    OffsetEstimate.find(in: profiles(color: color))
  }
}
