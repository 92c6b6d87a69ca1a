/// How far colours of the old background show in the outline of a composite with the video's colours.
///
/// A pixel of the video that the person covers by α* has (1 − α*) of the old background in it. A matte of α brings
/// α · (1 − α*) of that into the composite. What this changes is the difference between the colours of the person and of
/// the old background nearby: means over the pixels with α* = 255 and α* = 0 in 5 × 5 cells, in the channel that
/// differs most. The score is the mean over the outline: pixels with α* < 255 near half-opaque ones. A perfect matte
/// does not have 0 where edges are soft; `composite.foreground=estimate` is for that rest.
// Immutable, so several threads read it at once.
package struct EdgeSpill: Sendable {
  private struct Pixel {
    let index: Int32
    /// (255 − α*) · difference of colours.
    let weight: Int32
  }

  private let pixels: [Pixel]

  /// Pixels count as outline up to this many from the person: 6 per 640 of the picture's width, rounded, at least 1.
  package static func reach(width: Int) -> Int { max(1, (6 * width + 320) / 640) }
  /// Side of the cells in which colours are averaged: 8 pixels per 640, rounded, at least 1.
  package static func cellSide(width: Int) -> Int { max(1, (8 * width + 320) / 640) }

  /// - Parameter picture: packed RGB of the truth's size.
  package init(_ truth: TruthFeatures, _ picture: UnsafePointer<UInt8>) {
    let width = truth.width
    let (samples, judged) = (truth.plane.samples, truth.leftOut?.judged.samples)
    let side = Self.cellSide(width: width)
    let cells = LocalColors(truth.plane, judged: judged, picture, side: side)
    let differences = cells.differences()
    var pixels: [Pixel] = []
    Self.forEachNear(truth, reach: Self.reach(width: width)) { x, y in
      let i = y * width + x
      guard samples[i] < 255, judged.map({ $0[i] != 0 }) ?? true else { return }
      guard let difference = differences[y / side * cells.columns + x / side] else { return }
      pixels.append(Pixel(index: Int32(i), weight: Int32((255 - Int(samples[i])) * difference)))
    }
    self.pixels = pixels
  }

  /// Mean steps of 255 over the outline; 0 if the truth has none with known colours on both sides.
  package func steps(of matte: BytePlane) -> Double {
    guard !pixels.isEmpty else { return 0 }
    var sum = 0
    for pixel in pixels { sum += Int(matte.samples[Int(pixel.index)]) * Int(pixel.weight) }
    return Double(sum) / Double(255 * 255 * pixels.count)
  }

  /// Calls `body` for each pixel with a half-opaque one at most `reach` columns and rows away, row by row.
  private static func forEachNear(_ truth: TruthFeatures, reach: Int, _ body: (_ x: Int, _ y: Int) -> Void) {
    let (height, person) = (truth.height, truth.matte.personPixels)
    let stride = person.wordCount / height
    let (spread, near) = (BitPlane(width: truth.width, height: height), BitPlane(width: truth.width, height: height))
    spread.words.update(from: person.words, count: spread.wordCount)
    for y in 0..<height {
      let row = spread.words + y * stride
      for _ in 0..<reach {
        var before: UInt64 = 0
        for word in 0..<stride {
          let (here, next) = (row[word], word + 1 < stride ? row[word + 1] : 0)
          row[word] = here | here << 1 | here >> 1 | before >> 63 | next << 63
          before = here
        }
      }
    }
    for y in 0..<height {
      for row in max(0, y - reach)...min(height - 1, y + reach) {
        for word in 0..<stride { near.words[y * stride + word] |= spread.words[row * stride + word] }
      }
    }
    near.forEach(width: truth.width, height: height) { x, y in if x < truth.width { body(x, y) } }
  }
}

/// Sums of the person's and the old background's colours in cells.
private struct LocalColors {
  let columns: Int
  private let rows: Int
  /// Count, red, green, blue of the background, then of the person.
  private var sums: [SIMD8<Int32>]

  init(_ truth: BytePlane, judged: UnsafeMutablePointer<UInt8>?, _ picture: UnsafePointer<UInt8>, side: Int) {
    let (width, height) = (truth.width, truth.height)
    (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
    sums = Array(repeating: .zero, count: columns * rows)
    for y in 0..<height {
      for column in 0..<columns {
        var (background, person) = (SIMD4<Int32>.zero, SIMD4<Int32>.zero)
        for i in y * width + column * side..<y * width + min(width, (column + 1) * side) {
          let alpha = truth.samples[i]
          guard alpha == 0 || alpha == 255, judged == nil || judged![i] != 0 else { continue }
          let color = SIMD4(1, Int32(picture[3 * i]), Int32(picture[3 * i + 1]), Int32(picture[3 * i + 2]))
          if alpha == 0 { background &+= color } else { person &+= color }
        }
        sums[y / side * columns + column] &+= SIMD8(lowHalf: background, highHalf: person)
      }
    }
  }

  /// For each cell, the largest difference of a channel between the means of person and background in 5 × 5 cells;
  /// nil if either is not there.
  func differences() -> [Int?] {
    (0..<columns * rows).map { cell in
      let (x, y) = (cell % columns, cell / columns)
      var sum = SIMD8<Int32>.zero
      for row in max(0, y - 2)...min(rows - 1, y + 2) {
        for column in max(0, x - 2)...min(columns - 1, x + 2) { sum &+= sums[row * columns + column] }
      }
      guard sum[0] > 0, sum[4] > 0 else { return nil }
      func mean(_ place: Int) -> Int { (Int(sum[place]) + Int(sum[place & 4]) / 2) / Int(sum[place & 4]) }
      return (1...3).map { abs(mean(4 + $0) - mean($0)) }.max()
    }
  }
}
