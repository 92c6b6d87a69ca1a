import Kernels

extension PixelColors.Matrix {
  func reference(_ pixel: [UInt8]) -> [UInt8] {
    zip(weights, bias).map { row, bias in
      let sum = zip(row, pixel).reduce(Int(bias) + 2048) { $0 + Int($1.0) * Int($1.1) }
      return UInt8(min(max(sum >> 12, 0), 255))
    }
  }
}

extension PixelColors {
  static func despillReference(_ pixel: [UInt8], _ spill: Spill, amount: Double) -> [UInt8] {
    var result = pixel
    let channel = spill == .green ? 1 : 2
    let most = Int(max(pixel[0], pixel[3 - channel]))
    let excess = max(0, Int(pixel[channel]) - most)
    result[channel] -= UInt8((excess * fixed(amount, 15) + 1 << 14) >> 15)
    return result
  }

  static func mixReference(_ byte: UInt8, grey: UInt8, share: Double) -> UInt8 {
    let share = fixed(share, 14)
    return UInt8((Int(byte) * (1 << 14 - share) + Int(grey) * share + 1 << 13) >> 14)
  }
}
