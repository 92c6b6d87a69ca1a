import Kernels

extension ColorMatrix {
  package func rgb(_ y: UInt8, _ u: UInt8, _ v: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let light = Int(luma) * Int(y) + Int(offset)
    let (cb, cr) = (Int(u) - 128, Int(v) - 128)
    func sample(_ sum: Int) -> UInt8 {
      let value = sum >> 16
      return value < 0 ? 0 : value > 255 ? 255 : UInt8(value)
    }
    return (
      sample(light + Int(redOfV) * cr), sample(light - Int(greenOfU) * cb - Int(greenOfV) * cr),
      sample(light + Int(blueOfU) * cb)
    )
  }
}
