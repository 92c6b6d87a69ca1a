import FrameModel
import Kernels
import Support

/// Decodes frame payloads, which may be damaged in any way. Each thread needs its own decoder.
package final class FrameDecoder {
  private let decompressor: ZstdDecompressor
  private let planes: PlaneTransform
  private let ranks: RankTransform
  private let deltas = ScratchMemory()

  package convenience init() throws(RetakeError) { try self.init(processor: .best) }

  /// - Parameter processor: selects the kernels; output is bit-identical for all.
  init(processor: Processor) throws(RetakeError) {
    decompressor = try ZstdDecompressor()
    planes = PlaneTransform(processor: processor)
    ranks = RankTransform(processor: processor)
  }

  /// Decodes into `output`, which holds exactly `message.byteCount` bytes.
  /// - Throws: `.corrupt` when the payload gives another byte count or does not match its checksum.
  @discardableResult
  package func decode(
    _ payload: UnsafeRawBufferPointer, of message: FrameMessage, into output: UnsafeMutableRawBufferPointer
  ) throws(RetakeError) -> FrameDigest {
    precondition(output.count == message.byteCount)
    let layout = message.layout.packed
    let isDecoded: Bool
    switch message.codec {
    case .raw:
      guard payload.count == output.count else {
        throw damaged(message, "holds \(payload.count) bytes instead of \(output.count)")
      }
      output.copyMemory(from: payload)
      isDecoded = true
    case .zstd: isDecoded = decompressor.decompress(payload, into: output)
    case .planesMedianTiles, .liftedMedianColumns, .rgbMedianColumns, .planesMedianNibbles:
      isDecoded = decodePlanes(payload, message.codec, layout, into: output)
    case .ranksMedianCrumbs: isDecoded = decodeRanks(payload, layout, into: output)
    case .deltaBytes: isDecoded = decodeDeltas(payload, layout, into: output)
    }
    guard isDecoded else { throw damaged(message, "cannot be decoded as \(message.codec.rawValue)") }
    let (checksum, digest) = Checksum.xxh3Both(UnsafeRawBufferPointer(output))
    guard checksum == message.checksum else { throw damaged(message, "does not match its checksum") }
    return digest
  }

  private func decodePlanes(
    _ payload: UnsafeRawBufferPointer, _ codec: FrameCodec, _ layout: FrameLayout,
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard ColorPlanes.handles(layout.format), output.count == layout.byteCount else { return false }
    guard let form = PlaneForm(codec) else { return planes.decodeNibbles(payload, layout, into: output) }
    guard !form.hasColumns || layout.format == .rgb24,
      decompressor.decompress(payload, into: planes.tileParts(layout, as: form).both)
    else { return false }
    planes.decodeTiles(layout, as: form, into: output)
    return true
  }

  private func decodeRanks(
    _ payload: UnsafeRawBufferPointer, _ layout: FrameLayout, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard layout.format.hasWideSamples, output.count == layout.byteCount,
      let byteCount = ZstdDecompressor.contentSize(payload),
      let packed = ranks.packed(byteCount: byteCount, layout),
      decompressor.decompress(payload, into: packed)
    else { return false }
    return ranks.decode(UnsafeRawBufferPointer(packed), layout, into: output)
  }

  private func decodeDeltas(
    _ payload: UnsafeRawBufferPointer, _ layout: FrameLayout, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard layout.format.hasWideSamples, output.count == layout.byteCount, let samples = output.baseAddress else {
      return false
    }
    let source = deltas.bytes(output.count)
    guard decompressor.decompress(payload, into: source),
      let planes = source.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return false }
    let (width, height) = (layout.width, layout.height)
    if layout.format == .disparityFloat32 {
      DeltaPlanes.decode(planes, of: UInt32.self, width: width, height: height, into: samples)
    } else {
      DeltaPlanes.decode(planes, of: UInt16.self, width: width, height: height, into: samples)
    }
    return true
  }

  private func damaged(_ message: FrameMessage, _ what: String) -> RetakeError {
    RetakeError(.corrupt, "Frame \(message.number) \(what).")
  }
}
