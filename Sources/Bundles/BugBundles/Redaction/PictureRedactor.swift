import FrameModel
import Media
import Support

/// Makes faces in a frame's bytes unrecognisable, in the frame's own format. For one thread.
package final class PictureRedactor {
  package enum Manner {
    /// Squares of one colour each.
    case squares
    case grey
  }

  private let flattener: JPEGBlockFlattener
  /// Reused black JPEGs, by layout.
  private var blackJPEGs: [FrameLayout: [UInt8]] = [:]

  package init() throws(RetakeError) { flattener = try JPEGBlockFlattener() }

  /// Whether faces can be covered in this format; otherwise the whole frame becomes black.
  static func handles(_ format: PixelFormat) -> Bool {
    switch format {
    case .jpeg, .rgb24, .yuyv, .nv12, .grey8, .grey16, .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8: true
    case .depthMillimeters16, .kinectRaw11, .disparityFloat32, .motion: false
    }
  }

  /// - Parameter frame: complete and packed; a JPEG's length changes.
  /// - Throws: `.corrupt` for an unreadable JPEG or a wrong length; do not show the frame then.
  package func cover(
    _ frame: inout [UInt8], _ layout: FrameLayout, _ areas: [FaceSurroundings], _ manner: Manner
  ) throws(RetakeError) {
    if layout.format == .jpeg {
      let parts = areas.map {
        JPEGBlockFlattener.Part(x: $0.x, y: $0.y, squareSide: manner == .grey ? nil : $0.squareSide)
      }
      frame = try frame.withRawBytes { bytes throws(RetakeError) in
        try flattener.flatten(bytes, width: layout.width, height: layout.height, parts, name: "A colour frame")
      }
      return
    }
    guard let grids = SampleGrid.grids(of: layout), frame.count == layout.packed.byteCount else {
      throw RetakeError(
        .corrupt,
        "Faces cannot be covered in a frame of \(frame.count) bytes instead of \(layout.packed.byteCount).",
        hint: "drop the colour instead")
    }
    // Pixels that share a sample are covered together.
    let unit = (width: grids.map(\.pixelWidth).max() ?? 1, height: grids.map(\.pixelHeight).max() ?? 1)
    frame.withUnsafeMutableBytes { bytes in
      for area in areas { for grid in grids { Self.cover(bytes, grid, area, unit, manner) } }
    }
  }

  private static func cover(
    _ bytes: UnsafeMutableRawBufferPointer, _ grid: SampleGrid, _ area: FaceSurroundings,
    _ unit: (width: Int, height: Int), _ manner: Manner
  ) {
    let side = manner == .grey ? nil : Optional(area.squareSide)
    for rows in area.y.squares(unit: unit.height, side: side, samplePixels: grid.pixelHeight, limit: grid.height) {
      for columns in area.x.squares(unit: unit.width, side: side, samplePixels: grid.pixelWidth, limit: grid.width) {
        switch manner {
        case .squares: grid.average(bytes, columns, rows)
        case .grey: grid.fill(bytes, columns, rows, with: grid.middle)
        }
      }
    }
  }

  /// A black frame of the same format. It keeps a truncated frame's length, unless it is a JPEG.
  package func black(_ layout: FrameLayout, byteCount: Int) throws(RetakeError) -> [UInt8] {
    switch layout.format {
    case .jpeg:
      if let known = blackJPEGs[layout] { return known }
      let file = try JPEGEncoder.encode(RGBImage(width: layout.width, height: layout.height))
      blackJPEGs[layout] = file
      return file
    // Chroma is 128 without colour; a luma of 0 is black in every range.
    case .yuyv: return (0..<byteCount).map { $0 % 2 == 0 ? 0 : 128 }
    case .nv12:
      let lumaByteCount = layout.packed.bytesPerRow * layout.height
      return (0..<byteCount).map { $0 < lumaByteCount ? 0 : 128 }
    default: return [UInt8](repeating: 0, count: byteCount)
    }
  }
}
