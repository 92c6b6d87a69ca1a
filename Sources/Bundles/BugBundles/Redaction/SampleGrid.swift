import FrameModel

/// Samples of one kind in a frame's packed bytes, such as the reds, U, or a mosaic's second greens.
struct SampleGrid {
  /// Bytes to the first sample, from one to the next, and from one row to the next.
  let offset: Int
  let step: Int
  let rowStep: Int
  let width: Int
  let height: Int
  /// Pixels that one sample covers.
  var pixelWidth = 1
  var pixelHeight = 1
  /// 1, or 2 for little-endian UInt16.
  var sampleByteCount = 1

  /// - Returns: grids that together hold every byte of a packed frame; nil for other formats.
  static func grids(of layout: FrameLayout) -> [SampleGrid]? {
    let (width, height) = (layout.width, layout.height)
    let row = layout.format.packedBytesPerRow(width: width)
    let pairs = (width: (width + 1) / 2, height: (height + 1) / 2)
    switch layout.format {
    case .rgb24:
      return (0..<3).map { SampleGrid(offset: $0, step: 3, rowStep: row, width: width, height: height) }
    case .grey8: return [SampleGrid(offset: 0, step: 1, rowStep: row, width: width, height: height)]
    case .grey16:
      return [SampleGrid(offset: 0, step: 2, rowStep: row, width: width, height: height, sampleByteCount: 2)]
    case .yuyv:
      // An odd last column has a second, invisible luma sample.
      return [SampleGrid(offset: 0, step: 2, rowStep: row, width: 2 * pairs.width, height: height)]
        + [1, 3].map {
          SampleGrid(offset: $0, step: 4, rowStep: row, width: pairs.width, height: height, pixelWidth: 2)
        }
    case .nv12:
      return [SampleGrid(offset: 0, step: 1, rowStep: row, width: row, height: height)]
        + (0..<2).map {
          SampleGrid(
            offset: row * height + $0, step: 2, rowStep: row, width: pairs.width, height: pairs.height, pixelWidth: 2,
            pixelHeight: 2)
        }
    case .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8:
      return (0..<4).map { place in
        let (left, top) = (place % 2, place / 2)
        return SampleGrid(
          offset: top * row + left, step: 2, rowStep: 2 * row, width: (width - left + 1) / 2,
          height: (height - top + 1) / 2, pixelWidth: 2, pixelHeight: 2)
      }
    case .jpeg, .depthMillimeters16, .kinectRaw11, .disparityFloat32, .motion: return nil
    }
  }

  /// Replaces every sample of a rectangle by their mean, rounded to nearest.
  func average(_ bytes: UnsafeMutableRawBufferPointer, _ columns: Range<Int>, _ rows: Range<Int>) {
    var sum = 0
    for y in rows {
      var place = offset + y * rowStep + columns.lowerBound * step
      for _ in columns {
        sum += sample(bytes, place)
        place += step
      }
    }
    let count = columns.count * rows.count
    fill(bytes, columns, rows, with: (sum + count / 2) / count)
  }

  func fill(_ bytes: UnsafeMutableRawBufferPointer, _ columns: Range<Int>, _ rows: Range<Int>, with value: Int) {
    for y in rows {
      var place = offset + y * rowStep + columns.lowerBound * step
      for _ in columns {
        bytes[place] = UInt8(truncatingIfNeeded: value)
        if sampleByteCount == 2 { bytes[place + 1] = UInt8(truncatingIfNeeded: value >> 8) }
        place += step
      }
    }
  }

  var middle: Int { sampleByteCount == 2 ? 0x8000 : 0x80 }

  private func sample(_ bytes: UnsafeMutableRawBufferPointer, _ place: Int) -> Int {
    sampleByteCount == 2 ? Int(bytes[place]) | Int(bytes[place + 1]) << 8 : Int(bytes[place])
  }
}
