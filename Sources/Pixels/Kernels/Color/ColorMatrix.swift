import CKernels
import FrameModel

/// What a stream's YUV means: how luma and colour differences are computed from RGB, and where black and white lie.
///
/// With K_R and K_B of the encoding and Y, U, V of 0 ... 255, R, G and B are
///
///     R = y + 2 (1 − K_R) v,  B = y + 2 (1 − K_B) u,  G = (y − K_R R − K_B B) / (1 − K_R − K_B)
///
/// with y = Y, u = U − 128, v = V − 128 in full range, and y = (Y − 16) 255/219, u = (U − 128) 255/224, v likewise in
/// limited range (ITU-R BT.601-7 and BT.709-6). Here these are sums of products with whole constants of 16 fractional
/// bits, each rounded to nearest; so are the results. What lies beyond black or white becomes black or white.
package struct ColorMatrix: Hashable, Sendable {
  /// K_R and K_B. The raw value is the word in a stream's settings, and the cases are those that V4L2 names.
  package enum Encoding: String, CaseIterable, Sendable {
    case bt601 = "601"
    case bt709 = "709"
    case bt2020 = "bt-2020"
    case smpte240M = "smpte-240m"

    /// Parts of red and blue in luma.
    package var weights: (red: Double, blue: Double) {
      switch self {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      case .smpte240M: (0.212, 0.087)
      }
    }
  }

  /// The raw value is the word in a stream's settings.
  package enum Range: String, CaseIterable, Sendable {
    /// Black is 0 and white 255, as in JPEG.
    case full
    /// Black is 16 and white 235, as in video.
    case limited
  }

  /// Names of the settings that say them.
  package static let encodingSetting = "ycbcr-encoding"
  package static let rangeSetting = "quantization"

  package let encoding: Encoding
  package let range: Range

  /// In 65536ths.
  private let luma: Int32
  private let redOfV: Int32
  private let greenOfU: Int32
  private let greenOfV: Int32
  private let blueOfU: Int32
  /// What rounds to nearest, less the luma of black.
  private let offset: Int32

  /// What streams mean that say nothing: simulated cameras and data sets.
  package static let full601 = ColorMatrix(.bt601, .full)

  package init(_ encoding: Encoding, _ range: Range) {
    self.encoding = encoding
    self.range = range
    let (red, blue) = encoding.weights
    let green = 1 - red - blue
    let lumaScale = range == .full ? 1 : 255.0 / 219
    let chromaScale = range == .full ? 1 : 255.0 / 224
    func fixed(_ factor: Double) -> Int32 { Int32((factor * 65_536).rounded()) }
    luma = fixed(lumaScale)
    redOfV = fixed(2 * (1 - red) * chromaScale)
    greenOfU = fixed(2 * (1 - blue) * blue / green * chromaScale)
    greenOfV = fixed(2 * (1 - red) * red / green * chromaScale)
    blueOfU = fixed(2 * (1 - blue) * chromaScale)
    offset = 1 << 15 - (range == .full ? 0 : 16 * luma)
  }

  /// What a stream's settings say. An encoding or range that is missing or unknown is that of `full601`: a recording with
  /// a word from the future, or a stranger's, is shown a little wrong rather than not at all.
  package init(_ settings: [StreamDescription.Setting]) {
    func value(_ name: String) -> String? { settings.first { $0.name == name }?.value }
    self.init(
      value(Self.encodingSetting).flatMap(Encoding.init(rawValue:)) ?? .bt601,
      value(Self.rangeSetting).flatMap(Range.init(rawValue:)) ?? .full)
  }

  /// For the kernels. Of any bytes at all, sums stay below 2²⁶.
  var table: RTKColorMatrix {
    RTKColorMatrix(
      luma: luma, redOfV: redOfV, greenOfU: greenOfU, greenOfV: greenOfV, blueOfU: blueOfU, offset: offset)
  }

  /// One pixel, without anything that makes it fast: what `ColorConversion` is compared with.
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
