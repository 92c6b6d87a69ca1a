import CKernels
import Support

/// Blends foreground over background in linear light. A table converts sRGB (IEC 61966-2-1) to 16
/// linear bits, which are blended as (m · f + (255 − m) · b + 127) / 255. A second table converts
/// back, rounded to nearest.
package struct LightBlend: Sendable {
  /// Linear light, 0 ... 65535, of each byte.
  package let toLight: KernelTable<UInt16>
  package let toByte: KernelTable<UInt8>

  package init() {
    let light = (0...255).map { UInt16((Self.linear(Double($0) / 255) * 65535).rounded(.toNearestOrEven)) }
    toLight = KernelTable(light)
    // The threshold between two bytes is their midpoint in sRGB, not in linear light.
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
}
