import CKernels
import Support

/// Foreground over background as amounts of light: sRGB (IEC 61966-2-1) to 16 linear bits by a table, blended there,
/// (m · f + (255 − m) · b + 127) / 255, and back by a table that rounds to nearest.
package struct LightBlend: Sendable {
  /// 0 ... 65535 of each byte.
  let toLight: KernelTable<UInt16>
  /// The nearest byte of each 16-bit value.
  let toByte: KernelTable<UInt8>

  package init() {
    let light = (0...255).map { UInt16((Self.linear(Double($0) / 255) * 65535).rounded(.toNearestOrEven)) }
    toLight = KernelTable(light)
    // The byte changes in the middle between two of them, as stored.
    var bytes = [UInt8](repeating: 255, count: 65536)
    var start = 0
    for byte in 0..<255 {
      let end = Int((Self.linear((Double(byte) + 0.5) / 255) * 65535).rounded(.up))
      for i in start..<end { bytes[i] = UInt8(byte) }
      start = end
    }
    toByte = KernelTable(bytes)
  }

  private static func linear(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : PortableMath.pow((value + 0.055) / 1.055, 2.4)
  }

  /// - Parameter count: pixels of packed RGB.
  package func rgb(
    foreground: UnsafePointer<UInt8>, background: UnsafePointer<UInt8>, matte: UnsafePointer<UInt8>,
    to out: UnsafeMutablePointer<UInt8>, count: Int, processor: Processor = .best
  ) {
    withExtendedLifetime(self) {
      rtk_blend_light(
        processor.choice, foreground, background, matte, out, count, toLight.address, toByte.address)
    }
  }

  /// The formula; what the kernel is tested against.
  package func reference(foreground: UInt8, background: UInt8, matte: UInt8) -> UInt8 {
    let near = Int(matte) * Int(toLight.elements[Int(foreground)])
    let far = (255 - Int(matte)) * Int(toLight.elements[Int(background)])
    return toByte.elements[(near + far + 127) / 255]
  }
}
