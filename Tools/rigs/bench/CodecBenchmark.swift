import CZstd
import ChunkFormat
import FrameModel
import Kernels
import RecordingStore
import Support

/// Compares Retake's codecs with libzstd level 1 on the frames of a recording, alternating.
enum CodecBenchmark {
  private static let frameLimit = 30
  private static let rounds = 7

  static func run(_ recording: Recording) throws {
    print("codec beside zstd -1; ratio is raw : stored, MB/s of raw bytes for each CPU second, median of \(rounds)")
    for (id, stream) in recording.streams.enumerated() where stream.kind != .motion {
      let reader = try FrameReader(recording)
      let frames = try recording.frameRows(stream: id, from: 0, limit: frameLimit).map { try reader.frame($0) }
      if !frames.isEmpty { try run(stream, frames) }
    }
  }

  private static func run(_ stream: StreamDescription, _ frames: [Frame]) throws {
    let encoder = try FrameEncoder()
    let decoder = try FrameDecoder()
    guard let compressor = ZSTD_createCCtx() else { throw RetakeError(.inputOutput, "There is not enough memory.") }
    defer { ZSTD_freeCCtx(compressor) }
    ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, 1)
    let largest = frames.map(\.byteCount).max() ?? 1
    let output = FrameBuffer(byteCount: largest)
    var compressed = [UInt8](repeating: 0, count: ZSTD_compressBound(largest))
    var payloads: [(codec: FrameCodec, bytes: [UInt8])] = []
    var zstdBytes = 0
    var times: [(encode: Double, decode: Double, zstd: Double)] = []
    for _ in 0..<rounds {
      payloads = []
      let encode = try Stopwatch.measure {
        for frame in frames {
          try encoder.encode(frame.bytes, layout: frame.layout) { codec, payload throws(RetakeError) in
            payloads.append((codec, Array(payload)))
          }
        }
      }
      let decode = try Stopwatch.measure {
        for (frame, payload) in zip(frames, payloads) {
          let message = FrameMessage(
            number: frame.number, layout: frame.layout, byteCount: frame.byteCount, deviceSequence: nil,
            timestamps: frame.timestamps, flags: frame.flags, codec: payload.codec,
            checksum: Checksum.xxh3(frame.bytes))
          _ = try payload.bytes.withRawBytes { bytes throws(RetakeError) in
            try decoder.decode(
              bytes, of: message, into: UnsafeMutableRawBufferPointer(rebasing: output.mutableBytes[..<frame.byteCount])
            )
          }
        }
      }
      zstdBytes = 0
      let zstd = Stopwatch.measure {
        for frame in frames {
          zstdBytes += ZSTD_compress2(
            compressor, &compressed, compressed.count, frame.bytes.baseAddress, frame.byteCount)
        }
      }
      times.append((encode, decode, zstd))
    }
    let raw = Double(frames.reduce(0) { $0 + $1.byteCount })
    let stored = Double(payloads.reduce(0) { $0 + $1.bytes.count })
    let encode = Stopwatch.median(times.map(\.encode))
    let zstd = Stopwatch.median(times.map(\.zstd))
    let decoded = raw / 1e6 / Stopwatch.median(times.map(\.decode))
    print(
      """
        \(stream.name) \(stream.layout.format.rawValue) \(stream.layout.width)x\(stream.layout.height) \
      \(payloads[0].codec.rawValue): ratio \(ratio(raw / stored, stream)), encode \
      \(Goal.atLeast(450, raw / 1e6 / encode)), decode \(Goal.atLeast(350, decoded)); zstd -1: ratio \
      \(Stopwatch.text(raw / Double(zstdBytes))), encode \(Stopwatch.text(raw / 1e6 / zstd)); \
      bytes \(Stopwatch.text(stored / Double(zstdBytes))) and CPU \(Stopwatch.text(encode / zstd)) of zstd's
      """)
  }

  /// The goals apply only to a simulated Kinect's frames.
  private static func ratio(_ ratio: Double, _ stream: StreamDescription) -> String {
    let isKinect = stream.device == "simulated" && stream.layout.width == 640
    switch stream.layout.format {
    case .rgb24 where isKinect: return Goal.atLeast(2.2, ratio)
    case .depthMillimeters16 where isKinect, .kinectRaw11 where isKinect: return Goal.atLeast(12, ratio)
    default: return Stopwatch.text(ratio)
    }
  }
}
