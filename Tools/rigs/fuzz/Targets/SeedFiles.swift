import FrameModel
import Kernels
import Support

@testable import ChunkFormat

/// Small files by the real writers: chunk files in every camera format, and one with features that
/// only foreign MCAP files use.
enum SeedFiles {
  static func all() throws -> [[UInt8]] {
    let formats: [[PixelFormat]] = [
      [.rgb24, .depthMillimeters16], [.bayerGRBG8, .kinectRaw11, .motion], [.yuyv, .disparityFloat32], [.nv12, .grey8],
      [.jpeg],
    ]
    return try formats.flatMap { formats in
      try EncodingEffort.allCases.map { try chunkFile(formats, $0) }
    } + [foreignFile()]
  }

  private static func chunkFile(_ formats: [PixelFormat], _ effort: EncodingEffort) throws -> [UInt8] {
    let identity = RecordingIdentity(
      id: String(repeating: "ab", count: 16), wallClockNanoseconds: 1_700_000_000_000_000_000,
      monotonicOrigin: MonotonicTime(nanoseconds: 42))
    let streams = try formats.map { format in
      StreamDescription(
        name: format.rawValue, kind: format.isDepth ? .depth : format == .motion ? .motion : .color,
        layout: try FrameLayout(format, width: format == .motion ? 6 : 9, height: format == .motion ? 1 : 5),
        rate: try FrameRate(30_000, 1001), clock: .kinect, device: "seed", settings: [.init("seed", "1")])
    }
    let sink = SeedSink()
    var writer = try ChunkFileWriter(to: sink, identity: identity, streams: streams, fileNumber: 1)
    let encoder = try FrameEncoder()
    for number in 0..<2 {
      for (index, stream) in streams.enumerated() {
        let bytes = SeedFrames.frame(stream.layout, seed: UInt64(number))
        try bytes.withRawBytes { bytes throws(RetakeError) in
          try encoder.encode(bytes, layout: stream.layout, effort: effort) { codec, payload throws(RetakeError) in
            let message = FrameMessage(
              number: number, layout: stream.layout, byteCount: bytes.count, deviceSequence: 7,
              timestamps: FrameTimestamps(
                deviceTick: 5, unwrappedTick: 5, arrival: MonotonicTime(nanoseconds: 9),
                presentation: PresentationTime(nanoseconds: Int64(number) * 33_333_333 - 5)),
              flags: [], codec: codec, checksum: Checksum.xxh3(bytes))
            _ = try writer.append(message, payload: payload, stream: index)
          }
        }
      }
      try writer.append(
        FacesMessage(
          stream: 0, frameNumber: number, presentation: PresentationTime(nanoseconds: 3),
          faces: [
            FaceObservation(
              box: .init(x: 1, y: 2, width: 3, height: 4.5), confidence: 0.5, roll: 0.1, pitch: nil, yaw: -1,
              detector: "seed", framesSinceSeen: 2)
          ], detector: "seed"))
      try writer.append(
        FrameEvent(
          stream: 0, stage: .queue, reason: .dropped, frameNumber: number, count: 2,
          presentation: PresentationTime(nanoseconds: 4)))
      try writer.flush()
    }
    try writer.finish()
    return sink.bytes
  }

  private static func foreignFile() throws -> [UInt8] {
    var options = MCAPWriterOptions()
    options.compression = .zstd
    options.chunkByteCountTarget = 200
    let sink = SeedSink()
    var writer = try MCAPWriter(to: sink, header: MCAPHeader(profile: "other", library: "seed"), options: options)
    try writer.add(MCAPSchema(id: 1, name: "Name", encoding: "protobuf", data: [1, 2, 3]))
    try writer.add(
      MCAPChannel(id: 1, schema: 1, topic: "/a", messageEncoding: "protobuf", metadata: [.init("key", "value")]))
    let data = [UInt8](repeating: 7, count: 90)
    for number in 0..<6 {
      try data.withRawBytes { data throws(RetakeError) in
        _ = try writer.append(channel: 1, sequence: UInt32(number), logTime: UInt64(number), publishTime: 0) {
          $0.append(data)
        }
        if number == 3 {
          try writer.add(MCAPAttachment(logTime: 1, createTime: 2, name: "a.bin", mediaType: "b", data: data))
        }
      }
    }
    try writer.add(MCAPMetadata(name: "meta", entries: [.init("x", "1")]))
    try writer.finish()
    return sink.bytes
  }
}

private final class SeedSink: ByteSink {
  var bytes: [UInt8] = []
  func write(_ part: UnsafeRawBufferPointer) throws(RetakeError) { bytes += part }
  func truncate(to byteCount: Int) throws(RetakeError) { bytes.removeLast(bytes.count - byteCount) }
}
