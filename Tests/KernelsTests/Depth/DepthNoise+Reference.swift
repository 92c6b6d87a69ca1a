import CKernels
import Kernels
import Support

extension DepthNoise {
  func reference(key: UInt64, _ sample: UInt16, at place: Int) -> UInt16 {
    let spread = Int(self.spread[Int(sample & bits)])
    guard spread > 0 else { return sample }
    var generator = SeededGenerator(seed: key &+ UInt64(2 * place) &* 0x9E37_79B9_7F4A_7C15)
    var sum = 0
    for _ in 0..<2 {
      let word = generator.next()
      for part in 0..<4 { sum += Int(word >> UInt64(16 * part) & 65_535) }
    }
    let half = 1 << (RTKSpreadFraction - 1)
    let moved = Int(sample & bits) + ((sum - 4 * 65_535) * spread + half) >> RTKSpreadFraction
    return UInt16(min(max(moved, Int(lowest)), Int(highest)))
  }
}
