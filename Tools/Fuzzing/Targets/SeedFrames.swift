import FrameModel
import Support

@testable import ChunkFormat

/// Small frames of every format, and what the encoders make of them.
enum SeedFrames {
  /// One that is less than a vector, one that is a tile and a bit, one of two strips.
  private static let sizes = [(1, 1), (5, 4), (17, 9), (40, 18)]

  static func layouts() throws(RetakeError) -> [FrameLayout] {
    var layouts: [FrameLayout] = []
    for format in PixelFormat.allCases {
      for (width, height) in sizes { layouts.append(try FrameLayout(format, width: width, height: height)) }
    }
    return layouts
  }

  /// A slope with an edge and some noise; for depth it holds few distinct values, as a camera's does, unless `isNoisy`.
  static func frame(_ layout: FrameLayout, seed: UInt64, isNoisy: Bool = false) -> [UInt8] {
    let byteCount = layout.format == .jpeg ? 300 : layout.byteCount
    let sampleByteCount = layout.format == .disparityFloat32 ? 4 : layout.format.isDepth ? 2 : 1
    return (0..<byteCount).map { index in
      let random = SeededGenerator.hash(seed, UInt64(index))
      if isNoisy { return UInt8(truncatingIfNeeded: random) }
      // The lowest byte of each sample.
      guard index % sampleByteCount == 0 else { return 0 }
      return UInt8(truncatingIfNeeded: index / 8 + (index / 60 % 3) * 40 + Int(random % 3))
    }
  }

  /// Inputs of a decoder's target: payloads as they are, and what stands before zstd, for the target to pack.
  static func inputs(_ codec: FrameCodec, _ encoder: FrameEncoder) throws -> [[UInt8]] {
    var inputs: [[UInt8]] = []
    let decompressor = try ZstdDecompressor()
    for layout in try layouts() {
      for (seed, isNoisy) in [(UInt64(1), false), (2, true)] {
        let bytes = frame(layout, seed: seed, isNoisy: isNoisy)
        // Of a frame that is cut short too, since that is when zstd alone is used.
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

  /// What a payload's zstd frames hold together.
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
