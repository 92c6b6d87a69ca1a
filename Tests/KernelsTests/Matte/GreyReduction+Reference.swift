import Kernels

extension GreyReduction {
  static func greyReference(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int16 {
    38 * Int16(red) + 75 * Int16(green) + 15 * Int16(blue)
  }

  /// Without padding.
  func reference(_ grey: [Int16]) -> [Int16] {
    let (width, targetWidth) = (horizontal.targetLength, horizontal.sourceLength)
    return (0..<targetWidth * vertical.sourceLength).map { i in
      let (x, y) = (i % targetWidth, i / targetWidth)
      var sum = 1 << 13
      for k in 0..<columns.count {
        let column = Int(columns.starts.elements[x]) + k
        guard column < width else { continue }
        var down = 1 << 13
        for l in 0..<rows.count {
          down +=
            Int(rows.weights.elements[y * rows.count + l])
            * Int(grey[(Int(rows.starts.elements[y]) + l) * width + column])
        }
        sum += Int(columns.weights.elements[x * columns.count + k]) * (down >> 14)
      }
      return Int16(sum >> 14)
    }
  }
}
