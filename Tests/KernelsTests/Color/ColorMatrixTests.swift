import FrameModel
import Kernels
import TestSupport
import Testing

/// What YUV means, by BT.601 and its successors.
@Suite struct ColorMatrixTests {
  private static let all = ColorMatrix.Encoding.allCases.flatMap { encoding in
    ColorMatrix.Range.allCases.map { ColorMatrix(encoding, $0) }
  }

  /// In double precision, before rounding and clamping.
  private static func exact(_ matrix: ColorMatrix, _ y: Int, _ u: Int, _ v: Int) -> (Double, Double, Double) {
    let (kr, kb) = matrix.encoding.weights
    let isFull = matrix.range == .full
    let luma = isFull ? Double(y) : Double(y - 16) * 255 / 219
    let cb = Double(u - 128) * (isFull ? 1 : 255.0 / 224)
    let cr = Double(v - 128) * (isFull ? 1 : 255.0 / 224)
    let red = luma + 2 * (1 - kr) * cr
    let blue = luma + 2 * (1 - kb) * cb
    return (red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue)
  }

  /// Calls `body` with U, V and the RGB of all 256 lumas, for each U and V.
  private static func everyColor(_ matrix: ColorMatrix, _ body: (Int, Int, UnsafePointer<UInt8>) -> Void) {
    var row: [UInt8] = (0..<512).map { $0 % 2 == 0 ? UInt8($0 / 2) : 0 }
    var rgb = [UInt8](repeating: 0, count: 768)
    for u in 0..<256 {
      for v in 0..<256 {
        for pair in 0..<128 {
          row[4 * pair + 1] = UInt8(u)
          row[4 * pair + 3] = UInt8(v)
        }
        ColorConversion.yuyv(row, matrix, width: 256, to: &rgb, rows: 0..<1)
        rgb.withUnsafeBufferPointer { body(u, v, $0.baseAddress!) }
      }
    }
  }

  @Test(arguments: all)
  func `all 2²⁴ colours are within rounding of double precision, and what lies beyond is black or white`(
    _ matrix: ColorMatrix
  ) {
    var worst = 0.0
    Self.everyColor(matrix) { u, v, rgb in
      for y in 0..<256 {
        let (red, green, blue) = Self.exact(matrix, y, u, v)
        worst = max(worst, abs(Double(rgb[3 * y]) - min(max(red, 0), 255)))
        worst = max(worst, abs(Double(rgb[3 * y + 1]) - min(max(green, 0), 255)))
        worst = max(worst, abs(Double(rgb[3 * y + 2]) - min(max(blue, 0), 255)))
      }
    }
    print("\(matrix.encoding.rawValue) \(matrix.range.rawValue): at most \(worst) of 255 from double precision")
    #expect(worst <= 0.51)
  }

  @Test(arguments: all) func `the plain version gives the same for all 2²⁴ colours`(_ matrix: ColorMatrix) {
    var differences = 0
    Self.everyColor(matrix) { u, v, rgb in
      for y in 0..<256 {
        let plain = matrix.rgb(UInt8(y), UInt8(u), UInt8(v))
        if plain != (rgb[3 * y], rgb[3 * y + 1], rgb[3 * y + 2]) { differences += 1 }
      }
    }
    #expect(differences == 0)
  }

  /// The constants of JFIF with 16 fractional bits, as recordings were shown before streams said what they mean.
  @Test func `full range of BT.601 is what it always was, bit for bit`() {
    var differences = 0
    Self.everyColor(.full601) { u, v, rgb in
      let (cb, cr) = (u - 128, v - 128)
      for y in 0..<256 {
        let luma = y << 16 + 1 << 15
        let sums = [luma + 91_881 * cr, luma - 22_553 * cb - 46_802 * cr, luma + 116_130 * cb]
        for channel in 0..<3 where Int(rgb[3 * y + channel]) != min(max(sums[channel] >> 16, 0), 255) {
          differences += 1
        }
      }
    }
    #expect(differences == 0)
  }

  @Test(arguments: all) func `greys are grey, black is black and white is white`(_ matrix: ColorMatrix) {
    let (black, white): (UInt8, UInt8) = matrix.range == .full ? (0, 255) : (16, 235)
    #expect(matrix.rgb(black, 128, 128) == (0, 0, 0))
    #expect(matrix.rgb(white, 128, 128) == (255, 255, 255))
    for y in UInt8.min...UInt8.max {
      let grey = matrix.rgb(y, 128, 128)
      #expect(grey.red == grey.green && grey.green == grey.blue)
    }
  }

  /// A bar of 75 % light, and pure colours at 75 % as SMPTE's bars have them.
  @Test func `colour bars of video have the colours that they are meant to have`() {
    #expect(ColorMatrix(.bt601, .limited).rgb(180, 128, 128) == (191, 191, 191))
    let bars: [(ColorMatrix, yuv: [UInt8], rgb: [Int])] = [
      (ColorMatrix(.bt601, .limited), [65, 100, 212], [191, 0, 0]),
      (ColorMatrix(.bt601, .limited), [35, 212, 114], [0, 0, 191]),
      (ColorMatrix(.bt709, .limited), [51, 109, 212], [191, 0, 0]),
      (ColorMatrix(.bt709, .limited), [28, 212, 120], [0, 0, 191]),
      (ColorMatrix(.bt709, .full), [54, 99, 255], [255, 0, 0]),
    ]
    for bar in bars {
      let color = bar.0.rgb(bar.yuv[0], bar.yuv[1], bar.yuv[2])
      for (sample, wanted) in zip([color.red, color.green, color.blue], bar.rgb) {
        // YUV in whole numbers is exact to half a step of each.
        #expect(abs(Int(sample) - wanted) <= 2, "\(bar.0.encoding.rawValue) \(bar.yuv) is \(color)")
      }
    }
  }

  @Test(
    arguments: [
      ([], ColorMatrix.full601), ([.init("seed", "1")], .full601),
      ([.init("ycbcr-encoding", "601"), .init("quantization", "limited")], ColorMatrix(.bt601, .limited)),
      ([.init("quantization", "full"), .init("ycbcr-encoding", "709")], ColorMatrix(.bt709, .full)),
      ([.init("ycbcr-encoding", "709"), .init("quantization", "limited")], ColorMatrix(.bt709, .limited)),
      ([.init("quantization", "limited")], ColorMatrix(.bt601, .limited)),
      ([.init("ycbcr-encoding", "bt-2020")], ColorMatrix(.bt2020, .full)),
      ([.init("ycbcr-encoding", "smpte-240m")], ColorMatrix(.smpte240M, .full)),
      // The first of two counts.
      ([.init("quantization", "limited"), .init("quantization", "full")], ColorMatrix(.bt601, .limited)),
    ] as [([StreamDescription.Setting], ColorMatrix)])
  func `a stream's settings say what its YUV means`(
    _ settings: [StreamDescription.Setting], _ matrix: ColorMatrix
  ) {
    #expect(ColorMatrix(settings) == matrix)
  }

  @Test(arguments: ["", "v4l2-7", "709 ", "FULL", "\u{0}", String(repeating: "6", count: 1 << 20)])
  func `an unknown word is as good as none, and the other setting holds`(_ word: String) {
    #expect(
      ColorMatrix([.init("ycbcr-encoding", word), .init("quantization", "limited")]) == ColorMatrix(.bt601, .limited))
    #expect(ColorMatrix([.init("ycbcr-encoding", "709"), .init("quantization", word)]) == ColorMatrix(.bt709, .full))
  }
}
