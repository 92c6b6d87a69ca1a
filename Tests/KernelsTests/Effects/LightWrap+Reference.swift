import Kernels

extension LightWrap {
  func reference(background: [UInt8], matte: [UInt8], composite: [UInt8]) -> [UInt8] {
    let seen = background.indices.map { UInt8(((255 - Int(matte[$0 / 3])) * Int(background[$0]) + 127) / 255) }
    let (level, scale) = levels.reference(seen)[0]
    let light = level.scaledUp(scale, levels.width, levels.height)
    // From 0 ... 255 to 0 ... 32767.
    func share(_ value: Int) -> Int { value << 7 + value >> 1 }
    return composite.indices.map { i in
      let byte = Int(composite[i])
      let near = (light.samples[4 * (i / 3) + i % 3] * share(Int(matte[i / 3]))) >> 15
      let added = (((near * Int(amount)) >> 15) * share(255 - byte)) >> 15
      return UInt8((byte << 6 + added + 32) >> 6)
    }
  }
}
