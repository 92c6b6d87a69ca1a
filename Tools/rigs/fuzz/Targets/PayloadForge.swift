import FrameModel
import Support
import TestSupport

@testable import ChunkFormat

/// Turns arbitrary bytes into payloads with valid lengths, so that a fuzzer varies their contents.
enum PayloadForge {
  static func zstd(_ bytes: [UInt8], by compressor: ZstdCompressor) -> [UInt8] {
    var target = [UInt8](repeating: 0, count: ZstdCompressor.bound(bytes.count))
    let count = bytes.withRawBytes { bytes in
      target.withMutableRawBytes { compressor.compress(bytes, effort: .matches, into: $0) }
    }
    return Array(target.prefix(count ?? 0))
  }

  /// A codec's payload before zstd, with valid lengths.
  static func whole(_ bytes: [UInt8], _ codec: FrameCodec, _ layout: FrameLayout) -> [UInt8] {
    switch codec {
    case .raw, .zstd, .deltaBytes: return repeated(bytes, layout.byteCount)
    case .planesMedianTiles, .liftedMedianColumns, .rgbMedianColumns:
      guard codec.fits(layout.format), let form = PlaneForm(codec) else { return bytes }
      return repeated(bytes, ColorPlanes(layout, as: form, in: ScratchMemory()).tileCount + layout.byteCount)
    case .planesMedianNibbles: return nibbles(repeated(bytes, layout.byteCount))
    case .ranksMedianCrumbs: return ranks(bytes, layout)
    }
  }

  private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    guard !bytes.isEmpty else { return [UInt8](repeating: 0, count: count) }
    return (0..<count).map { bytes[$0 % bytes.count] }
  }

  /// Packs residual codes as FrameCodecs.md describes.
  private static func nibbles(_ codes: [UInt8]) -> [UInt8] {
    let filled = codes + [UInt8](repeating: 0, count: (32 - codes.count % 32) % 32)
    let halves = stride(from: 0, to: filled.count, by: 32).flatMap { start in
      (start..<start + 16).map { min(filled[$0], 15) | min(filled[$0 + 16], 15) << 4 }
    }
    return halves + codes.filter { $0 >= 15 }
  }

  /// Reads 16-bit words: the number of distinct values, then the gaps and residuals.
  private static func ranks(_ bytes: [UInt8], _ layout: FrameLayout) -> [UInt8] {
    let sampleCount = layout.width * layout.height
    let words = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    let distinctCount = 1 + Int(words.first ?? 0) % sampleCount
    let gapCount = layout.format == .disparityFloat32 ? 2 * distinctCount : distinctCount
    let rest = words.dropFirst()
    let numbers = (0..<gapCount + sampleCount).map { rest.isEmpty ? 0 : rest[1 + $0 % rest.count] }
    return (0..<4).map { UInt8(truncatingIfNeeded: distinctCount >> (8 * $0)) } + DepthReference.crumbs(numbers)
  }
}
