import CZstd
import ChunkFormat
import FrameModel
import Glibc
import Kernels
import RecordingStore
import Support

/// One way to store raw frames in a file. It runs as a separate program, so that its CPU time is
/// measured like that of other programs.
enum StoreContender {
  static func run(_ name: String, _ pairs: RawPairs, to path: String, count: Int) throws {
    let sink = try PlainFile(path)
    switch name {
    case "retake": try storeChunks(pairs, count, sink)
    case "zstd": try storeZstd(pairs, count, sink)
    case "copy": try pairs.forEach(count) { _, _, bytes in try sink.write(bytes) }
    default: throw RetakeError(.usage, "There is no contender '\(name)'.")
    }
  }

  /// Stores as the recorder does: checksum, codec, message, chunk file.
  private static func storeChunks(_ pairs: RawPairs, _ count: Int, _ sink: PlainFile) throws {
    let layouts = [pairs.color, pairs.depth]
    let streams = try [("color", StreamKind.color), ("depth", .depth)].enumerated().map {
      StreamDescription(
        name: $1.0, kind: $1.1, layout: layouts[$0], rate: try FrameRate(30), clock: .microseconds, device: "bench")
    }
    let identity = RecordingIdentity(
      id: Recorder.id(of: streams), wallClockNanoseconds: 0, monotonicOrigin: MonotonicTime(nanoseconds: 0))
    var writer = try ChunkFileWriter(to: sink, identity: identity, streams: streams, fileNumber: 0)
    let encoder = try FrameEncoder()
    try pairs.forEach(count) { stream, number, bytes in
      let time = Int64(number) * 33_333_333
      let times = FrameTimestamps(
        deviceTick: UInt64(number), unwrappedTick: Int64(number), arrival: MonotonicTime(nanoseconds: time),
        presentation: PresentationTime(nanoseconds: time))
      try encoder.encode(bytes, layout: layouts[stream]) { codec, payload throws(RetakeError) in
        let message = FrameMessage(
          number: number, layout: layouts[stream], byteCount: bytes.count, deviceSequence: UInt64(number),
          timestamps: times, flags: [], codec: codec, checksum: Checksum.xxh3(bytes))
        _ = try writer.append(message, payload: payload, stream: stream)
      }
    }
    try writer.finish()
  }

  private static func storeZstd(_ pairs: RawPairs, _ count: Int, _ sink: PlainFile) throws {
    guard let compressor = ZSTD_createCCtx() else { throw RetakeError(.inputOutput, "There is not enough memory.") }
    defer { ZSTD_freeCCtx(compressor) }
    ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, 1)
    let room = ZSTD_compressBound(max(pairs.color.byteCount, pairs.depth.byteCount))
    let output = FrameBuffer(byteCount: room)
    try pairs.forEach(count) { _, _, bytes in
      let size = ZSTD_compress2(compressor, output.mutableBytes.baseAddress, room, bytes.baseAddress, bytes.count)
      try sink.write(UnsafeRawBufferPointer(rebasing: output.bytes[..<size]))
    }
  }
}

/// A file without fsync, like the other contenders' files.
private final class PlainFile: ByteSink {
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws(RetakeError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileBytes.failure("write", path) }
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    try FileBytes.writeAll(bytes, to: descriptor, path: path)
  }

  func truncate(to byteCount: Int) throws(RetakeError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0, lseek(descriptor, off_t(byteCount), SEEK_SET) >= 0 else {
      throw FileBytes.failure("cut back", path)
    }
  }
}
