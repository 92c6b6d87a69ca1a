import FrameModel
import RecordingStore
import RecordingTestSupport
import TestSupport
import Testing

/// A replay is a function: of any parameters, faults, changes and order, in every run and on any number of threads.
@Suite(.long) struct ReplayDeterminismTests {
  private static let made = Result {
    try SimulatedRecording("frames=8&size=64x48&depth-size=32x24&seed=3&face-lost=0-1")
  }

  /// Ten parts of a hundred, so that several may run at once.
  @Test(arguments: 0..<10)
  func `1,000 random triples of seed, parameters and schedule: two runs, one thread and two, equal digests`(part: Int)
    throws
  {
    let seeds = Sample.of(0..<100, count: 20, seed: UInt64(part)).map { UInt64(6_500_000 + part * 100 + $0) }
    let recording = try Self.made.get().recording
    let frames = try recording.frameSetCount()
    #expect(frames == 8)
    var outputs = 0
    var failures = 0
    for seed in seeds {
      let replay = try ReplayCase(seed: seed, frames: frames)
      let first = replay.run(recording, threadCount: 1)
      #expect((first == replay.run(recording, threadCount: 1)) == true, "\(replay.description)")
      #expect((first == replay.run(recording, threadCount: 2)) == true, "\(replay.description)")
      outputs += first.lines.count
      failures += first.error == nil ? 0 : 1
    }
    // What is compared is pictures, and not one error with another.
    #expect(outputs > (Sample.isWhole ? 2 : 1) * seeds.count)
    #expect(failures < seeds.count / (Sample.isWhole ? 10 : 4))
  }
}
