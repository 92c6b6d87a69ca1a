import Kernels

extension DepthInterpolation {
  static func reference(_ before: UInt16, _ depth: UInt16, _ after: UInt16, deltaMillimeters: Int) -> UInt16 {
    let (p, c, n) = (Int(before), Int(depth), Int(after))
    if c != 0 {
      func near(_ neighbor: Int) -> Int { neighbor != 0 && abs(neighbor - c) <= deltaMillimeters ? neighbor : c }
      return UInt16((near(p) + 2 * c + near(n) + 2) >> 2)
    }
    return UInt16(p != 0 && n != 0 && abs(p - n) <= deltaMillimeters ? (p + n + 1) >> 1 : max(p, n))
  }
}
