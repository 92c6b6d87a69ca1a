import Dispatch
import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Replay
import Support
import Synchronization

/// Time per frame of the presets. Frames are decoded beforehand; a stand-in replaces the network.
enum PipelineBenchmark {
  static func presets(_ recording: Recording) throws {
    let material = try Material(recording)
    print("  \(material), one thread, networks not counted:")
    for preset in Preset.all {
      do {
        let pipeline = try material.pipeline(preset, threadCount: 1)
        let milliseconds = try material.milliseconds([{ try material.process(pipeline) }])[0]
        let rate = 1000 / milliseconds
        print("    \(preset.name): \(Stopwatch.text(milliseconds)) ms a frame, fps \(Goal.atLeast(120, rate))")
      } catch let error as RetakeError {
        print("    \(preset.name): \(error.message)")
      }
    }
  }

  /// Compares truedepth-backdrop on one thread and on two. Two independent single-threaded pipelines
  /// show the machine's limit: its two processors may be hyperthreads of one core.
  static func threads(_ recording: Recording) throws {
    let material = try Material(recording)
    // Unsafe because each is used on another thread; no pipeline is used by two threads at once.
    nonisolated(unsafe) let one = try material.pipeline(Preset.measured, threadCount: 1)
    nonisolated(unsafe) let other = try material.pipeline(Preset.measured, threadCount: 1)
    let two = try material.pipeline(Preset.measured, threadCount: 2)
    let times = try material.milliseconds([
      { try material.process(one) }, { try material.process(two) },
      { try Self.atOnce({ try material.process(one) }, { try material.process(other) }) },
    ])
    print(
      """
        \(Preset.measured.name), \(material): \(Stopwatch.text(times[0])) ms a frame on one thread, \
      \(Stopwatch.text(times[1])) on two: \(Goal.atMost(0.6, times[1] / times[0])); \
      two frames at once on a thread each: \(Stopwatch.text(times[2] / 2 / times[0]))
      """)
  }

  private static func atOnce(_ bodies: @Sendable () throws -> Void...) throws {
    let errors = Mutex<[any Error]>([])
    DispatchQueue.concurrentPerform(iterations: bodies.count) { place in
      do { try bodies[place]() } catch { errors.withLock { $0.append(error) } }
    }
    if let error = errors.withLock(\.first) { throw error }
  }
}

/// Decoded frames, and the inputs that presets need with them.
private struct Material: CustomStringConvertible, @unchecked Sendable {
  // Unchecked because of `sets`, whose frames are never modified.
  let sets: [FrameSet]
  let format: PipelineFormat
  let description: String
  private static let roundCount = 15

  init(_ recording: Recording) throws {
    guard let color = recording.firstStream(.color), let depth = recording.firstStream(.depth) else {
      throw RetakeError(.unsupported, "\(recording.folder.path) has no colour and depth.")
    }
    let (video, map) = (recording.streams[color].layout, recording.streams[depth].layout)
    let cursor = try ReplayCursor(
      recording, ReplayPlan(schedule: DepthSchedule(rate: .one), order: PlayOrder(frames: 0..<30)))
    var sets: [FrameSet] = []
    while let frames = try cursor.next() { sets.append(frames) }
    self.sets = sets
    format = try PipelineFormat(color: video, depth: map)
    description = "\(video.format.rawValue) \(video.width)x\(video.height), depth \(map.width)x\(map.height)"
  }

  func pipeline(_ preset: Preset, threadCount: Int) throws -> MattePipeline {
    let sources = PipelineSources(
      background: StillBackground(.gradient(width: format.color.width, height: format.color.height)),
      segmenter: OvalSegmenter())
    let parameters = try preset.parameters(ReplayParameters.all + PipelineParameters.all)
    return try MattePipeline(format, parameters: parameters, sources: sources, threadCount: threadCount)
  }

  func process(_ pipeline: MattePipeline) throws {
    for frames in sets { _ = try pipeline.process(frames) }
  }

  /// Median wall-clock time per frame of each way. The ways alternate in every round. The clock is
  /// used instead of CPU time because latency is what counts with several threads.
  func milliseconds(_ ways: [() throws -> Void]) throws -> [Double] {
    var times = ways.map { _ in [Double]() }
    for round in 0...Self.roundCount {
      for (i, way) in ways.enumerated() {
        let start = MonotonicTime.now()
        try way()
        let nanoseconds = MonotonicTime.now().nanoseconds - start.nanoseconds
        // The first round is a warm-up: it touches memory for the first time.
        if round > 0 { times[i].append(Double(nanoseconds) / 1e6 / Double(sets.count)) }
      }
    }
    return times.map(Stopwatch.median)
  }
}

extension RGBImage {
  static func gradient(width: Int, height: Int) -> RGBImage {
    var image = RGBImage(width: width, height: height)
    for i in image.pixels.indices { image.pixels[i] = UInt8(truncatingIfNeeded: i / 3 % width + i / 3 / width) }
    return image
  }
}

/// Stands in for a network: a soft oval in the middle of every frame, at no cost.
private final class OvalSegmenter: PersonSegmenter {
  let maskSize = (width: 256, height: 144)
  private let oval: [UInt8]

  init() {
    let (width, height) = maskSize
    oval = (0..<width * height).map { i in
      let x = (Double(i % width) + 0.5) / Double(width) * 2 - 1
      let y = (Double(i / width) + 0.5) / Double(height) * 2 - 1
      return UInt8(min(max((0.6 - x * x * 4 - y * y * 0.5) * 2000, 0), 255))
    }
  }

  func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>) -> Bool {
    oval.withUnsafeBufferPointer { mask.update(from: $0.baseAddress!, count: $0.count) }
    return true
  }
}
