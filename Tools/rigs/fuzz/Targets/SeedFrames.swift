import FrameModel
import Support

@testable import ChunkFormat

/// Small frames of every format, and their encoded payloads.
enum SeedFrames {
  /// A single pixel, less than a vector, a tile and a bit, and two strips.
  private static let sizes = [(1, 1), (5, 4), (17, 9), (40, 18)]

  static func layouts() throws(RetakeError) -> [FrameLayout] {
    var layouts: [FrameLayout] = []
    for format in PixelFormat.allCases {
      for (width, height) in sizes { layouts.append(try FrameLayout(format, width: width, height: height)) }
    }
    return layouts
  }

  /// A gradient with edges and some noise. Depth has few distinct values, unless `isNoisy`.
  static func frame(_ layout: FrameLayout, seed: UInt64, isNoisy: Bool = false) -> [UInt8] {
    let byteCount = layout.format == .jpeg ? 300 : layout.byteCount
    let sampleByteCount = layout.format == .disparityFloat32 ? 4 : layout.format.isDepth ? 2 : 1
    return (0..<byteCount).map { index in
      let random = SeededGenerator.hash(seed, UInt64(index))
      if isNoisy { return UInt8(truncatingIfNeeded: random) }
      // Only the lowest byte of each sample varies.
      guard index % sampleByteCount == 0 else { return 0 }
      return UInt8(truncatingIfNeeded: index / 8 + (index / 60 % 3) * 40 + Int(random % 3))
    }
  }

  /// Inputs for a decoder target: payloads as encoded, and without zstd for the target to compress.
  static func inputs(_ codec: FrameCodec, _ encoder: FrameEncoder) throws -> [[UInt8]] {
    var inputs: [[UInt8]] = []
    let decompressor = try ZstdDecompressor()
    for layout in try layouts() {
      for (seed, isNoisy) in [(UInt64(1), false), (2, true)] {
        let bytes = frame(layout, seed: seed, isNoisy: isNoisy)
        // Truncated frames too, because only those use plain zstd.
        for count in Set([bytes.count, bytes.count / 2]).sorted(by: >) {
          for effort in EncodingEffort.allCases {
            let part = Array(bytes.prefix(count))
            let (used, payload) = try part.withRawBytes { bytes throws(RetakeError) in
              try encoder.encode(bytes, layout: layout, effort: effort) { codec, payload throws(RetakeError) in
                (codec, Array(payload))
              }
            }
            guard used == codec else { continue }
            let cut = count == layout.byteCount ? nil : count
            inputs.append(DecoderInput.bytes(layout, packsWithZstd: false, makesWhole: false, cutTo: cut, payload))
            guard codec.usesZstd,
              let inner = unpacked(payload, codec, layout, frameByteCount: count, decompressor)
            else { continue }
            inputs.append(DecoderInput.bytes(layout, packsWithZstd: true, makesWhole: false, cutTo: cut, inner))
          }
        }
      }
      guard codec.fits(layout.format) else { continue }
      let some = frame(layout, seed: 3)
      inputs.append(DecoderInput.bytes(layout, packsWithZstd: true, makesWhole: true, Array(some.prefix(600))))
    }
    return inputs
  }

  /// The decompressed contents of a payload's zstd frames.
  private static func unpacked(
    _ payload: [UInt8], _ codec: FrameCodec, _ layout: FrameLayout, frameByteCount: Int,
    _ decompressor: ZstdDecompressor
  ) -> [UInt8]? {
    let count =
      switch codec {
      case .planesMedianTiles, .liftedMedianColumns, .rgbMedianColumns:
        ColorPlanes(layout, as: PlaneForm(codec) ?? .tiles, in: ScratchMemory()).tileCount + layout.byteCount
      case .ranksMedianCrumbs: payload.withRawBytes(ZstdDecompressor.contentSize) ?? 0
      case .raw, .zstd, .planesMedianNibbles, .deltaBytes: frameByteCount
      }
    var target = [UInt8](repeating: 0, count: count)
    let isWhole = payload.withRawBytes { payload in
      target.withMutableRawBytes { decompressor.decompress(payload, into: $0) }
    }
    return isWhole ? target : nil
  }
}
