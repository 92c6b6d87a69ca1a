import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Replay

/// Presets' time for each frame; frames are decoded beforehand, and a network costs nothing.
enum PipelineBenchmark {
  /// Every preset on one thread, with frames a second.
  static func presets(_ recording: Recording) throws {
    let material = try Material(recording)
    print("  \(material), one thread, networks not counted:")
    for preset in Preset.all {
      do {
        let milliseconds = try material.milliseconds(preset, threadCounts: [1])[0]
        let rate = 1000 / milliseconds
        print("    \(preset.name): \(Stopwatch.text(milliseconds)) ms a frame, fps \(Goal.atLeast(120, rate))")
      } catch let error as RetakeError {
        print("    \(preset.name): \(error.message)")
      }
    }
  }

  /// The first preset on one thread and on two, in turn.
  static func threads(_ recording: Recording) throws {
    let material = try Material(recording)
    let times = try material.milliseconds(Preset.all[0], threadCounts: [1, 2])
    print(
      """
        \(Preset.all[0].name), \(material): \(Stopwatch.text(times[0])) ms a frame on one thread, \
      \(Stopwatch.text(times[1])) on two: \(Goal.atMost(0.6, times[1] / times[0]))
      """)
  }
}

/// Decoded frames, and what presets need beside them.
private struct Material: CustomStringConvertible {
  let sets: [FrameSet]
  let format: PipelineFormat
  let description: String
  private static let roundCount = 7

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

  /// The middle one of several rounds each, in turn, by the clock: a frame's time on many threads is what counts.
  func milliseconds(_ preset: Preset, threadCounts: [Int]) throws -> [Double] {
    let parameters = try preset.parameters(ReplayParameters.all + PipelineParameters.all)
    let pipelines = try threadCounts.map { threadCount in
      let sources = PipelineSources(
        background: StillBackground(.gradient(width: format.color.width, height: format.color.height)),
        segmenter: OvalSegmenter())
      return try MattePipeline(format, parameters: parameters, sources: sources, threadCount: threadCount)
    }
    var times = pipelines.map { _ in [Double]() }
    for round in 0...Self.roundCount {
      for (i, pipeline) in pipelines.enumerated() {
        let start = MonotonicTime.now()
        for frames in sets { _ = try pipeline.process(frames) }
        let nanoseconds = MonotonicTime.now().nanoseconds - start.nanoseconds
        // In the first round memory is touched for the first time.
        if round > 0 { times[i].append(Double(nanoseconds) / 1e6 / Double(sets.count)) }
      }
    }
    return times.map(Stopwatch.median)
  }
}

extension RGBImage {
  fileprivate static func gradient(width: Int, height: Int) -> RGBImage {
    var image = RGBImage(width: width, height: height)
    for i in image.pixels.indices { image.pixels[i] = UInt8(truncatingIfNeeded: i / 3 % width + i / 3 / width) }
    return image
  }
}

/// In a network's place: a soft oval in the middle of every frame, at no cost.
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
