import CBZip2
import CLZ4
import CZstd
import Support

/// A compression that other programs use for whole files, chunks or messages. All are decompressed in
/// pieces, so that memory grows with what is really there and not with what a file claims.
package enum Decompression: String, Sendable {
  case bzip2 = "bz2"
  /// The LZ4 frame format.
  case lz4
  case zstd

  /// A piece of input that was decompressed.
  struct Step {
    var consumed: Int
    var produced: Int
    var isAtEnd: Bool
  }

  /// - Parameter byteCount: the exact size that the result must have.
  /// - Returns: the bytes, valid until `store` is used again; fewer than `byteCount` if `source` is damaged or cut
  ///   short, and then they may be wrong. `isWhole` is false also for further bytes beyond `byteCount`.
  package func bytes(
    of source: UnsafeRawBufferPointer, byteCount: Int, in store: ByteStore
  ) throws(RetakeError) -> (bytes: UnsafeRawBufferPointer, isWhole: Bool) {
    let decoder = try decoder()
    var target = store.bytes(min(byteCount, max(1 << 16, 8 * source.count)))
    var (read, written) = (0, 0)
    // The end of a stream is found only by asking for more than it has.
    var spare: [UInt8] = [0]
    while true {
      if written == target.count && written < byteCount {
        target = store.bytes(min(byteCount, max(1 << 16, 2 * written)), keeping: written)
      }
      let rest = UnsafeRawBufferPointer(rebasing: source[read...])
      let isFull = written == byteCount
      let step =
        isFull
        ? spare.withMutableRawBytes { decoder.step(rest, into: $0) }
        : decoder.step(rest, into: UnsafeMutableRawBufferPointer(rebasing: target[written...]))
      guard let step, !(isFull && step.produced > 0) else { break }
      read += step.consumed
      written += step.produced
      if step.isAtEnd {
        return (UnsafeRawBufferPointer(rebasing: target[..<written]), written == byteCount && read == source.count)
      }
      guard step.consumed > 0 || step.produced > 0 else { break }
    }
    return (UnsafeRawBufferPointer(rebasing: target[..<written]), false)
  }

  /// The size that a zstd frame claims; nil if it does not.
  package static func zstdContentSize(_ source: UnsafeRawBufferPointer) -> Int? {
    ZstdDecompressor.contentSize(source)
  }

  func decoder() throws(RetakeError) -> any StreamDecoder {
    switch self {
    case .bzip2: try BZip2Decoder()
    case .lz4: try LZ4Decoder()
    case .zstd: try ZstdStreamDecoder()
    }
  }
}

protocol StreamDecoder: AnyObject {
  /// - Returns: nil if the input is damaged.
  func step(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Decompression.Step?
}

func noMemory(_ name: String) -> RetakeError {
  RetakeError(.inputOutput, "There is not enough memory for a decoder of \(name).")
}

private final class BZip2Decoder: StreamDecoder {
  private let stream = UnsafeMutablePointer<bz_stream>.allocate(capacity: 1)

  init() throws(RetakeError) {
    stream.initialize(to: bz_stream())
    guard BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else { throw noMemory("bzip2") }
  }

  deinit {
    BZ2_bzDecompressEnd(stream)
    stream.deallocate()
  }

  func step(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Decompression.Step? {
    let (input, output) = (UInt32(clamping: source.count), UInt32(clamping: target.count))
    // The library reads only, but does not say so.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress?.assumingMemoryBound(to: CChar.self))
    stream.pointee.avail_in = input
    stream.pointee.next_out = target.baseAddress?.assumingMemoryBound(to: CChar.self)
    stream.pointee.avail_out = output
    let status = BZ2_bzDecompress(stream)
    guard status == BZ_OK || status == BZ_STREAM_END else { return nil }
    return .init(
      consumed: Int(input - stream.pointee.avail_in), produced: Int(output - stream.pointee.avail_out),
      isAtEnd: status == BZ_STREAM_END)
  }
}

private final class LZ4Decoder: StreamDecoder {
  private let context: OpaquePointer

  init() throws(RetakeError) {
    var context: OpaquePointer?
    guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0, let context else {
      throw noMemory("lz4")
    }
    self.context = context
  }

  deinit { LZ4F_freeDecompressionContext(context) }

  func step(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Decompression.Step? {
    var (consumed, produced) = (source.count, target.count)
    let hint = LZ4F_decompress(context, target.baseAddress, &produced, source.baseAddress, &consumed, nil)
    guard LZ4F_isError(hint) == 0 else { return nil }
    return .init(consumed: consumed, produced: produced, isAtEnd: hint == 0)
  }
}

private final class ZstdStreamDecoder: StreamDecoder {
  private let context: OpaquePointer

  init() throws(RetakeError) {
    guard let context = ZSTD_createDCtx() else { throw noMemory("zstd") }
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  func step(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Decompression.Step? {
    var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
    var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
    let hint = ZSTD_decompressStream(context, &output, &input)
    guard ZSTD_isError(hint) == 0 else { return nil }
    return .init(consumed: input.pos, produced: output.pos, isAtEnd: hint == 0)
  }
}
