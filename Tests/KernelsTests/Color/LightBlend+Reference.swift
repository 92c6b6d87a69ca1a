import Kernels

extension LightBlend {
  func reference(foreground: UInt8, background: UInt8, matte: UInt8) -> UInt8 {
    let near = Int(matte) * Int(toLight.elements[Int(foreground)])
    let far = (255 - Int(matte)) * Int(toLight.elements[Int(background)])
    return toByte.elements[(near + far + 127) / 255]
  }
}
