import Foundation
import FrameModel
import RecordingStore
import Synchronization

/// Records many Kinects at once through the whole recorder: queue, encoders, fsync of chunk files,
/// index. The frames are made beforehand; neither their creation nor USB transfer is measured.
enum CameraBenchmark {
  /// Records with each camera count and compares the throughput with the best of the lower counts.
  static func runOverload(folder: String, seconds: Int, cameraCounts: [Int]) throws {
    var best = 0.0
    for (position, count) in cameraCounts.enumerated() {
      let recorded = try run(folder: folder, seconds: seconds, cameraCount: count)
      try FileManager.default.removeItem(atPath: folder)
      if position > 0 { print("    of the best with fewer: \(Goal.atLeast(0.95, recorded / best))") }
      best = max(best, recorded)
    }
  }

  /// - Returns: MB/s of recorded frames, before encoding.
  @discardableResult
  static func run(folder: String, seconds: Int, cameraCount: Int) throws -> Double {
    let cameras = try (1...max(1, cameraCount)).map { try LoopingCamera(seed: $0) }
    let rig = PacedRig(cameras, seconds: seconds)
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let before = ProcessUsage.residentByteCount
    let recorder = try Recorder(folder: RecordingFolder(path: folder), streams: rig.streams, options: options)
    let ended = DispatchSemaphore(value: 0)
    let watch = QueueWatch(recorder)
    let start = MonotonicTime.now()
    let cpu = Stopwatch.cpuSeconds()
    try rig.start(delivering: recorder.sink(firstStream: 0, isLive: true) { _ in ended.signal() })
    ended.wait()
    let deliveredSeconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    rig.stop()
    let deepest = watch.end()
    let status = recorder.finish()
    let used = Stopwatch.cpuSeconds() - cpu
    let elapsed = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    try report(
      status, rig: rig, folder: folder, cameraCount: cameraCount, elapsed: elapsed, delivered: deliveredSeconds,
      cpu: used, deepest: deepest,
      memory: ProcessUsage.peakResidentByteCount - before)
    return Double(status.rawByteCount) / 1e6 / deliveredSeconds
  }

  private static func report(
    _ status: RecorderStatus, rig: PacedRig, folder: String, cameraCount: Int, elapsed: Double, delivered: Double,
    cpu: Double, deepest: Int, memory: Int
  ) throws {
    if let failure = status.failure { throw failure }
    let events = try Recording(path: folder).events()
    let cheaper = events.filter { $0.reason == .cheaperCodec }
    let unpaired = events.filter { $0.reason == .unpaired }.reduce(0) { $0 + $1.count }
    let written = status.frameCounts.reduce(0, +)
    let shares = (0..<cameraCount).map { camera in
      Double(status.frameCounts[2 * camera]) / Double(rig.frameCount / status.frameCounts.count)
    }
    let raw = Double(status.rawByteCount) / 1e6
    let stored = Double(status.storedByteCount) / 1e6
    print(
      """
        \(cameraCount) Kinects, GRBG8 and KINECT11 at 640x480 and 30 fps, for \(Stopwatch.text(delivered)) s: \
      \(written) of \(rig.frameCount) frames recorded
        drops: \(Goal.atMost(0, Double(max(status.droppedCount, rig.frameCount - written)))); by stage: \
      \(FrameEvent.Stage.allCases.map { "\($0.rawValue) \(status.dropped[$0]!.reduce(0, +))" }.joined(separator: ", "))
        of each camera \(Stopwatch.text(100 * shares.min()!)) to \(Stopwatch.text(100 * shares.max()!)) % recorded
        frames encoded with less effort: \(cheaper.reduce(0) { $0 + $1.count }), in \(cheaper.count) runs; \
      unpaired: \(unpaired)
        in \(Stopwatch.text(raw / delivered)) MB/s, out \(Stopwatch.text(stored / delivered)) MB/s, ratio \
      \(Stopwatch.text(raw / stored)); written \(Stopwatch.text(elapsed - delivered)) s after the last frame came
        CPU \(Stopwatch.text(cpu / elapsed)) cores of \(ProcessInfo.processInfo.activeProcessorCount): \
      \(Stopwatch.text(raw / cpu)) MB/s a core; queue at most \(deepest) frames; latest frame \
      \(Stopwatch.text(rig.latestMilliseconds)) ms behind its time
        memory for recording: \(memory >> 20) MiB at most, beside the frames made beforehand
      """)
  }
}

/// Polls the recorder's queue depth and keeps the largest.
private final class QueueWatch: Sendable {
  private let deepest = Atomic<Int>(0)
  private let isEnding = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  init(_ recorder: Recorder) {
    let thread = Thread { [self] in
      while !isEnding.load(ordering: .relaxed) {
        let depth = recorder.status.queueDepth
        if depth > deepest.load(ordering: .relaxed) { deepest.store(depth, ordering: .relaxed) }
        usleep(5000)
      }
      ended.signal()
    }
    thread.start()
  }

  func end() -> Int {
    isEnding.store(true, ordering: .relaxed)
    ended.wait()
    return deepest.load(ordering: .relaxed)
  }
}
