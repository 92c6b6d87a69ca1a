import FrameModel

/// The widths that a face may have at each place of a picture, by the depth there.
///
/// At distance z, a face 15 cm wide covers f · 0.15 / z pixels. Boxes of detectors and people differ,
/// so a range around it is allowed. A head also stands out: above it and on one side at least there
/// is something farther away, no measurement, or the picture's edge. So walls, floors, pictures on
/// walls, and bodies below the shoulders have no faces.
///
/// A place without depth, such as black hair, takes the range of the known places around it. If none
/// is near, any width that is searched without depth is allowed.
package final class FaceSizes {
  /// Widths of a detector's box in metres, from a child's to an adult's, with 10 % of error in the
  /// focal length.
  static let meters = 0.11...0.23
  /// From a face's middle to beside and above the head.
  static let besideMeters = 0.25
  /// By how much a head stands out: 8 cm, and what the depth of a structured-light camera may be off.
  static func standing(at z: Double) -> Double { z + 0.08 + 0.004 * z * z }
  /// Depth is sampled in this many cells across the longer side.
  private static let cellsAlong = 80
  /// A place that stands out has this many neighbours of eight that do, or is an outline or noise.
  private static let fewestNeighbors = 4
  /// Cells around a hole in which known depth is looked for.
  private static let holeReach = 6

  private let smallestWithoutDepth: Double
  private let reduction: Double
  let cell: Int
  let columns: Int
  let rows: Int
  /// Metres; 0 is unknown. Both are the same where depth was measured.
  private var nearest: [Double]
  private var farthest: [Double]
  private var isOpen: [Bool]
  /// The widths that are allowed, lowest and highest; an empty range where no face can be.
  private var lowest: [Double]
  private var highest: [Double]
  /// Which region a cell is in, by `regions`.
  var labels: [Int32]
  var waiting: [Int] = []

  /// Places and widths are in pixels of this picture.
  package init(_ picture: GreyImage) {
    smallestWithoutDepth = Double(picture.smallestFaceWithoutDepth)
    reduction = Double(picture.reduction)
    cell = (picture.longerSide + Self.cellsAlong - 1) / Self.cellsAlong
    columns = (picture.width + cell - 1) / cell
    rows = (picture.height + cell - 1) / cell
    nearest = Array(repeating: 0, count: columns * rows)
    farthest = nearest
    isOpen = Array(repeating: false, count: columns * rows)
    lowest = nearest
    highest = nearest
    labels = Array(repeating: 0, count: columns * rows)
  }

  /// Reads the depth of a frame.
  package func read(_ depth: DepthView) {
    sample(depth)
    for y in 0..<rows {
      for x in 0..<columns { isOpen[y * columns + x] = standsOut(x, y, depth) }
    }
    removeSpecks()
    fillHoles()
    for i in nearest.indices {
      if !isOpen[i] {
        (lowest[i], highest[i]) = (.infinity, 0)
      } else if nearest[i] > 0 {
        lowest[i] = depth.pixels(meters: Self.meters.lowerBound, at: farthest[i]) / reduction
        highest[i] = depth.pixels(meters: Self.meters.upperBound, at: nearest[i]) / reduction
      } else {
        (lowest[i], highest[i]) = (smallestWithoutDepth, .infinity)
      }
    }
  }

  /// Each cell's lower median of four samples; unknown if fewer than two were measured.
  private func sample(_ depth: DepthView) {
    let step = Double(cell) * reduction
    var known: [Double] = []
    known.reserveCapacity(4)
    for y in 0..<rows {
      for x in 0..<columns {
        known.removeAll(keepingCapacity: true)
        for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
          if let z = depth.distance(atX: (Double(x) + dx) * step, y: (Double(y) + dy) * step) { known.append(z) }
        }
        known.sort()
        let z = known.count < 2 ? 0 : known[(known.count - 1) / 2]
        nearest[y * columns + x] = z
        farthest[y * columns + x] = z
      }
    }
  }

  /// Whether a head may be there; always where depth is unknown.
  private func standsOut(_ x: Int, _ y: Int, _ depth: DepthView) -> Bool {
    let z = nearest[y * columns + x]
    guard z > 0 else { return true }
    let pixels = depth.pixels(meters: Self.besideMeters, at: z) / reduction
    let reach = max(1, Int(min((pixels / Double(cell)).rounded(), 1000)))
    let behind = Self.standing(at: z)
    func isFree(_ x: Int, _ y: Int) -> Bool {
      guard x >= 0, x < columns, y >= 0 else { return true }
      let beside = nearest[y * columns + x]
      return beside == 0 || beside > behind
    }
    return isFree(x, y - reach) && (isFree(x - reach, y) || isFree(x + reach, y))
  }

  private func removeSpecks() {
    for i in labels.indices { labels[i] = isOpen[i] ? 1 : 0 }
    for y in 0..<rows {
      for x in 0..<columns where isOpen[y * columns + x] {
        var count: Int32 = -1
        forNeighbors(x, y) { count += labels[$0] }
        isOpen[y * columns + x] = count >= Self.fewestNeighbors
      }
    }
  }

  /// Holes take the nearest and farthest depth of their neighbours, ring by ring from their edges.
  private func fillHoles() {
    var (near, far) = (nearest, farthest)
    for _ in 0..<Self.holeReach {
      for y in 0..<rows {
        for x in 0..<columns where nearest[y * columns + x] == 0 {
          var range = (near: Double.infinity, far: 0.0)
          forNeighbors(x, y) { i in
            guard nearest[i] > 0 else { return }
            range = (min(range.near, nearest[i]), max(range.far, farthest[i]))
          }
          if range.far > 0 { (near[y * columns + x], far[y * columns + x]) = range }
        }
      }
      (nearest, farthest) = (near, far)
    }
  }

  /// Whether a face may be there, by what is at its middle.
  package func allows(_ box: FaceObservation.Box) -> Bool {
    index(box).map { allows($0, box.width...box.width) } ?? false
  }

  func allows(_ i: Int, _ widths: ClosedRange<Double>) -> Bool {
    lowest[i] <= widths.upperBound && widths.lowerBound <= highest[i]
  }

  func index(_ box: FaceObservation.Box) -> Int? {
    let (x, y) = (box.centerX / Double(cell), box.centerY / Double(cell))
    guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return nil }
    return Int(y) * columns + Int(x)
  }

  func forNeighbors(_ x: Int, _ y: Int, _ body: (Int) -> Void) {
    for besideY in max(0, y - 1)...min(rows - 1, y + 1) {
      for besideX in max(0, x - 1)...min(columns - 1, x + 1) { body(besideY * columns + besideX) }
    }
  }
}
