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

  static func boundary(_ matte: PlainPlane, _ truth: PlainPlane) -> (precision: Double, recall: Double) {
    let contours = (PlainContour(matte), PlainContour(truth))
    if contours.0.pixels.isEmpty || contours.1.pixels.isEmpty {
      return (contours.0.pixels.isEmpty ? 1 : 0, contours.1.pixels.isEmpty ? 1 : 0)
    }
    let radius = BoundaryMatch.tolerance(width: matte.width, height: matte.height)
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

  static func flicker(
    _ matte: PlainPlane, after before: PlainPlane, _ vectors: [BlockMotion.Vector]
  ) -> (steps: Int, bandCount: Int) {
    let bands = (PlainContour(matte).neighborhood(radius: 6), PlainContour(before).neighborhood(radius: 6))
    let blocksInRow = (matte.width + BlockMotion.blockSize - 1) / BlockMotion.blockSize
    var (steps, count) = (0, 0)
    for i in matte.samples.indices where bands.0.contains(i) || bands.1.contains(i) {
      let (x, y) = (i % matte.width, i / matte.width)
      let vector = vectors[y / BlockMotion.blockSize * blocksInRow + x / BlockMotion.blockSize]
      steps += abs(Int(matte.samples[i]) - before.sample(nearX: x + vector.x, y: y + vector.y))
      count += 1
    }
    return (steps, count)
  }

  static func alignment(_ matte: PlainPlane, _ picture: PlainPlane) -> Double? {
    func gradient(_ plane: PlainPlane, _ x: Int, _ y: Int) -> (x: Int, y: Int) {
      (
        plane.sample(nearX: x + 1, y: y) - plane.sample(nearX: x - 1, y: y),
        plane.sample(nearX: x, y: y + 1) - plane.sample(nearX: x, y: y - 1)
      )
    }
    var aligned = 0
    // Every fourth column by itself.
    var sums = [0.0, 0, 0, 0]
    for y in 0..<matte.height {
      for x in 0..<matte.width {
        let (a, b) = (gradient(matte, x, y), gradient(picture, x, y))
        aligned += abs(a.x * b.x + a.y * b.y)
        sums[x % 4] += Double((a.x * a.x + a.y * a.y) * (b.x * b.x + b.y * b.y)).squareRoot()
      }
    }
    let all = (sums[0] + sums[1]) + (sums[2] + sums[3])
    return all == 0 ? nil : Double(aligned) / all
  }

  /// Pieces, holes, and the pixels of those.
  static func pieces(_ matte: PlainPlane, _ components: PlainComponents) -> [Int] {
    components.label(.eight) { matte.isPerson($0) }
    let count = components.regions.count
    components.label(.four) { !matte.isPerson($0) }
    let holes = components.regions.filter { !$0.touchesBorder }
    return [count, holes.count, holes.reduce(0) { $0 + $1.pixelCount }]
  }

  /// Means of 4 x 4 pixels; what is left over at the right and below is left out.
  static func reduced(_ plane: PlainPlane) -> PlainPlane {
    let (width, height) = (plane.width / 4, plane.height / 4)
    let samples = (0..<width * height).map { i in
      let sum = (0..<16).reduce(0) { sum, k in
        sum + plane.sample(nearX: i % width * 4 + k % 4, y: i / width * 4 + k / 4)
      }
      return UInt8((sum + 8) / 16)
    }
    return PlainPlane(samples, width: width, height: height)
  }
}
