import FrameModel
import Kernels
import Support
import TestSupport

@testable import ChunkFormat

/// One codec of `FrameDecoder`, with any format, size and payload.
///
/// Nothing outside the output may be written, and errors must be `.corrupt`. The result must not
/// depend on earlier contents of output or decoder, and must survive encoding and decoding.
final class DecoderTarget: FuzzTarget {
  private let codec: FrameCodec
  /// Reused for all inputs, as a player does; results must not depend on earlier frames.
  private let decoder: FrameDecoder
  private let encoder: FrameEncoder
  private let compressor: ZstdCompressor

  init(_ codec: FrameCodec) throws(RetakeError) {
    self.codec = codec
    decoder = try FrameDecoder()
    encoder = try FrameEncoder()
    compressor = try ZstdCompressor()
  }

  func run(_ input: UnsafeRawBufferPointer) {
    var input = FuzzInput(input)
    guard let head = DecoderInput(from: &input) else { return }
    var payload = Array(input.rest)
    if head.makesWhole { payload = PayloadForge.whole(payload, codec, head.layout) }
    let message = head.message(codec, checksum: 0)
    var packed = payload
    if head.packsWithZstd && codec.usesZstd { packed = PayloadForge.zstd(payload, by: compressor) }
    let isDecoded = check(packed, message)
    guard head.makesWhole, message.byteCount == head.layout.byteCount, codec.fits(head.layout.format) else { return }
    // Ranks may still exceed the table, which the decoder rejects as damage.
    guard codec != .ranksMedianCrumbs, head.packsWithZstd || !codec.usesZstd else { return }
    require(isDecoded != nil, "a whole payload of \(codec.rawValue) decodes")
    checkReference(isDecoded ?? [], payload, head.layout)
  }

  /// - Returns: the decoded bytes, or nil if the payload is rejected.
  private func check(_ payload: [UInt8], _ message: FrameMessage) -> [UInt8]? {
    // The second decoding gets the checksum of the first result, so that it passes every check.
    var message = message
    guard let first = decode(payload, message, filling: 0xA5, by: decoder, ignoresChecksum: true) else { return nil }
    message.checksum = first.withRawBytes { Checksum.xxh3($0) }
    guard let fresh = try? FrameDecoder() else { return nil }
    let second = decode(payload, message, filling: 0x5A, by: fresh, ignoresChecksum: false)
    require(second == first, "a payload decodes to the same bytes, whatever was in memory before")
    checkEncoder(first, message)
    return first
  }

  private func decode(
    _ payload: [UInt8], _ message: FrameMessage, filling: UInt8, by decoder: FrameDecoder, ignoresChecksum: Bool
  ) -> [UInt8]? {
    // An exactly sized block, so that the address sanitizer reports reads behind its end.
    let exact = UnsafeMutableRawBufferPointer.allocate(byteCount: payload.count, alignment: 1)
    exact.copyBytes(from: payload)
    let output = GuardedMemory(message.byteCount, filling: filling)
    defer {
      exact.deallocate()
      output.free()
    }
    do throws(RetakeError) {
      try decoder.decode(UnsafeRawBufferPointer(exact), of: message, into: output.bytes)
    } catch {
      require(error.code == .corrupt, "a payload that does not decode is called corrupt, not \(error)")
      guard ignoresChecksum, error.message.contains("checksum") else { return nil }
    }
    return Array(output.bytes)
  }

  /// Any bytes are a valid frame, so every encoder must round-trip them.
  private func checkEncoder(_ bytes: [UInt8], _ message: FrameMessage) {
    for effort in EncodingEffort.allCases {
      let made: (codec: FrameCodec, payload: [UInt8])? = try? bytes.withRawBytes { bytes throws(RetakeError) in
        try encoder.encode(bytes, layout: message.layout, effort: effort) { codec, payload throws(RetakeError) in
          (codec, Array(payload))
        }
      }
      guard let made else { return require(false, "every frame can be encoded") }
      require(made.payload.count <= bytes.count, "no codec makes a frame larger")
      var message = message
      message.codec = made.codec
      let again = decode(made.payload, message, filling: 0xA5, by: decoder, ignoresChecksum: false)
      require(again == bytes, "\(made.codec.rawValue) brings back the frame that was encoded, \(effort.rawValue)")
    }
  }

  /// For codecs with exactly one payload per frame, checks it against the reference encoder.
  private func checkReference(_ frame: [UInt8], _ payload: [UInt8], _ layout: FrameLayout) {
    switch codec {
    case .raw, .zstd: require(frame == payload, "\(codec.rawValue) gives the bytes as they are")
    case .planesMedianNibbles:
      require(PlaneReference.nibbles(frame, layout) == payload, "nibbles decode to what the reference encodes")
    case .deltaBytes:
      require(DepthReference.deltas(frame, layout) == payload, "differences decode to what the reference encodes")
    case .planesMedianTiles, .liftedMedianColumns, .rgbMedianColumns, .ranksMedianCrumbs: break
    }
  }

  func seeds() throws -> [[UInt8]] { try SeedFrames.inputs(codec, encoder) }
}

extension FrameCodec {
  var usesZstd: Bool { self != .raw && self != .planesMedianNibbles }

  func fits(_ format: PixelFormat) -> Bool {
    switch self {
    case .raw, .zstd: true
    case .planesMedianTiles, .planesMedianNibbles: ColorPlanes.handles(format)
    case .liftedMedianColumns, .rgbMedianColumns: format == .rgb24
    case .ranksMedianCrumbs, .deltaBytes: format.isDepth
    }
  }
}
