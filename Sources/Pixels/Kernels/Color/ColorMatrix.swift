import CKernels
import FrameModel

/// How a stream's YUV maps to RGB: the luma weights, and the levels of black and white.
///
/// With K_R and K_B of the encoding and Y, U, V of 0 ... 255:
///
///     R = y + 2 (1 − K_R) v,  B = y + 2 (1 − K_B) u,  G = (y − K_R R − K_B B) / (1 − K_R − K_B)
///
/// In full range y = Y, u = U − 128, v = V − 128. In limited range y = (Y − 16) 255/219,
/// u = (U − 128) 255/224, v likewise (ITU-R BT.601-7 and BT.709-6). Here the factors are integers
/// with 16 fractional bits. Factors and results are rounded to nearest, and results are clamped to
/// 0 ... 255.
package struct ColorMatrix: Hashable, Sendable {
  /// Raw values are the words in a stream's settings; the cases are V4L2's.
  package enum Encoding: String, CaseIterable, Sendable {
    case bt601 = "601"
    case bt709 = "709"
    case bt2020 = "bt-2020"
    case smpte240M = "smpte-240m"

    /// K_R and K_B: the weights of red and blue in luma.
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

  package static let encodingSetting = "ycbcr-encoding"
  package static let rangeSetting = "quantization"

  package let encoding: Encoding
  package let range: Range

  /// With 16 fractional bits, as are the next four.
  package let luma: Int32
  package let redOfV: Int32
  package let greenOfU: Int32
  package let greenOfV: Int32
  package let blueOfU: Int32
  /// Half for rounding, minus the luma of black.
  package let offset: Int32

  /// The default for streams without these settings: simulated cameras and data sets.
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

  /// From a stream's settings. A missing or unknown value falls back to that of `full601`, so
  /// recordings by newer or foreign software still show, with slightly wrong colours.
  package init(_ settings: [StreamDescription.Setting]) {
    self.init(
      settings[Self.encodingSetting].flatMap(Encoding.init(rawValue:)) ?? .bt601,
      settings[Self.rangeSetting].flatMap(Range.init(rawValue:)) ?? .full)
  }

  /// For the kernels. Sums stay below 2²⁶ for any input.
  var table: RTKColorMatrix {
    RTKColorMatrix(
      luma: luma, redOfV: redOfV, greenOfU: greenOfU, greenOfV: greenOfV, blueOfU: blueOfU, offset: offset)
  }
}
