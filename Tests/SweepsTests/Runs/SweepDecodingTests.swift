import FrameModel
import RecordingStore
import RecordingTestSupport
import Replay
import Sweeps
import TestSupport
import Testing

/// Frames are read once for all who want them at about the same time.
@Suite struct SweepDecodingTests {
  private static let made = Result { try SimulatedRecording("frames=20&size=64x48&depth-size=32x24&seed=6") }

  @Test
  func `settings that are fed differently decode each frame of colour, depth and truth once`() throws {
    let recording = try Self.made.get().recording
    let settings = try SweepCase.grid(
      ("depth.rate", ["1/1", "1/2", "1/3"]), ("depth.latency", ["0", "5"]), ("depth.look-ahead", ["0", "4"]),
      ("matte.blur", ["1", "4"]))
    let sweep = try SweepCase(recording, settings: settings)
    let (_, outcome) = try sweep.run()
    #expect(outcome.runCount == 24)
    #expect(outcome.decodedFrameCount == 60)
  }

  @Test
  func `frames that are not needed are not read`() throws {
    let recording = try Self.made.get().recording
    let sweep = try SweepCase(recording, settings: SweepCase.grid(("depth.rate", ["1/2"])), scores: [.area])
    #expect(try sweep.run().outcome.decodedFrameCount == 30)
  }

  private func rows(_ recording: Recording) throws -> [FrameRow] {
    try recording.frameSets(0..<20).flatMap { [$0.master] + $0.partners }
  }

  @Test(arguments: [0, 10_000, 1 << 20])
  func `a frame that was dropped for want of room comes again, the same`(limit: Int) throws {
    let recording = try Self.made.get().recording
    let rows = try rows(recording)
    let frames = try DecodedFrames(recording, threadCount: 2, idleByteLimit: limit)
    var digests: [[UInt8]] = []
    for round in 0..<2 {
      for (place, row) in rows.enumerated() {
        frames.request(row)
        let bytes = Array(try frames.take(row).get().bytes)
        if round == 0 { digests.append(bytes) } else { #expect(areSame(bytes, digests[place])) }
      }
    }
    #expect(frames.decodedCount == (limit < 1 << 20 ? 120 : 60))
  }

  @Test
  func `what several want is decoded once, however far ahead they ask, and kept for the last of them`() throws {
    let recording = try Self.made.get().recording
    let rows = try rows(recording)
    let frames = try DecodedFrames(recording, threadCount: 1, idleByteLimit: 0)
    let first = FramePrefetcher(frames, limit: rows.count)
    let second = FramePrefetcher(frames, limit: rows.count)
    for row in rows {
      first.request(row)
      second.request(row)
    }
    #expect(first.room == 0)
    for prefetcher in [first, second] {
      for row in rows { #expect(try prefetcher.next().get().number == row.number) }
    }
    #expect(frames.decodedCount == rows.count)
  }

  @Test
  func `who goes away keeps nobody's frames`() throws {
    let recording = try Self.made.get().recording
    let rows = try rows(recording)
    let frames = try DecodedFrames(recording, threadCount: 1, idleByteLimit: 0)
    do {
      let leaving = FramePrefetcher(frames, limit: rows.count)
      for row in rows { leaving.request(row) }
      _ = try leaving.next().get()
    }
    frames.request(rows[5])
    #expect(try frames.take(rows[5]).get().number == rows[5].number)
    #expect(frames.entries.count <= 12)
  }
}
