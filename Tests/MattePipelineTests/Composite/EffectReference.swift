import Foundation

/// Effects in double precision, from their formulas and nothing of the package. Samples are 0 ... 255.
struct DoubleImage {
  let width: Int
  let height: Int
  /// Three a pixel.
  var samples: [Double]

  init(_ width: Int, _ height: Int, _ sample: (_ x: Int, _ y: Int, _ channel: Int) -> Double) {
    (self.width, self.height) = (width, height)
    samples = (0..<3 * width * height).map { sample($0 / 3 % width, $0 / 3 / width, $0 % 3) }
  }

  init(_ width: Int, _ height: Int, bytes: [UInt8]) {
    self.init(width, height) { x, y, channel in Double(bytes[3 * (y * width + x) + channel]) }
  }

  /// Edges are repeated.
  subscript(x: Int, y: Int, channel: Int) -> Double {
    samples[3 * (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) + channel]
  }

  func luma(_ x: Int, _ y: Int) -> Double { (77 * self[x, y, 0] + 150 * self[x, y, 1] + 29 * self[x, y, 2]) / 256 }

  /// Weights for places from −reach on, along both sides one after the other.
  private func filtered(_ weights: [Double], _ place: (Int, Int) -> Int, width: Int, height: Int) -> DoubleImage {
    let along = DoubleImage(width, self.height) { x, y, channel in
      weights.indices.reduce(0) { $0 + weights[$1] * self[place(x, $1), y, channel] }
    }
    return DoubleImage(width, height) { x, y, channel in
      weights.indices.reduce(0) { $0 + weights[$1] * along[x, place(y, $1), channel] }
    }
  }

  func halved() -> DoubleImage {
    filtered(
      [0.125, 0.375, 0.375, 0.125], { 2 * $0 - 1 + $1 }, width: (width + 1) / 2, height: (height + 1) / 2)
  }

  func blurred(_ sigma: Double) -> DoubleImage {
    let reach = Int((4 * sigma).rounded(.up))
    var weights = (-reach...reach).map { Foundation.exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(0, +)
    weights = weights.map { $0 / sum }
    return filtered(weights, { $0 + $1 - reach }, width: width, height: height)
  }

  /// Between pixel centres.
  func scaledUp(_ scale: Int, _ width: Int, _ height: Int) -> DoubleImage {
    DoubleImage(width, height) { x, y, channel in
      let (u, v) = ((Double(x) + 0.5) / Double(scale) - 0.5, (Double(y) + 0.5) / Double(scale) - 0.5)
      let (i, j) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
      let (s, t) = (u - Double(i), v - Double(j))
      let upper = self[i, j, channel] * (1 - s) + self[i + 1, j, channel] * s
      let lower = self[i, j + 1, channel] * (1 - s) + self[i + 1, j + 1, channel] * s
      return upper * (1 - t) + lower * t
    }
  }

  /// A Gaussian of a whole picture by way of a copy at 1 / `scale`, as Compositing.md has it.
  func level(_ sigma: Double, scale: Int) -> DoubleImage {
    var copy = self
    var s = 1
    while s < scale {
      copy = copy.halved()
      s *= 2
    }
    let square = Double(scale * scale)
    let done = scale == 1 ? 0 : (square - 1) / 4 + square / 6 + 1.0 / 12
    let left = max((sigma * sigma - done) / square, 0.16).squareRoot()
    return copy.blurred(left).scaledUp(scale, width, height)
  }
}

enum EffectReference {
  /// The largest of 16, 8, 4, 2, 1 of which σ is at least so many times.
  private static func scale(_ sigma: Double, _ detail: Double) -> Int {
    var scale = 16
    while scale > 1 && Double(scale) * detail > sigma { scale /= 2 }
    return scale
  }

  static func variableBlur(_ image: DoubleImage, matte: [UInt8], radius: Double) -> DoubleImage {
    var sigmas = [radius, radius / 2]
    while sigmas.count < 6 && sigmas.last! >= 3.2 { sigmas.append(sigmas.last! / 2) }
    // Mattes at which each level is what is seen, and the levels; the sharp picture at 255.
    var knots = [0.0]
    for k in 1..<sigmas.count { knots.append(255 - Double(256 >> k)) }
    var levels = sigmas.enumerated().map { k, sigma in
      image.level(sigma, scale: scale(sigma, k == 0 ? 2.4 : 1.25))
    }
    knots.append(255)
    levels.append(image)
    return DoubleImage(image.width, image.height) { x, y, channel in
      let m = Double(matte[y * image.width + x])
      let k = min(knots.lastIndex { $0 <= m }!, knots.count - 2)
      let share = (m - knots[k]) / (knots[k + 1] - knots[k])
      return levels[k][x, y, channel] * (1 - share) + levels[k + 1][x, y, channel] * share
    }
  }

  static func comic(_ image: DoubleImage) -> DoubleImage {
    let fine = image.halved()
    let soft = fine.blurred(((3.7 * 3.7 - 1.5) / 4).squareRoot())
    func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { min(max(value, low), high) }
    let step = 255.0 / 6
    let tones = DoubleImage(fine.width, fine.height) { x, y, channel in
      let luma = soft.luma(x, y)
      let stair = min((luma / step).rounded(.down), 5)
      let rise = clamp((luma - (stair + 0.5) * step) * 3, -step / 2, step / 2)
      return clamp((stair + 0.5) * step + rise + 1.375 * (soft[x, y, channel] - luma), 0, 255)
    }
    let light = DoubleImage(fine.width, fine.height) { x, y, _ in
      1 - clamp(14 * (soft.luma(x, y) - fine.luma(x, y) - 3) / 256, 0, 1)
    }
    let (color, left) = (tones.scaledUp(2, image.width, image.height), light.scaledUp(2, image.width, image.height))
    let unit = max(1, (image.height + 240) / 360)
    let directions = [(4 * unit, unit), (unit, 4 * unit), (4 * unit, 0)]
    return DoubleImage(image.width, image.height) { x, y, channel in
      let (a, b) = directions[channel]
      let turn = 2 * Double.pi / Double(a * a + b * b)
      let (u, v) = (turn * Double(a * x + b * y), turn * Double(a * y - b * x))
      let screen = 255 * (0.5 + (Foundation.cos(u) + Foundation.cos(v)) / 4)
      let dot = clamp(127.5 + 3 * (color[x, y, channel] - screen), 0, 255)
      return (color[x, y, channel] + 0.4 * (dot - color[x, y, channel])) * left[x, y, 0]
    }
  }

  static func lightWrap(
    _ composite: DoubleImage, background: DoubleImage, matte: [UInt8], amount: Double, radius: Double
  ) -> DoubleImage {
    let (width, height) = (composite.width, composite.height)
    func m(_ x: Int, _ y: Int) -> Double { Double(matte[y * width + x]) / 255 }
    let seen = DoubleImage(width, height) { x, y, channel in (1 - m(x, y)) * background[x, y, channel] }
    let light = seen.level(radius / 2, scale: scale(radius / 2, 1.7))
    return DoubleImage(width, height) { x, y, channel in
      let c = composite[x, y, channel]
      return c + amount * m(x, y) * light[x, y, channel] * (1 - c / 255)
    }
  }
}
