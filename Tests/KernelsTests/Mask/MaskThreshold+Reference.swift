import Kernels

extension MaskThreshold {
  static func upToReference(_ cutoffMillimeters: UInt16, depth: UInt16) -> UInt8 {
    depth <= cutoffMillimeters ? 255 : 0
  }

  static func nearerThanEachReference(_ limit: UInt16, depth: UInt16, hole: UInt8) -> UInt8 {
    depth == 0 ? hole : depth <= limit ? 255 : 0
  }

  static func nearerThanReference(_ cutoffMillimeters: UInt16, depth: UInt16) -> UInt8 {
    depth > 0 && depth <= cutoffMillimeters ? 255 : 0
  }
}
