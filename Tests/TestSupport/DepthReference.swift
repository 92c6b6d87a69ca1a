import FrameModel

/// `RankTransform`, `CrumbPacking` and `DeltaPlanes` in plain loops.
package enum DepthReference {
  package static func samples(_ bytes: [UInt8], _ layout: FrameLayout) -> [UInt32] {
    let size = layout.format == .disparityFloat32 ? 4 : 2
    return stride(from: 0, to: bytes.count, by: size).map { start in
      (0..<size).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }
  }

  package static func zigzag(_ residual: Int) -> UInt16 {
    UInt16(residual >= 0 ? 2 * residual : -2 * residual - 1)
  }

  package static func ranks(_ bytes: [UInt8], _ layout: FrameLayout) -> [UInt8] {
    let samples = samples(bytes, layout)
    let values = Set(samples).sorted()
    let rankOf = Dictionary(uniqueKeysWithValues: zip(values, 0...))
    let width = layout.width
    let rank = { (x: Int, y: Int) in x < 0 || y < 0 ? 0 : rankOf[samples[y * width + x], default: 0] }
    let gaps = values.indices.map { $0 == 0 ? values[0] : values[$0] - values[$0 - 1] - 1 }
    var numbers: [UInt16] = layout.format == .disparityFloat32 ? gaps.map { UInt16($0 >> 16) } : []
    numbers += gaps.map { UInt16($0 & 0xFFFF) }
    for y in 0..<layout.height {
      for x in 0..<width {
        let prediction = PlaneReference.median(
          left: rank(x - 1, y), above: rank(x, y - 1), aboveLeft: rank(x - 1, y - 1))
        numbers.append(zigzag(rank(x, y) - prediction))
      }
    }
    return littleEndian(values.count) + crumbs(numbers)
  }

  package static func crumbs(_ numbers: [UInt16]) -> [UInt8] {
    let large = numbers.filter { $0 >= 3 }.map { $0 - 3 }
    let wide = large.filter { $0 >= 15 }.map { $0 - 15 }
    return littleEndian(large.count) + littleEndian(wide.count)
      + packed(numbers.map { UInt8(min($0, 3)) }, bits: 2) + packed(large.map { UInt8(min($0, 15)) }, bits: 4)
      + wide.map { UInt8($0 & 0xFF) } + wide.map { UInt8($0 >> 8) }
  }

  private static func packed(_ parts: [UInt8], bits: Int) -> [UInt8] {
    stride(from: 0, to: parts.count, by: 8 / bits).map { start in
      (start..<min(start + 8 / bits, parts.count)).reduce(0) { $0 | parts[$1] << UInt8(bits * ($1 - start)) }
    }
  }

  private static func littleEndian(_ count: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  package static func deltas(_ bytes: [UInt8], _ layout: FrameLayout) -> [UInt8] {
    let samples = samples(bytes, layout)
    let bits = layout.format == .disparityFloat32 ? 32 : 16
    let modulus = 1 << bits
    let codes = samples.indices.map { index -> Int in
      let before =
        index == 0 ? 0 : index % layout.width == 0 ? samples[index - layout.width] : samples[index - 1]
      let difference = (Int(samples[index]) - Int(before) + modulus) % modulus
      return difference < modulus / 2 ? 2 * difference : 2 * (modulus - difference) - 1
    }
    return (0..<(bits / 8)).flatMap { part in codes.map { UInt8(truncatingIfNeeded: $0 >> (8 * part)) } }
  }
}
