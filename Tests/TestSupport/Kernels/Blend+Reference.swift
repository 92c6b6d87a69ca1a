import Kernels

extension Blend {
  package static func reference(foreground: UInt8, background: UInt8, matte: UInt8) -> UInt8 {
    let near = Int(matte) * Int(foreground)
    let far = (255 - Int(matte)) * Int(background)
    return UInt8((near + far + 127) / 255)
  }
}
