import Scores

/// The scores, pixel by pixel.
enum PlainScores {
  static func differences(_ a: PlainPlane, _ b: PlainPlane) -> (absolute: Int, squared: Int) {
    zip(a.samples, b.samples).reduce((0, 0)) { sums, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return (sums.0 + abs(difference), sums.1 + difference * difference)
    }
  }

  static func changes(_ a: PlainPlane, after aBefore: PlainPlane, _ b: PlainPlane, after bBefore: PlainPlane) -> Int {
    a.samples.indices.reduce(0) { sum, i in
      let difference = Int(a.samples[i]) - Int(aBefore.samples[i]) - Int(b.samples[i]) + Int(bBefore.samples[i])
      return sum + difference * difference
    }
  }

  static func overlap(_ a: PlainPlane, _ b: PlainPlane) -> Double {
    let both = a.samples.indices.count { a.isPerson($0) && b.isPerson($0) }
    let either = a.samples.indices.count { a.isPerson($0) || b.isPerson($0) }
    return either == 0 ? 1 : Double(both) / Double(either)
  }

  static func boundary(
    _ matte: PlainPlane, _ truth: PlainPlane, tolerance: Int? = nil, judged: [UInt8]? = nil
  ) -> (precision: Double, recall: Double) {
    let contours = (PlainContour(matte, judged: judged), PlainContour(truth, judged: judged))
    if contours.0.pixels.isEmpty || contours.1.pixels.isEmpty {
      return (contours.0.pixels.isEmpty ? 1 : 0, contours.1.pixels.isEmpty ? 1 : 0)
    }
    let radius = tolerance ?? BoundaryMatch.tolerance(width: matte.width)
    func share(_ contour: PlainContour, near other: PlainContour) -> Double {
      let near = other.neighborhood(radius: radius)
      return Double(contour.pixels.count { near.contains($0) }) / Double(contour.pixels.count)
    }
    return (share(contours.0, near: contours.1), share(contours.1, near: contours.0))
  }

  static func connectivity(_ matte: PlainPlane, _ truth: PlainPlane, _ components: PlainComponents) -> Double {
    let (a, b) = (matte.samples, truth.samples)
    // The last step at which a pixel hangs on; −1 until it is known.
    var steps = [Int](repeating: -1, count: a.count)
    for step in 1...10 {
      // α ≥ step/10, in whole numbers.
      components.label(.four) { 10 * Int(a[$0]) >= 255 * step && 10 * Int(b[$0]) >= 255 * step }
      let largest = components.largest
      for i in steps.indices where steps[i] < 0 {
        let hangsOn = largest.map { components.contains(i, region: $0) } ?? false
        if !hangsOn { steps[i] = step - 1 }
      }
    }
    // α − step/10 in 2550ths, 0 where it is below 0.15.
    func excess(_ sample: UInt8, _ step: Int) -> Int {
      let excess = 10 * Int(sample) - 255 * step
      return 2 * excess >= 765 ? excess : 0
    }
    let sum = steps.indices.reduce(0) { sum, i in
      let step = steps[i] < 0 ? 10 : steps[i]
      return sum + abs(excess(a[i], step) - excess(b[i], step))
    }
    return Double(sum) / 2550
  }

  static func flicker(_ matte: PlainPlane, after before: PlainPlane, _ movement: PlainMovement) -> Int {
    matte.samples.indices.reduce(0) { sum, i in
      sum + (movement.isStill(i) ? abs(Int(matte.samples[i]) - Int(before.samples[i])) : 0)
    }
  }

  static func haze(
    _ matte: PlainPlane, _ truth: PlainPlane, tolerance: Int? = nil, judged: [UInt8]? = nil
  ) -> (steps: Int, count: Int) {
    let near = PlainContour(truth, judged: judged)
      .neighborhood(radius: tolerance ?? BoundaryMatch.tolerance(width: matte.width))
    let outside = truth.samples.indices.filter {
      truth.samples[$0] == 0 && !near.contains($0) && judged?[$0] != 0
    }
    return (outside.reduce(0) { $0 + Int(matte.samples[$1]) }, outside.count)
  }

  static func alignment(_ matte: PlainPlane, _ picture: PlainPlane) -> Double? {
    func gradient(_ plane: PlainPlane, _ x: Int, _ y: Int) -> (x: Int, y: Int) {
      (
        plane.sample(nearX: x + 1, y: y) - plane.sample(nearX: x - 1, y: y),
        plane.sample(nearX: x, y: y + 1) - plane.sample(nearX: x, y: y - 1)
      )
    }
    var (aligned, all) = (0, 0)
    for y in 0..<matte.height {
      for x in 0..<matte.width {
        let (a, b) = (gradient(matte, x, y), gradient(picture, x, y))
        aligned += abs(a.x * b.x + a.y * b.y)
        let squares = Float(a.x * a.x + a.y * a.y) * Float(b.x * b.x + b.y * b.y)
        all += Int(squares.squareRoot().rounded())
      }
    }
    return all == 0 ? nil : Double(aligned) / Double(all)
  }

  /// - Parameter picture: packed RGB.
  static func contrast(_ matte: PlainPlane, _ picture: [UInt8]) -> (steps: Int, pairs: Int) {
    let (width, height, reach) = (matte.width, matte.height, EdgeContrast.reach(width: matte.width))
    func color(_ x: Int, _ y: Int) -> [Int] {
      let i = min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)
      return (0..<3).map { Int(picture[3 * i + $0]) }
    }
    func difference(_ a: [Int], _ b: [Int]) -> Int { zip(a, b).reduce(0) { $0 + abs($1.0 - $1.1) } }
    var (steps, pairs) = (0, 0)
    for y in 0..<height {
      for x in 0..<width {
        let i = y * width + x
        if x + 1 < width, matte.isPerson(i) != matte.isPerson(i + 1) {
          steps += difference(color(x - reach, y), color(x + 1 + reach, y))
          pairs += 1
        }
        if y + 1 < height, matte.isPerson(i) != matte.isPerson(i + width) {
          steps += difference(color(x, y - reach), color(x, y + 1 + reach))
          pairs += 1
        }
      }
    }
    return (steps, pairs)
  }

  /// Pieces, holes, and the pixels of those; with a truth only those that are its person.
  static func pieces(_ matte: PlainPlane, _ components: PlainComponents, truth: PlainPlane? = nil) -> [Int] {
    components.label(.eight) { matte.isPerson($0) }
    let count = components.regions.count
    components.label(.four) { !matte.isPerson($0) }
    let regions = components.regions
    let pixels = matte.samples.indices.count { i in
      guard truth?.isPerson(i) ?? true, let region = components.region(of: i) else { return false }
      return !regions[region].touchesBorder
    }
    return [count, regions.count { !$0.touchesBorder }, pixels]
  }
}
