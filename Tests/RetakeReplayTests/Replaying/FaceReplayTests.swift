import FrameModel
import Parameters
import RecordingStore
import Replay
import Support
import Synchronization
import TestSupport
import Testing

/// Sees a face whose place counts the looks, and cannot read some frames.
private final class CountingObserver: FaceObserver {
  let detector = "counting"
  private let looks = Mutex(0)
  private let unreadable: Set<Int>

  init(unreadable: Set<Int>) { self.unreadable = unreadable }

  func faces(in color: FramePicture, depth: FramePicture?) throws(RetakeError) -> [FaceObservation] {
    let look = looks.withLock { count in
      defer { count += 1 }
      return count
    }
    guard !unreadable.contains(look) else { throw RetakeError(.corrupt, "A frame cannot be read.") }
    return [
      FaceObservation(
        box: .init(x: Double(look), y: 0, width: 1, height: 1), confidence: 1, roll: nil, pitch: nil, yaw: nil,
        detector: detector)
    ]
  }
}

@Suite struct FaceReplayTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func `where a detector did not come to look, the faces before hold, also where a replay begins`() throws {
    let recording = try record(frames: 12, unreadable: [0, 4, 5, 9])
    #expect(try places(recording, nil) == [nil, 1, 2, 3, 3, 3, 6, 7, 8, 8, 10, 11])
    #expect(try places(recording, 5..<8) == [3, 6, 7])
    #expect(try recording.frameSets(0..<12).map(\.isSkippedForFaces).count { $0 } == 4)
  }

  @Test func `in a long run of frames that nobody looked at, faces hold equally long wherever a replay begins`() throws
  {
    let count = 300
    let recording = try record(frames: count, unreadable: Set(3..<290))
    let whole = try places(recording, nil)
    #expect(whole[258] == 2 && whole[259] == nil && whole[290] == 290)
    for start in [1, 3, 100, 257, 258, 259, 289, 290] {
      #expect(try places(recording, start..<count) == Array(whole[start...]), "from \(start)")
    }
  }

  private func record(frames: Int, unreadable: Set<Int>) throws -> Recording {
    let layouts = [
      try FrameLayout(.rgb24, width: 16, height: 12), try FrameLayout(.depthMillimeters16, width: 16, height: 12),
    ]
    let streams = [
      try TestFrames.stream("color", .color, layouts[0]), try TestFrames.stream("depth", .depth, layouts[1]),
    ]
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let observer = CountingObserver(unreadable: unreadable)
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path("a.retake")), streams: streams, options: options,
      faces: .detector(observer, stream: 0, depthStream: 1))
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<frames {
      for stream in 0..<2 { sink.deliver(TestFrames.captured(layouts[stream], stream: stream, index: index)) }
    }
    let status = recorder.finish()
    #expect(status.faces.skippedCount == unreadable.count && status.faceFailure == nil)
    return try Recording(path: folder.path("a.retake"))
  }

  /// Of the first face of each frame set that is replayed.
  private func places(_ recording: Recording, _ frames: Range<Int>?) throws -> [Double?] {
    let schedule = DepthSchedule(rate: try #require(Fraction(1, 1)))
    let cursor = try ReplayCursor(
      recording, ReplayPlan(schedule: schedule, order: frames.map(PlayOrder.init(frames:)) ?? .everything))
    var places: [Double?] = []
    while let set = try cursor.next() { places.append(set.faces.first?.box.x) }
    return places
  }
}
