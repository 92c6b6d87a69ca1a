import FrameModel
import Kernels
import Media
import Support

/// A colour frame as detectors need it: luma only, reduced by 1, 2, 4 or 8 each way.
package final class GreyImage {
  package let width: Int
  package let height: Int
  /// Frame pixels per pixel of this picture, each way.
  package let reduction: Int
  /// Frames read so far; tells pictures apart.
  private(set) var readCount = 0
  private let layout: FrameLayout
  private let plane: PixelPlane<UInt8>
  /// The decoded JPEG at full size; nil for other formats.
  private let full: PixelPlane<UInt8>?

  /// - Parameter usefulSide: the shorter side is reduced as far as it stays at least this long.
  /// - Throws: `.unsupported` for a format that shows no picture.
  package init(_ layout: FrameLayout, usefulSide: Int) throws(RetakeError) {
    switch layout.format {
    case .rgb24, .yuyv, .nv12, .grey8, .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8, .jpeg: break
    default:
      throw RetakeError(
        .unsupported, "Faces cannot be detected in \(layout.format.rawValue) frames.",
        hint: "choose another format for the colour stream, or --faces none")
    }
    var reduction = 1
    while reduction < 8, min(layout.width, layout.height) / (reduction * 2) >= usefulSide { reduction *= 2 }
    self.layout = layout
    self.reduction = reduction
    width = max(1, layout.width / reduction)
    height = max(1, layout.height / reduction)
    plane = PixelPlane(width: width, height: height)
    full = layout.format == .jpeg ? PixelPlane(width: layout.width, height: layout.height, channels: 3) : nil
  }

  /// Packed rows of `width` bytes.
  package var samples: UnsafeMutablePointer<UInt8> { plane.samples }

  /// - Throws: `.corrupt` for a frame that is not whole.
  package func read(_ picture: FramePicture) throws(RetakeError) {
    guard picture.layout.packed == layout.packed, picture.isWhole else {
      throw RetakeError(.corrupt, "A colour frame is incomplete, or its format differs from its stream's.")
    }
    defer { withExtendedLifetime(picture) {} }
    readCount += 1
    let bytes = picture.bytes
    if let full {
      try JPEGDecoder().decodeRGB(
        bytes, width: layout.width, height: layout.height, into: full.samples, name: "a colour frame")
      return reduce(UnsafePointer(full.samples), stride: full.rowLength, Self.light)
    }
    let source = bytes.bindMemory(to: UInt8.self).baseAddress!
    let stride = picture.layout.bytesPerRow
    switch layout.format {
    case .rgb24: reduce(source, stride: stride, Self.light)
    case .yuyv: reduce(source, stride: stride) { row, x in Int(row[2 * x]) }
    case .nv12, .grey8: reduce(source, stride: stride) { row, x in Int(row[x]) }
    default: reduceMosaic(source, stride: stride)
    }
  }

  /// Luma by ITU-R BT.601: Y = 0.299 R + 0.587 G + 0.114 B, in 256ths.
  @inline(__always)
  private static func light(_ row: UnsafePointer<UInt8>, _ x: Int) -> Int {
    (77 * Int(row[3 * x]) + 150 * Int(row[3 * x + 1]) + 29 * Int(row[3 * x + 2]) + 128) >> 8
  }

  /// The mean of each block, rounded to nearest. Incomplete blocks are left out.
  @inline(__always)
  private func reduce(
    _ source: UnsafePointer<UInt8>, stride: Int, _ sample: (UnsafePointer<UInt8>, Int) -> Int
  ) {
    let half = reduction * reduction / 2
    let shift = 2 * reduction.trailingZeroBitCount
    for y in 0..<height {
      let out = plane.row(y)
      if reduction == 1 {
        let row = source + y * stride
        for x in 0..<width { out[x] = UInt8(truncatingIfNeeded: sample(row, x)) }
        continue
      }
      for x in 0..<width {
        var sum = half
        for dy in 0..<reduction {
          let row = source + min(y * reduction + dy, layout.height - 1) * stride
          for dx in 0..<reduction { sum &+= sample(row, min(x * reduction + dx, layout.width - 1)) }
        }
        out[x] = UInt8(truncatingIfNeeded: sum >> shift)
      }
    }
  }

  /// 2 × 2 pixels of a mosaic have one red, one blue and two green samples: nearly luma.
  private func reduceMosaic(_ source: UnsafePointer<UInt8>, stride: Int) {
    guard reduction == 1 else { return reduce(source, stride: stride) { row, x in Int(row[x]) } }
    for y in 0..<height {
      let row = source + y * stride
      let next = source + (y + 1 < height ? y + 1 : max(0, y - 1)) * stride
      let out = plane.row(y)
      for x in 0..<width {
        let beside = x + 1 < width ? x + 1 : max(0, x - 1)
        let sum = Int(row[x]) + Int(row[beside]) + Int(next[x]) + Int(next[beside])
        out[x] = UInt8(truncatingIfNeeded: (sum + 2) >> 2)
      }
    }
  }
}
