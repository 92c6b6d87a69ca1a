/// How much the picture's colours differ across a matte's outline. An outline that runs through the person, or
/// through what is behind, has similar colours on both sides.
///
/// The outline is every pair of pixels, side by side or one above the other, of which only one is at least half
/// opaque. The colours compared are those `reach` pixels farther away on each side, so that neither soft edges nor
/// an outline that is off by a pixel count as similar. Beyond the picture, edges repeat.
package struct EdgeContrast: Hashable, Sendable {
  /// Σ|ΔR| + |ΔG| + |ΔB|, in steps of 1/255.
  package private(set) var steps = 0
  package private(set) var pairCount = 0

  package init() {}

  /// Mean difference of a channel, 0 to 255; nil without an outline.
  package var mean: Double? { pairCount == 0 ? nil : Double(steps) / (3 * Double(pairCount)) }

  /// 4 pixels per 640 of the picture's width, rounded, at least 1.
  package static func reach(width: Int) -> Int { max(1, (4 * width + 320) / 640) }

  /// - Parameter picture: packed RGB of the matte's size.
  package init(_ matte: MatteFeatures, _ picture: UnsafePointer<UInt8>) {
    let (width, height, person) = (matte.width, matte.height, matte.personPixels)
    let reach = Self.reach(width: width)
    func add(_ a: Int, _ b: Int) {
      let (a, b) = (picture + 3 * a, picture + 3 * b)
      steps += abs(Int(a[0]) - Int(b[0])) + abs(Int(a[1]) - Int(b[1])) + abs(Int(a[2]) - Int(b[2]))
      pairCount += 1
    }
    let stride = person.wordCount / height
    for y in 0..<height {
      let (row, words) = (y * width, person.words + y * stride)
      let (above, below) = (max(0, y - reach) * width, min(height - 1, y + 1 + reach) * width)
      for word in 0..<(width + 63) / 64 {
        // Bits that differ from the pixel to the right, which is there, and from the one below.
        var across = words[word] ^ (words[word] >> 1 | words[word + 1] << 63)
        if 64 * (word + 1) >= width { across &= ~(~0 << UInt64((width - 1) % 64)) }
        while across != 0 {
          let x = 64 * word + across.trailingZeroBitCount
          add(row + max(0, x - reach), row + min(width - 1, x + 1 + reach))
          across &= across - 1
        }
        var down = y + 1 < height ? words[word] ^ words[word + stride] : 0
        while down != 0 {
          let x = 64 * word + down.trailingZeroBitCount
          add(above + x, below + x)
          down &= down - 1
        }
      }
    }
  }

  package static func + (a: EdgeContrast, b: EdgeContrast) -> EdgeContrast {
    var sum = a
    sum.steps += b.steps
    sum.pairCount += b.pairCount
    return sum
  }
}
