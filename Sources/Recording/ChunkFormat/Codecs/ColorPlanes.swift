import FrameModel
import Kernels

/// An 8-bit picture split into planes whose neighbouring samples are similar. Guides/FrameCodecs.md
/// lists the planes of each format and their order.
package struct ColorPlanes {
  typealias Plane = SamplePlane<UInt8>

  private let layout: FrameLayout
  private let form: PlaneForm
  /// Planes beyond the format's count are empty.
  private let planes: InlineArray<4, Plane>

  /// - Parameter layout: packed, of a format that `handles` accepts.
  init(_ layout: FrameLayout, as form: PlaneForm = .tiles, in memory: ScratchMemory) {
    self.layout = layout
    self.form = form
    let sizes = Self.sizes(layout)
    var total = 0
    for index in sizes.indices {
      total += Plane.byteCount(width: sizes[index].width, height: sizes[index].height)
    }
    let base = UnsafeMutableRawPointer(memory.samples(of: UInt8.self, total))
    var offset = 0
    planes = InlineArray { index in
      let (width, height) = sizes[index]
      let plane = Plane(width: width, height: height, in: base + offset)
      offset += Plane.byteCount(width: width, height: height)
      return plane
    }
  }

  package static func handles(_ format: PixelFormat) -> Bool {
    switch format {
    case .rgb24, .yuyv, .nv12, .grey8, .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8: true
    case .jpeg, .grey16, .depthMillimeters16, .kinectRaw11, .disparityFloat32, .motion: false
    }
  }

  private static func sizes(_ layout: FrameLayout) -> InlineArray<4, (width: Int, height: Int)> {
    let (width, height) = (layout.width, layout.height)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    switch layout.format {
    case .rgb24: return [(width, height), (width, height), (width, height), (0, 0)]
    case .yuyv: return [(2 * halfWidth, height), (halfWidth, height), (halfWidth, height), (0, 0)]
    case .nv12: return [(2 * halfWidth, height), (halfWidth, halfHeight), (halfWidth, halfHeight), (0, 0)]
    case .grey8: return [(width, height), (0, 0), (0, 0), (0, 0)]
    case .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8:
      return [
        (halfWidth, halfHeight), (width / 2, halfHeight), (halfWidth, height / 2), (width / 2, height / 2),
      ]
    case .jpeg, .grey16, .depthMillimeters16, .kinectRaw11, .disparityFloat32, .motion:
      return [(0, 0), (0, 0), (0, 0), (0, 0)]
    }
  }

  var tileCount: Int {
    var count = 0
    for index in planes.indices {
      count += form.tileCount(width: planes[index].width, height: planes[index].height)
    }
    return count
  }

  /// Calls `body` for each non-empty plane, with the numbers of residuals and tiles before it. All
  /// planes together have as many samples as the frame has bytes.
  @inline(__always)
  func withEachPlane(_ body: (_ plane: Plane, _ residual: Int, _ tile: Int) -> Void) {
    var residual = 0
    var tile = 0
    for index in planes.indices where planes[index].width > 0 && planes[index].height > 0 {
      let plane = planes[index]
      body(plane, residual, tile)
      residual += plane.width * plane.height
      tile += form.tileCount(width: plane.width, height: plane.height)
    }
  }

  /// - Parameter bytes: a whole frame's packed bytes.
  func split(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let byteCount = layout.bytesPerRow
    for y in 0..<layout.rowCount {
      let row = base + y * byteCount
      switch layout.format {
      case .rgb24:
        form.rgb.split(row, count: layout.width, planes[0].row(y), planes[1].row(y), planes[2].row(y))
      case .yuyv:
        ByteInterleaving.splitYUYV(
          row, count: byteCount / 4, planes[0].row(y), planes[1].row(y), planes[2].row(y))
      case .nv12 where y >= layout.height:
        let chroma = y - layout.height
        ByteInterleaving.split(row, count: byteCount / 2, planes[1].row(chroma), planes[2].row(chroma))
      case .nv12, .grey8: planes[0].row(y).update(from: row, count: byteCount)
      default:
        let even = planes[(y & 1) * 2].row(y / 2)
        let odd = planes[(y & 1) * 2 + 1].row(y / 2)
        ByteInterleaving.split(row, count: byteCount / 2, even, odd)
        if byteCount & 1 == 1 { even[byteCount / 2] = row[byteCount - 1] }
      }
    }
  }

  func join(into bytes: UnsafeMutableRawBufferPointer, processor: Processor) {
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let byteCount = layout.bytesPerRow
    for y in 0..<layout.rowCount {
      let row = base + y * byteCount
      switch layout.format {
      case .rgb24:
        form.rgb.join(
          planes[0].row(y), planes[1].row(y), planes[2].row(y), count: layout.width, row, processor: processor)
      case .yuyv:
        ByteInterleaving.joinYUYV(
          planes[0].row(y), planes[1].row(y), planes[2].row(y), count: byteCount / 4, row)
      case .nv12 where y >= layout.height:
        let chroma = y - layout.height
        ByteInterleaving.join(planes[1].row(chroma), planes[2].row(chroma), count: byteCount / 2, row)
      case .nv12, .grey8: row.update(from: planes[0].row(y), count: byteCount)
      default:
        let even = planes[(y & 1) * 2].row(y / 2)
        let odd = planes[(y & 1) * 2 + 1].row(y / 2)
        ByteInterleaving.join(even, odd, count: byteCount / 2, row)
        if byteCount & 1 == 1 { row[byteCount - 1] = even[byteCount / 2] }
      }
    }
  }
}
