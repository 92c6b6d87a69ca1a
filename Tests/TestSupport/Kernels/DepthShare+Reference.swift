import Kernels

extension DepthShare {
  /// before + share · (now − before) in 1/256 mm, rounded to nearest, halves up.
  package static func mix(_ before: Int, _ now: Int, share: Int32) -> Int {
    before + (((now - before) * Int(share) + 1 << 11) >> 12)
  }

  package static func millimeters(_ fraction: Int) -> UInt16 { UInt16((fraction + 128) >> 8) }
}
