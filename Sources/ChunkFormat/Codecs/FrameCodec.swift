import CZstd
import FrameModel

/// How a frame's packed bytes are stored. All are lossless. The raw value is the name in the file.
package enum FrameCodec: String, CaseIterable, Hashable, Sendable {
  /// As they are: when nothing else is smaller, and for JPEG, which is compressed already.
  case raw
  /// One zstd frame.
  case zstd
}

/// Compresses frames, one after the other, with memory that is allocated once.
package final class FrameEncoder {
  private let context: OpaquePointer
  private var scratch: [UInt8] = []

  package init() throws(RetakeError) {
    guard let context = ZSTD_createCCtx() else {
      throw RetakeError(.inputOutput, "There is no memory for a zstd encoder.")
    }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1)
    self.context = context
  }

  deinit { ZSTD_freeCCtx(context) }

  /// Calls `body` with the codec that serves the format best and the payload, which is valid during the call.
  /// - Parameter bytes: a frame's packed bytes.
  package func encode<Result>(
    _ bytes: UnsafeRawBufferPointer, layout: FrameLayout,
    _ body: (FrameCodec, UnsafeRawBufferPointer) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    if layout.format == .jpeg || bytes.count < 64 { return try body(.raw, bytes) }
    let bound = ZSTD_compressBound(bytes.count)
    if scratch.count < bound { scratch = [UInt8](repeating: 0, count: bound) }
    let size = scratch.withUnsafeMutableBytes {
      ZSTD_compress2(context, $0.baseAddress, $0.count, bytes.baseAddress, bytes.count)
    }
    guard ZSTD_isError(size) == 0, size < bytes.count else { return try body(.raw, bytes) }
    return try scratch.withRawBytes { scratch throws(RetakeError) in
      try body(.zstd, UnsafeRawBufferPointer(rebasing: scratch[..<size]))
    }
  }
}

/// Brings frames back. A decoder serves one thread.
package final class FrameDecoder {
  private let context: OpaquePointer

  package init() throws(RetakeError) {
    guard let context = ZSTD_createDCtx() else {
      throw RetakeError(.inputOutput, "There is no memory for a zstd decoder.")
    }
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  /// Fills `output`, which has the frame's byte count.
  /// - Throws: `.corrupt` when the payload gives more or fewer bytes, or other bytes than its checksum says.
  package func decode(
    _ payload: UnsafeRawBufferPointer, of message: FrameMessage, into output: UnsafeMutableRawBufferPointer
  ) throws(RetakeError) {
    precondition(output.count == message.byteCount)
    switch message.codec {
    case .raw:
      guard payload.count == output.count else {
        throw damaged(message, "holds \(payload.count) bytes instead of \(output.count)")
      }
      output.copyMemory(from: payload)
    case .zstd:
      let size = ZSTD_decompressDCtx(
        context, output.baseAddress, output.count, payload.baseAddress, payload.count)
      guard ZSTD_isError(size) == 0, size == output.count else {
        throw damaged(message, "does not decompress")
      }
    }
    guard Checksum.xxh3(UnsafeRawBufferPointer(output)) == message.checksum else {
      throw damaged(message, "does not match its checksum")
    }
  }

  private func damaged(_ message: FrameMessage, _ what: String) -> RetakeError {
    RetakeError(.corrupt, "Frame \(message.number) \(what).")
  }
}
