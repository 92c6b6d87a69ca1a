import FrameModel
import Kernels

/// Byte order of a camera's pixels, compared with the `PixelFormat` that stores them.
package enum CameraByteOrder: Hashable, Sendable {
  case same
  /// Blue, green, red.
  case blueFirst
  /// U Y0 V Y1.
  case chromaFirst
}

/// Copies frames out of a driver's buffers, without row padding and in the format's byte order.
package struct CameraFrameCopy: Sendable {
  private let layout: FrameLayout
  private let sourceBytesPerRow: Int
  private let order: CameraByteOrder

  /// - Parameter order: `blueFirst` is for RGB24, `chromaFirst` for YUYV.
  package init(to layout: FrameLayout, sourceBytesPerRow: Int, from order: CameraByteOrder) {
    self.layout = layout
    self.sourceBytesPerRow = sourceBytesPerRow
    self.order = order
  }

  /// `source` may be less or more than a frame. `target` has at least `layout.byteCount` bytes, or
  /// for JPEG the most to accept.
  /// - Returns: bytes written, and whether they are a whole frame.
  package func copy(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer)
    -> (byteCount: Int, isWhole: Bool)
  {
    if layout.format == .jpeg {
      let count = min(source.count, layout.byteCount, target.count)
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
      return (count, count == source.count)
    }
    var written = 0
    if sourceBytesPerRow == layout.bytesPerRow {
      written = min(source.count, layout.byteCount)
      row(UnsafeRawBufferPointer(rebasing: source[..<written]), to: target)
    } else {
      for y in 0..<layout.rowCount {
        let start = y * sourceBytesPerRow
        guard start < source.count else { break }
        let end = min(source.count, start + layout.bytesPerRow)
        row(
          UnsafeRawBufferPointer(rebasing: source[start..<end]),
          to: UnsafeMutableRawBufferPointer(rebasing: target[(y * layout.bytesPerRow)...]))
        written += end - start
      }
    }
    return (written, written == layout.byteCount)
  }

  private func row(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
    switch order {
    case .same: target.copyMemory(from: source)
    case .blueFirst: Self.swap(source, to: target)
    case .chromaFirst: Self.swapPairs(source, to: target)
    }
  }

  private static func swapPairs(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
    guard let first = source.bindMemory(to: UInt8.self).baseAddress,
      let out = target.bindMemory(to: UInt8.self).baseAddress
    else { return }
    PackedSamples.swapPairs(first, to: out, byteCount: source.count & ~1)
    // The rest of an incomplete pair.
    if source.count % 2 == 1 { out[source.count - 1] = 0 }
  }

  /// Swaps red and blue, 16 pixels at a time. The vectors exchange bytes of pixels that cross their
  /// borders. Written lane by lane, this compiles to a few shuffles.
  private static func swap(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
    typealias Bytes = SIMD16<UInt8>
    var i = 0
    while i + 48 <= source.count {
      let a = source.loadUnaligned(fromByteOffset: i, as: Bytes.self)
      let b = source.loadUnaligned(fromByteOffset: i + 16, as: Bytes.self)
      let c = source.loadUnaligned(fromByteOffset: i + 32, as: Bytes.self)
      let x = Bytes(
        a[2], a[1], a[0], a[5], a[4], a[3], a[8], a[7], a[6], a[11], a[10], a[9], a[14], a[13], a[12], b[1])
      let y = Bytes(
        b[0], a[15], b[4], b[3], b[2], b[7], b[6], b[5], b[10], b[9], b[8], b[13], b[12], b[11], c[0], b[15])
      let z = Bytes(
        b[14], c[3], c[2], c[1], c[6], c[5], c[4], c[9], c[8], c[7], c[12], c[11], c[10], c[15], c[14], c[13])
      target.storeBytes(of: x, toByteOffset: i, as: Bytes.self)
      target.storeBytes(of: y, toByteOffset: i + 16, as: Bytes.self)
      target.storeBytes(of: z, toByteOffset: i + 32, as: Bytes.self)
      i += 48
    }
    while i + 3 <= source.count {
      (target[i], target[i + 1], target[i + 2]) = (source[i + 2], source[i + 1], source[i])
      i += 3
    }
    // The rest of an incomplete pixel.
    while i < source.count {
      target[i] = 0
      i += 1
    }
  }
}
