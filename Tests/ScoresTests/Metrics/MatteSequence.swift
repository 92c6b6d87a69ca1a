import Support

/// Mattes, true mattes and pictures to score: a person that moves, with a hole, crumbs beside it and noise at its edge.
struct MatteSequence {
  let width: Int
  let height: Int
  private(set) var mattes: [[UInt8]] = []
  private(set) var truths: [[UInt8]] = []
  private(set) var greys: [[UInt8]] = []

  /// - Parameter lag: frames by which the matte comes after the truth.
  init(width: Int, height: Int, frames: Int, seed: UInt64, lag: Int = 0, noise: Int = 40) {
    (self.width, self.height) = (width, height)
    var random = SeededGenerator(seed: seed)
    let texture = (0..<(width + 64) * (height + 64)).map { _ in UInt8(random.next(below: 120)) }
    for frame in 0..<frames {
      let truth = Self.person(width, height, frame)
      var matte = Self.person(width, height, frame - lag)
      for i in matte.indices where random.next(below: 3) == 0 {
        let isEdge = matte[i] > 10 && matte[i] < 245
        if isEdge || random.next(below: 200) == 0 {
          matte[i] = UInt8(min(255, max(0, Int(matte[i]) + random.next(below: 2 * noise + 1) - noise)))
        }
      }
      // Crumbs, a hole, and a frame where the person is gone.
      for _ in 0..<3 { matte[random.next(below: matte.count)] = 255 }
      if frame % 4 == 2 { Self.fill(&matte, width, height, 8, 0) }
      if frame % 7 == 5 { matte = [UInt8](repeating: 0, count: matte.count) }
      mattes.append(matte)
      truths.append(truth)
      // What is seen of the texture moves with the person.
      greys.append(
        (0..<width * height).map { i in
          let (x, y) = (i % width, i / width)
          let shade = texture[(y + 32) * (width + 64) + x + 32 - (truth[i] > 127 ? 2 * frame % 32 : 0)]
          return UInt8(min(255, Int(shade) + Int(truth[i]) / 2))
        })
    }
  }

  private static func person(_ width: Int, _ height: Int, _ frame: Int) -> [UInt8] {
    let (centerX, centerY) = (width / 3 + 2 * frame, height / 2)
    let radius = height / 3
    return (0..<width * height).map { i in
      let (dx, dy) = (i % width - centerX, (i / width - centerY) * 3 / 4)
      let distance = Double(dx * dx + dy * dy).squareRoot()
      return UInt8(min(255, max(0, (Double(radius) - distance) * 40 + 128)))
    }
  }

  /// A square in the middle of the person.
  private static func fill(_ matte: inout [UInt8], _ width: Int, _ height: Int, _ size: Int, _ value: UInt8) {
    for y in height / 2..<height / 2 + size {
      for x in width / 3..<min(width, width / 3 + size) { matte[y * width + x] = value }
    }
  }
}
