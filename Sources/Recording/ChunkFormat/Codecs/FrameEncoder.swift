import FrameModel
import Support

/// Compresses frames, reusing its buffers. Each thread needs its own encoder. Equal frames give
/// equal payloads, whatever was encoded before.
package final class FrameEncoder {
  private let compressor: ZstdCompressor
  private let planes = PlaneTransform()
  private let trial = RGBTrial()
  private let ranks = RankTransform()
  private let deltas = ScratchMemory()
  private var payload = ScratchMemory()
  /// Holds the smallest payload so far while others are tried.
  private var kept = ScratchMemory()

  package init() throws(RetakeError) { compressor = try ZstdCompressor() }

  /// Calls `body` with the chosen codec and the payload, which is valid during the call.
  /// - Parameter bytes: packed bytes; fewer than the layout's for a damaged frame.
  package func encode<Result>(
    _ bytes: UnsafeRawBufferPointer, layout: FrameLayout, effort: EncodingEffort = .best,
    _ body: (FrameCodec, UnsafeRawBufferPointer) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    guard let (codec, payload) = compressed(bytes, layout.packed, effort) else { return try body(.raw, bytes) }
    return try body(codec, payload)
  }

  private func compressed(
    _ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout, _ effort: EncodingEffort
  ) -> (FrameCodec, UnsafeRawBufferPointer)? {
    let format = layout.format
    // Below 16 bytes, zstd's overhead exceeds its savings.
    guard effort != .raw, bytes.count >= 16, ColorPlanes.handles(format) || format.hasWideSamples else { return nil }
    let isWhole = bytes.count == layout.byteCount
    let result: UnsafeRawBufferPointer?
    let codec: FrameCodec
    if isWhole && !format.hasWideSamples {
      if effort == .fast {
        (codec, result) = (.planesMedianNibbles, planes.encodeNibbles(bytes, layout))
      } else {
        let form = layout.format == .rgb24 ? trial.form(for: bytes, layout) : .tiles
        (codec, result) = (form.codec, encodePlanes(bytes, layout, form, effort))
      }
    } else if isWhole, let sections = ranks.encode(bytes, layout) {
      // Used for `fast` too: ranks leave little for zstd to code, so this is fast.
      let usual = Self.effort(sections, blockByteCountLog2: 13)
      (codec, result) = (.ranksMedianCrumbs, encode(sections, efforts(usual, for: effort)))
    } else if isWhole {
      (codec, result) = (.deltaBytes, encodeDeltas(bytes, layout, effort))
    } else {
      (codec, result) = (.zstd, encode(bytes, efforts(.matches, for: effort)))
    }
    guard let result, result.count < bytes.count else { return nil }
    return (codec, result)
  }

  private func encodePlanes(
    _ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout, _ form: PlaneForm, _ effort: EncodingEffort
  ) -> UnsafeRawBufferPointer? {
    let parts = planes.encodeTiles(bytes, layout, as: form)
    let (classes, residuals) = (UnsafeRawBufferPointer(parts.classes), UnsafeRawBufferPointer(parts.residuals))
    let isSmallest = effort == .smallest
    let usual = Self.effort(residuals, blockByteCountLog2: form.hasColumns ? 15 : 14)
    var others: [ZstdEffort] = []
    if isSmallest, case .matches = usual { others = [.optimal] }
    if isSmallest, case .huffman = usual { others = [13, 14, 16].map { .huffman(blockByteCountLog2: $0) } }
    return smallest(of: [usual] + others) { effort in
      let target = payload.bytes(ZstdCompressor.bound(classes.count) + ZstdCompressor.bound(residuals.count))
      // Classes get a zstd frame of their own, since their statistics differ from the residuals'.
      guard
        let head = compressor.compress(
          classes, effort: isSmallest ? .optimal : .huffman(blockByteCountLog2: 15), into: target),
        let body = compressor.compress(
          residuals, effort: effort, into: UnsafeMutableRawBufferPointer(rebasing: target[head...]))
      else { return nil }
      return UnsafeRawBufferPointer(rebasing: target[..<(head + body)])
    }
  }

  private func encodeDeltas(
    _ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout, _ effort: EncodingEffort
  ) -> UnsafeRawBufferPointer? {
    guard let samples = bytes.baseAddress else { return nil }
    let target = deltas.samples(of: UInt8.self, bytes.count)
    let (width, height) = (layout.width, layout.height)
    if layout.format == .disparityFloat32 {
      DeltaPlanes.encode(samples, of: UInt32.self, width: width, height: height, into: target)
    } else {
      DeltaPlanes.encode(samples, of: UInt16.self, width: width, height: height, into: target)
    }
    let planes = UnsafeRawBufferPointer(start: target, count: bytes.count)
    return encode(planes, efforts(Self.effort(planes, blockByteCountLog2: 15), for: effort))
  }

  private func efforts(_ usual: ZstdEffort, for effort: EncodingEffort) -> [ZstdEffort] {
    effort == .smallest ? [usual, .optimal] : [usual]
  }

  private func encode(_ source: UnsafeRawBufferPointer, _ efforts: [ZstdEffort]) -> UnsafeRawBufferPointer? {
    smallest(of: efforts) { effort in
      let target = payload.bytes(ZstdCompressor.bound(source.count))
      return compressor.compress(source, effort: effort, into: target).map {
        UnsafeRawBufferPointer(rebasing: target[..<$0])
      }
    }
  }

  /// - Parameter compress: writes to `payload`.
  private func smallest(
    of efforts: [ZstdEffort], _ compress: (ZstdEffort) -> UnsafeRawBufferPointer?
  ) -> UnsafeRawBufferPointer? {
    var best: UnsafeRawBufferPointer?
    for effort in efforts {
      guard let attempt = compress(effort), attempt.count < best?.count ?? .max else { continue }
      best = attempt
      swap(&payload, &kept)
    }
    return best
  }

  /// Selects match search where most bytes are 0, as in masks and noise-free depth. A Huffman code
  /// alone would spend a bit on every byte.
  private static func effort(_ bytes: UnsafeRawBufferPointer, blockByteCountLog2: Int32) -> ZstdEffort {
    // A prime step does not align with rows. One byte per cache line is enough.
    let step = 61
    var zeroCount = 0
    for index in stride(from: 0, to: bytes.count, by: step) { zeroCount += bytes[index] == 0 ? 1 : 0 }
    let isMostlyZero = zeroCount * step * 4 >= bytes.count * 3
    return isMostlyZero ? .matches : .huffman(blockByteCountLog2: blockByteCountLog2)
  }
}
