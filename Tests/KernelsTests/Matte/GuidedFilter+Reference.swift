import CKernels
import Kernels

extension GuidedFilter {
  /// Window by window, without running sums or shortcuts
  /// for flat areas. `matte` has no padding.
  func reference(_ matte: [Int16], rgb: [UInt8]) -> [UInt8] {
    let grey = (0..<rgb.count / 3).map { GreyReduction.greyReference(rgb[3 * $0], rgb[3 * $0 + 1], rgb[3 * $0 + 2]) }
    let small = reduction.reference(grey)
    let coefficients = matte.indices.map { coefficient(small, matte, window($0)) }
    let means = coefficients.indices.map { i in
      let window = window(i)
      return (
        a: mean(window.map { coefficients[$0].a }, bits), b: mean(window.map { coefficients[$0].b }, bits + 1)
      )
    }
    let along = (0..<height).map { y in
      (0..<horizontal.targetLength).map { x in
        let taps = horizontal.taps(x)[1...2]
        return (
          a: mix(taps.map { (means[y * width + $0.position].a, $0.weight) }),
          b: mix(taps.map { (means[y * width + $0.position].b, $0.weight) })
        )
      }
    }
    return grey.indices.map { i in
      let taps = vertical.taps(i / horizontal.targetLength)[1...2]
      let x = i % horizontal.targetLength
      let a = mix(taps.map { (along[$0.position][x].a, $0.weight) })
      let b = mix(taps.map { (along[$0.position][x].b, $0.weight) })
      let mid = Int(RTKGreyOne) / 2
      let value = a * (Int(grey[i]) - mid) + b * mid
      return UInt8(min(max((value + 64 << bits) >> (bits + 7), 0), 255))
    }
  }

  /// Indices of the window around a pixel.
  private func window(_ i: Int) -> [Int] {
    let columns = max(i % width - radius, 0)...min(i % width + radius, width - 1)
    return (max(i / width - radius, 0)...min(i / width + radius, height - 1)).flatMap { y in
      columns.map { y * width + $0 }
    }
  }

  private func coefficient(_ grey: [Int16], _ matte: [Int16], _ window: [Int]) -> (a: Int, b: Int) {
    let area = window.count
    var (greys, samples, squares, products) = (0, 0, 0, 0)
    for i in window {
      let (grey, sample) = (Int(grey[i]), Int(matte[i]))
      greys += grey
      samples += sample
      squares += grey * grey
      products += grey * sample
    }
    let squareBits = Int.bitWidth - (area * area).leadingZeroBitCount
    let shift = max(0, squareBits - 20)
    let spread = area * squares - greys * greys + area * area * Int(Self.scaledEpsilon(epsilon))
    let a = divided((area * products - greys * samples) << (15 - shift), by: spread >> shift)
    let one = Int(RTKGuideOne)
    let level = 2 * one * samples + a * (area * Int(RTKGreyOne) / 2 - greys)
    let scale = area * Int(RTKGreyOne)
    let reciprocal = (1 << 48 + scale / 2) / scale
    return (a, Int((Int128(level) * Int128(reciprocal) + 1 << 47) >> 48))
  }

  /// Rounds to nearest, halves away from zero.
  private func divided(_ value: Int, by divisor: Int) -> Int {
    let size = (abs(value) + divisor / 2) / divisor
    return value < 0 ? -size : size
  }

  /// The mean of numbers with 14 fractional bits, rounded to `bits`.
  private func mean(_ values: [Int], _ bits: Int) -> Int {
    let reciprocal = (1 << 30 + values.count / 2) / values.count
    return (values.reduce(0, +) * reciprocal + 1 << (43 - bits)) >> (44 - bits)
  }

  private func mix(_ values: [(Int, Int16)]) -> Int {
    values.reduce(1 << 13) { $0 + $1.0 * Int($1.1) } >> 14
  }
}
