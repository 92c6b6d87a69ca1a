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
  let plane: PixelPlane<UInt8>
  /// The same at twice the size, if the frame has that many pixels.
  let fine: PixelPlane<UInt8>?
  /// Parts of the picture, interpolated; made on first use.
  var doubled: PixelPlane<UInt8>?
  var quadrupled: PixelPlane<UInt8>?
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
    fine = reduction > 1 ? PixelPlane(width: 2 * width, height: 2 * height) : nil
    full = layout.format == .jpeg ? PixelPlane(width: layout.width, height: layout.height, channels: 3) : nil
  }

  /// Packed rows of `width` bytes.
  package var samples: UnsafeMutablePointer<UInt8> { plane.samples }

  /// Without depth, the smallest face that is searched by default is this share of the shorter side.
  static let shareOfFaceWithoutDepth = 8
  var smallestFaceWithoutDepth: Int { min(width, height) / Self.shareOfFaceWithoutDepth }
  var longerSide: Int { max(width, height) }

  /// The mean of every eighth sample of every eighth row.
  func brightness() -> Int {
    var (sum, count) = (0, 0)
    for y in stride(from: 0, to: height, by: 8) {
      for x in stride(from: 0, to: width, by: 8) {
        sum += Int(samples[y * width + x])
        count += 1
      }
    }
    return sum / count
  }

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
      return reduce(UnsafePointer(full.samples), stride: full.rowLength)
    }
    reduce(bytes.bindMemory(to: UInt8.self).baseAddress!, stride: picture.layout.bytesPerRow)
  }

  private var isMosaic: Bool {
    switch layout.format {
    case .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8: true
    default: false
    }
  }

  private func reduce(_ source: UnsafePointer<UInt8>, stride: Int) {
    guard let fine else { return reduce(source, stride: stride, by: 1, to: plane) }
    reduce(source, stride: stride, by: reduction / 2, to: fine)
    if reduction == 2 && !isMosaic {
      // The mean of four samples that are stored exactly.
      Self.reduce(UnsafePointer(fine.samples), stride: fine.rowLength, by: 2, to: plane) { row, x in Int(row[x]) }
    } else {
      reduce(source, stride: stride, by: reduction, to: plane)
    }
  }

  private func reduce(_ source: UnsafePointer<UInt8>, stride: Int, by reduction: Int, to plane: PixelPlane<UInt8>) {
    switch layout.format {
    case .rgb24, .jpeg:
      // Luma by ITU-R BT.601: Y = 0.299 R + 0.587 G + 0.114 B, in 256ths.
      Self.reduce(source, stride: stride, by: reduction, to: plane) { row, x in
        (77 * Int(row[3 * x]) + 150 * Int(row[3 * x + 1]) + 29 * Int(row[3 * x + 2]) + 128) >> 8
      }
    case .yuyv: Self.reduce(source, stride: stride, by: reduction, to: plane) { row, x in Int(row[2 * x]) }
    case .nv12, .grey8: Self.reduce(source, stride: stride, by: reduction, to: plane) { row, x in Int(row[x]) }
    default: reduceMosaic(source, stride: stride, by: reduction, to: plane)
    }
  }

  /// The mean of each block, rounded to nearest. Incomplete blocks are left out.
  @inline(__always)
  private static func reduce(
    _ source: UnsafePointer<UInt8>, stride: Int, by reduction: Int, to plane: PixelPlane<UInt8>,
    _ sample: (UnsafePointer<UInt8>, Int) -> Int
  ) {
    let half = reduction * reduction / 2
    let shift = 2 * reduction.trailingZeroBitCount
    for y in 0..<plane.height {
      let out = plane.row(y)
      if reduction == 1 {
        let row = source + y * stride
        for x in 0..<plane.width { out[x] = UInt8(truncatingIfNeeded: sample(row, x)) }
        continue
      }
      for x in 0..<plane.width {
        var sum = half
        for dy in 0..<reduction {
          let row = source + (y * reduction + dy) * stride
          for dx in 0..<reduction { sum &+= sample(row, x * reduction + dx) }
        }
        out[x] = UInt8(truncatingIfNeeded: sum >> shift)
      }
    }
  }

  /// 2 × 2 pixels of a mosaic have one red, one blue and two green samples: nearly luma.
  private func reduceMosaic(
    _ source: UnsafePointer<UInt8>, stride: Int, by reduction: Int, to plane: PixelPlane<UInt8>
  ) {
    guard reduction == 1 else {
      return Self.reduce(source, stride: stride, by: reduction, to: plane) { row, x in Int(row[x]) }
    }
    for y in 0..<plane.height {
      let row = source + y * stride
      let next = source + (y + 1 < layout.height ? y + 1 : max(0, y - 1)) * stride
      let out = plane.row(y)
      for x in 0..<plane.width {
        let beside = x + 1 < layout.width ? x + 1 : max(0, x - 1)
        let sum = Int(row[x]) + Int(row[beside]) + Int(next[x]) + Int(next[beside])
        out[x] = UInt8(truncatingIfNeeded: (sum + 2) >> 2)
      }
    }
  }
}
