/// Connected regions of a picture of yes and no, labelled pixel by pixel.
final class PlainComponents {
  enum Neighbors {
    /// Left, right, above, below.
    case four
    /// And across corners.
    case eight
  }

  struct Region: Hashable, Sendable {
    var pixelCount = 0
    var touchesBorder = false
  }

  /// In the order of their first pixels, row by row.
  var regions: [Region] = []
  private let width: Int
  private let height: Int
  /// Of each pixel a region's number plus 1, or 0; while labelling, a provisional one.
  private var labels: [Int32]
  /// Provisional labels that turned out to be one region: each names an earlier one, or itself.
  private var parents: [Int32] = []
  private var finals: [Int32] = []

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    labels = [Int32](repeating: 0, count: width * height)
  }

  /// - Parameter isInside: of a pixel by its place in the picture.
  func label(_ neighbors: Neighbors, _ isInside: (Int) -> Bool) {
    parents.removeAll(keepingCapacity: true)
    parents.append(0)
    for y in 0..<height {
      for x in 0..<width {
        let i = y * width + x
        guard isInside(i) else {
          labels[i] = 0
          continue
        }
        var label: Int32 = 0
        if x > 0 { join(&label, labels[i - 1]) }
        if y > 0 {
          join(&label, labels[i - width])
          if neighbors == .eight {
            if x > 0 { join(&label, labels[i - width - 1]) }
            if x + 1 < width { join(&label, labels[i - width + 1]) }
          }
        }
        if label == 0 {
          label = Int32(parents.count)
          parents.append(label)
        }
        labels[i] = label
      }
    }
    settle()
  }

  /// Whether a pixel is in a region.
  func contains(_ pixel: Int, region: Int) -> Bool { labels[pixel] == Int32(region) + 1 }

  /// The number of a pixel's region; nil outside of all.
  func region(of pixel: Int) -> Int? { labels[pixel] == 0 ? nil : Int(labels[pixel]) - 1 }

  /// The largest region, of equals the first; nil for none.
  var largest: Int? {
    var best: Int?
    for (i, region) in regions.enumerated() where region.pixelCount > (best.map { regions[$0].pixelCount } ?? 0) {
      best = i
    }
    return best
  }

  private func root(_ label: Int32) -> Int32 {
    var label = label
    while parents[Int(label)] != label {
      // Halving the way keeps all ways short.
      parents[Int(label)] = parents[Int(parents[Int(label)])]
      label = parents[Int(label)]
    }
    return label
  }

  private func join(_ label: inout Int32, _ other: Int32) {
    guard other != 0 && other != label else { return }
    let otherRoot = root(other)
    guard label != 0 else {
      label = otherRoot
      return
    }
    let ownRoot = root(label)
    // The earlier one stays, so that a region's number follows its first pixel.
    parents[Int(max(ownRoot, otherRoot))] = min(ownRoot, otherRoot)
    label = min(ownRoot, otherRoot)
  }

  /// Numbers regions and counts their pixels.
  private func settle() {
    regions.removeAll(keepingCapacity: true)
    finals.removeAll(keepingCapacity: true)
    finals.append(0)
    for label in parents.indices.dropFirst() {
      let root = root(Int32(label))
      if Int(root) == label {
        regions.append(Region())
        finals.append(Int32(regions.count))
      } else {
        finals.append(finals[Int(root)])
      }
    }
    for y in 0..<height {
      for x in 0..<width where labels[y * width + x] != 0 {
        let label = finals[Int(labels[y * width + x])]
        labels[y * width + x] = label
        regions[Int(label) - 1].pixelCount += 1
        if x == 0 || y == 0 || x == width - 1 || y == height - 1 { regions[Int(label) - 1].touchesBorder = true }
      }
    }
  }
}
