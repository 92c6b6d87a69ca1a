import Kernels

extension MaskBlur {
  /// Without shortcuts, 0 ... 2²⁴.
  func reference(_ mask: [UInt8]) -> [UInt32] {
    func clamped(_ position: Int, _ length: Int) -> Int { min(max(position, 0), length - 1) }
    let along = mask.indices.map { i in
      (-weights.radius...weights.radius).reduce(UInt64(127)) { sum, k in
        sum + UInt64(mask[i / width * width + clamped(i % width + k, width)]) * UInt64(weights.half[abs(k)])
      } / 255
    }
    let columns = weights.columns
    return mask.indices.map { i in
      var (high, low, rest) = (0, 0, 0)
      for (k, tap) in columns.taps.enumerated() {
        for row in [i / width - k, i / width + k] {
          let sample = Int(along[clamped(row, height) * width + i % width])
          let upper = (sample + 1 << 10) >> 11
          if k < columns.innerCount {
            high += Int(tap) * upper
            low += Int(tap) * (sample - upper << 11)
            rest += Int(columns.rests[k]) * upper
          } else {
            rest += Int(tap) * upper
          }
        }
      }
      let shift = columns.innerBits - 11
      let sum = high + low >> 11 + rest >> (24 - columns.innerBits)
      return UInt32((sum + 1 << (shift - 1)) >> shift)
    }
  }

  func reference(_ mask: [UInt8], bend: MatteBend) -> [Int16] { reference(mask).map(bend.value) }
}
