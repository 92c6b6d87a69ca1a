/// RGB pictures of one size to another, whatever becomes of their shape: what networks are shown. The taps are those of
/// `PictureScaler`, prepared once; nothing is allocated for a picture.
///
/// Along x: (Σ weight · sample + 2⁷) >> 8, which leaves eight fractional bits; along y: (Σ weight · that + 2²³) >> 24.
package final class PictureStretch {
  package let sourceWidth: Int
  package let sourceHeight: Int
  package let width: Int
  package let height: Int
  private let columns: Taps
  private let rows: Taps
  private let along: PixelPlane<UInt16>

  /// Taps one after the other, without an array for each.
  private struct Taps {
    var firsts: [Int] = []
    /// Where the weights of each begin; one more than there are.
    var starts = [0]
    var weights: [UInt32] = []

    init(_ taps: [PictureScaler.Tap]) {
      for tap in taps {
        firsts.append(tap.first)
        weights += tap.weights
        starts.append(weights.count)
      }
    }
  }

  package init(fromWidth sourceWidth: Int, height sourceHeight: Int, toWidth width: Int, height: Int) {
    (self.sourceWidth, self.sourceHeight) = (sourceWidth, sourceHeight)
    (self.width, self.height) = (width, height)
    columns = Taps(PictureScaler.taps(from: sourceWidth, start: 0, length: Double(sourceWidth), to: width))
    rows = Taps(PictureScaler.taps(from: sourceHeight, start: 0, length: Double(sourceHeight), to: height))
    along = PixelPlane(width: width, height: sourceHeight, channels: 3)
  }

  /// - Parameters:
  ///   - source: packed RGB of the source's size.
  ///   - target: packed RGB of `width` and `height`.
  package func apply(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
    for y in 0..<sourceHeight { shrinkRow(source + y * sourceWidth * 3, to: along.row(y)) }
    for y in 0..<height {
      let output = target + y * width * 3
      let first = rows.firsts[y]
      let weights = rows.starts[y]..<rows.starts[y + 1]
      for i in 0..<width * 3 {
        var sum: UInt64 = 1 << 23
        for (k, w) in weights.enumerated() { sum += UInt64(rows.weights[w]) * UInt64(along.row(first + k)[i]) }
        output[i] = UInt8(min(255, sum >> 24))
      }
    }
  }

  private func shrinkRow(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt16>) {
    for x in 0..<width {
      var (red, green, blue): (UInt32, UInt32, UInt32) = (128, 128, 128)
      var pixel = source + columns.firsts[x] * 3
      for w in columns.starts[x]..<columns.starts[x + 1] {
        let weight = columns.weights[w]
        red += weight * UInt32(pixel[0])
        green += weight * UInt32(pixel[1])
        blue += weight * UInt32(pixel[2])
        pixel += 3
      }
      target[3 * x] = UInt16(red >> 8)
      target[3 * x + 1] = UInt16(green >> 8)
      target[3 * x + 2] = UInt16(blue >> 8)
    }
  }
}
