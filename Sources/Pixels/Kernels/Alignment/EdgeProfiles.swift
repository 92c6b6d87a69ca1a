/// How strongly colour changes across the edges of depth, by direction and distance from the edge.
///
/// Every edge adds a profile along its normal, scaled to about the same sum, so that no strong
/// colour edge outweighs others. Profiles are kept apart in groups of edges that lie in different
/// places and times, to see how far they agree.
package struct EdgeProfiles: Sendable {
  package static let groupCount = 8
  /// Samples in a depth pixel.
  static let steps = 4
  /// Profiles reach this far to both sides, depth pixels.
  static let reach = 12
  static let length = 2 * reach * steps + 1
  /// Colour is compared at this many steps to both sides.
  private static let span = 3
  /// Added to a profile's mean: noise of a few grey levels is no edge. In 1/256 grey level, of three
  /// channels together.
  private static let noise = 6 * 256
  private static let largest = 6 * 256

  /// By group, direction and place.
  private(set) var sums = [Int](repeating: 0, count: groupCount * EdgeDirection.count * length)
  package private(set) var edgeCounts = [Int](repeating: 0, count: groupCount)

  package init() {}

  package var edgeCount: Int { edgeCounts.reduce(0, +) }

  /// Adds a frame's edges.
  /// - Parameters:
  ///   - color: RGB; as wide as the depth map shows, with the same centre.
  ///   - time: which part of the recording the frame is from, 0 to 7.
  package mutating func add(
    _ edges: [DepthEdges.Edge], depthWidth: Int, depthHeight: Int, color: PixelPlane<UInt8>, time: Int
  ) {
    var samples = [Int](repeating: 0, count: 3 * (Self.length + 2 * Self.span))
    var profile = [Int](repeating: 0, count: Self.length)
    let cell = max(1, depthWidth / 10)
    for edge in edges {
      sample(edge, depthWidth, depthHeight, color, into: &samples)
      var sum = 0
      for place in 0..<Self.length {
        var change = 0
        for channel in 0..<3 {
          change += abs(samples[3 * (place + 2 * Self.span) + channel] - samples[3 * place + channel])
        }
        profile[place] = change
        sum += change
      }
      let divisor = sum / Self.length + Self.noise
      let group = Self.group(edge.x / 256 / cell, edge.y / 256 / cell, time)
      let first = (group * EdgeDirection.count + edge.direction) * Self.length
      for place in 0..<Self.length { sums[first + place] += min(Self.largest, profile[place] * 256 / divisor) }
      edgeCounts[group] += 1
    }
  }

  /// Spreads cells over the groups, so that each group has edges from all over the picture.
  private static func group(_ column: Int, _ row: Int, _ time: Int) -> Int {
    let cell = UInt32(truncatingIfNeeded: column * 7 + row * 13 + time * 5)
    return Int((cell &* 2_654_435_761) >> 16) % groupCount
  }

  /// Colours along the normal, in 1/256 grey level.
  private func sample(
    _ edge: DepthEdges.Edge, _ depthWidth: Int, _ depthHeight: Int, _ color: PixelPlane<UInt8>,
    into samples: inout [Int]
  ) {
    let vector = EdgeDirection.vectors[edge.direction]
    let (width, height) = (color.width, color.height)
    let middle = Self.reach * Self.steps + Self.span
    for step in 0..<Self.length + 2 * Self.span {
      let along = (step - middle) * (256 / Self.steps)
      // In 1/256 pixel of the video, from its first pixel's centre.
      let x = 2 * (edge.x + vector.x * along / EdgeDirection.unit + 128) - 256 * depthWidth
      let y = 2 * (edge.y + vector.y * along / EdgeDirection.unit + 128) - 256 * depthHeight
      let videoX = min(max(x * width / (2 * depthWidth) + 128 * width - 128, 0), (width - 1) * 256)
      let videoY = min(max(y * width / (2 * depthWidth) + 128 * height - 128, 0), (height - 1) * 256)
      let (left, top) = (videoX >> 8, videoY >> 8)
      let (right, below) = (videoX & 255, videoY & 255)
      let upper = color.row(top) + 3 * left
      let lower = color.row(min(top + 1, height - 1)) + 3 * left
      let next = left + 1 < width ? 3 : 0
      for channel in 0..<3 {
        let above = Int(upper[channel]) * (256 - right) + Int(upper[next + channel]) * right
        let beneath = Int(lower[channel]) * (256 - right) + Int(lower[next + channel]) * right
        samples[3 * step + channel] = (above * (256 - below) + beneath * below) >> 8
      }
    }
  }
}
