import Kernels

/// `SoftPlane` in plain loops.
struct SoftImage {
  let width: Int
  let height: Int
  var samples: [Int]

  init(width: Int, height: Int, _ sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int) {
    self.width = width
    self.height = height
    samples = (0..<4 * width * height).map { sample($0 / 4 % width, $0 / 4 / width, $0 % 4) }
  }

  init(rgb: [UInt8], width: Int, height: Int) {
    self.init(width: width, height: height) { x, y, channel in
      channel < 3 ? Int(rgb[3 * (y * width + x) + channel]) << 6 : 0
    }
  }

  /// Positions outside repeat the edge.
  subscript(x: Int, y: Int, channel: Int) -> Int {
    samples[4 * (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) + channel]
  }

  private static func oneThree(_ sample: (Int) -> Int) -> Int {
    (sample(0) + 3 * sample(1) + 3 * sample(2) + sample(3) + 4) >> 3
  }

  /// The first halving, of bytes: exact.
  static func halved(rgb: [UInt8], width: Int, height: Int) -> SoftImage {
    let weights = [1, 3, 3, 1]
    let image = SoftImage(rgb: rgb, width: width, height: height)
    return SoftImage(width: (width + 1) / 2, height: (height + 1) / 2) { x, y, channel in
      var sum = 0
      for (j, down) in weights.enumerated() {
        for (i, along) in weights.enumerated() {
          sum += down * along * image[2 * x - 1 + i, 2 * y - 1 + j, channel]
        }
      }
      return sum / 64
    }
  }

  func halved() -> SoftImage {
    let down = SoftImage(width: width, height: (height + 1) / 2) { x, y, channel in
      Self.oneThree { self[x, 2 * y - 1 + $0, channel] }
    }
    return SoftImage(width: (width + 1) / 2, height: down.height) { x, y, channel in
      Self.oneThree { down[2 * x - 1 + $0, y, channel] }
    }
  }

  func withLuma() -> SoftImage {
    SoftImage(width: width, height: height) { x, y, channel in
      if channel < 3 { return self[x, y, channel] }
      return 77 * self[x, y, 0] / 256 + 150 * self[x, y, 1] / 256 + 29 * self[x, y, 2] / 256
    }
  }

  private static func weighed(_ weights: SoftWeights, _ sample: (Int) -> Int) -> Int {
    var sum = (sample(0) * weights.half[0]) >> 16 + weights.half.count / 2
    for k in 1..<weights.half.count { sum += ((sample(-k) + sample(k)) * weights.half[k]) >> 16 }
    return sum
  }

  func blurred(_ weights: SoftWeights) -> SoftImage {
    let along = SoftImage(width: width, height: height) { x, y, channel in
      Self.weighed(weights) { self[x + $0, y, channel] }
    }
    return SoftImage(width: width, height: height) { x, y, channel in
      Self.weighed(weights) { along[x, y + $0, channel] }
    }
  }

  /// Interpolates a copy to the size of its original.
  func scaledUp(_ scale: Int, _ width: Int, _ height: Int) -> SoftImage {
    func between(_ i: Int, _ sample: (Int) -> Int) -> Int {
      let place = 2 * i + 1 - scale
      let first = place < 0 ? -1 : place / (2 * scale)
      let share = (place - first * 2 * scale) * (16384 / scale)
      return sample(first) + ((sample(first + 1) - sample(first)) * share) >> 15
    }
    let down = SoftImage(width: self.width, height: height) { x, y, channel in between(y) { self[x, $0, channel] } }
    return SoftImage(width: width, height: height) { x, y, channel in between(x) { down[$0, y, channel] } }
  }
}

extension BlurLevels {
  /// Each level and its scale.
  func reference(_ picture: [UInt8], hasLuma: Bool = false) -> [(SoftImage, Int)] {
    var copies = [SoftImage(rgb: picture, width: width, height: height)]
    while copies.count < self.copies.count {
      let half = SoftImage.halved(rgb: picture, width: width, height: height)
      copies.append(copies.count > 1 ? copies.last!.halved() : hasLuma ? half.withLuma() : half)
    }
    return levels.map { (copies[$0.scale.trailingZeroBitCount].blurred($0.weights), $0.scale) }
  }
}
