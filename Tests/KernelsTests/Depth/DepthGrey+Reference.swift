import Kernels

extension DepthGrey {
  /// 0 ... `MatteSamples.one`.
  func reference(_ depth: UInt16) -> Int16 {
    let (lowest, reciprocal) = scale
    return depth <= lowest ? 0 : Int16((UInt64(depth - lowest) * UInt64(reciprocal) + 1 << 15) >> 16)
  }
}
