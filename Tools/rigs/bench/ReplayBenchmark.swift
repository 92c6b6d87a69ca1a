import CZstd
import ChunkFormat
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// Measures a replay with truedepth-backdrop to digests of every stage, reading and decoding
/// included, as a multiple of real time. Compares it with what other tools need before any digest:
/// zstd decompression of the raw frames, as in an MCAP file, and OpenCV's masking chain.
enum ReplayBenchmark {
  private static let roundCount = 7
  private static let frameLimit = 60

  /// - Parameters:
  ///   - contender: path of the program compiled from opencv-chain.cpp.
  ///   - folder: for digests and for the files passed to the contender.
  ///   - background: path of a picture; nil uses the preset's colour.
  static func run(_ recording: Recording, contender: String, folder: String, background: String?) throws {
    guard let color = recording.firstStream(.color) else {
      throw RetakeError(.unsupported, "The recording has no colour stream.")
    }
    let rate = recording.streams[color].rate.framesPerSecond
    var one: [Double] = []
    var two: [Double] = []
    var frameCount = 0
    for _ in 0..<roundCount {
      for threadCount in [1, 2] {
        let session = try session(recording, background, threadCount)
        let outputs = RenderOutputs([
          ("digests", try DigestSink(path: "\(folder)/digests", header: session.header))
        ])
        frameCount = session.frameCount
        let start = MonotonicTime.now()
        let cpu = try Stopwatch.measure { _ = try session.run(outputs) }
        let wall = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
        if threadCount == 1 { one.append(cpu) } else { two.append(wall) }
      }
    }
    let (oneSeconds, twoSeconds) = (Stopwatch.median(one), Stopwatch.median(two))
    let milliseconds = oneSeconds * 1e3 / Double(frameCount)
    let split = try split(recording, background)
    let zstd = try zstdMilliseconds(recording)
    let opencv = try ChainBenchmark.contenderMilliseconds(
      recording, contender: contender, folder: folder, roundCount: roundCount)
    let text = Stopwatch.text
    print(
      """
        \(Preset.measured.name), \(frameCount) frames, medians of \(roundCount) rounds in turn; times real time:
          one thread, by CPU time \(Goal.atLeast(8, Double(frameCount) / rate / oneSeconds))
          two threads, by the clock \(Goal.atLeast(14, Double(frameCount) / rate / twoSeconds))
          CPU ms a frame \(text(milliseconds)): reading and decoding \(text(split.read)), pipeline \
      \(text(split.pipeline)), digests \(text(split.digests))
          zstd -1 undone \(text(zstd)) and OpenCV's chain \(text(opencv)), without reading and digests: \
      \(text(milliseconds / (zstd + opencv))) of their time
      """)
  }

  private static func session(_ recording: Recording, _ background: String?, _ threadCount: Int) throws
    -> ReplaySession
  {
    let preset = Preset.measured
    var parameters = try preset.parameters(ReplaySession.declarations)
    if let background { try parameters.set(PipelineParameters.composite.background.declaration.name, to: background) }
    return try ReplaySession(
      recording, ReplayRequest(preset: preset.name, parameters: parameters), threadCount: threadCount)
  }

  /// CPU ms per frame of each part, on one thread.
  private static func split(_ recording: Recording, _ background: String?) throws -> (
    read: Double, pipeline: Double, digests: Double
  ) {
    let preset = Preset.measured
    let parameters = try preset.parameters(ReplaySession.declarations)
    let plan = ReplayPlan(parameters, order: PlayOrder(frames: 0..<frameLimit), firstNumber: 0)
    var sets: [FrameSet] = []
    var times: [(read: Double, pipeline: Double, digests: Double)] = []
    for _ in 0..<roundCount {
      let cursor = try ReplayCursor(recording, plan)
      sets = []
      let read = try Stopwatch.measure { while let set = try cursor.next() { sets.append(set) } }
      guard !sets.isEmpty, let color = recording.firstStream(.color) else {
        throw RetakeError(.unsupported, "The recording has no frames to replay.")
      }
      let depth = recording.firstStream(.depth).map { recording.streams[$0] }
      let format = try PipelineFormat(color: recording.streams[color], depth: depth, parameters)
      let still = try background.map { path throws(RetakeError) in try BackgroundFile(path: path).source }
      let pipeline = try MattePipeline(
        format, parameters: parameters, sources: PipelineSources(background: still), threadCount: 1)
      var digests = FrameDigests()
      var hashing = 0.0
      let all = try Stopwatch.measure {
        for set in sets {
          guard let output = try pipeline.process(set).output else { continue }
          hashing += Stopwatch.measure { _ = digests.of(output) }
        }
      }
      let scale = 1e3 / Double(sets.count)
      times.append((read * scale, (all - hashing) * scale, hashing * scale))
    }
    return (
      Stopwatch.median(times.map(\.read)), Stopwatch.median(times.map(\.pipeline)),
      Stopwatch.median(times.map(\.digests))
    )
  }

  /// Time to decompress a frame set's raw bytes, compressed at level 1 as mcap does.
  private static func zstdMilliseconds(_ recording: Recording) throws -> Double {
    var milliseconds = 0.0
    for kind in [StreamKind.color, .depth] {
      guard let stream = recording.firstStream(kind) else { continue }
      let reader = try FrameReader(recording)
      let packed = try recording.frameRows(stream: stream, from: 0, limit: frameLimit).map { row in
        let frame = try reader.frame(row)
        var bytes = [UInt8](repeating: 0, count: ZSTD_compressBound(frame.byteCount))
        let count = ZSTD_compress(&bytes, bytes.count, frame.bytes.baseAddress, frame.byteCount, 1)
        return (bytes: Array(bytes[..<count]), byteCount: frame.byteCount)
      }
      var target = [UInt8](repeating: 0, count: packed.map(\.byteCount).max() ?? 0)
      var rounds: [Double] = []
      for _ in 0..<roundCount {
        rounds.append(
          Stopwatch.measure {
            for one in packed { _ = ZSTD_decompress(&target, target.count, one.bytes, one.bytes.count) }
          })
      }
      milliseconds += Stopwatch.median(rounds) * 1e3 / Double(max(1, packed.count))
    }
    return milliseconds
  }
}
