import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

@Suite struct RecorderTests {
  private let folder: TemporaryFolder
  private let layouts: [FrameLayout]
  private let streams: [StreamDescription]

  init() throws {
    folder = try TemporaryFolder()
    layouts = [
      try FrameLayout(.rgb24, width: 33, height: 17, bytesPerRow: 128),
      try FrameLayout(.depthMillimeters16, width: 16, height: 9),
    ]
    streams = [
      try TestFrames.stream("color", .color, layouts[0]), try TestFrames.stream("depth", .depth, layouts[1]),
    ]
  }

  private func recorder(_ name: String = "a.retake", _ change: (inout RecorderOptions) -> Void = { _ in })
    throws -> Recorder
  {
    let options = RecorderOptions.reproducible(change)
    return try Recorder(folder: RecordingFolder(path: folder.path(name)), streams: streams, options: options)
  }

  /// What a frame's rows hold, without the padding.
  private func packed(_ frame: CapturedFrame) -> [UInt8] {
    let row = frame.layout.packed.bytesPerRow
    let bytes = frame.buffer.copiedBytes
    return (0..<frame.layout.rowCount).flatMap {
      bytes[$0 * frame.layout.bytesPerRow..<$0 * frame.layout.bytesPerRow + row]
    }
  }

  @Test func `every frame reads back byte for byte, over several chunk files`() throws {
    let recorder = try recorder { $0.chunkFileNanoseconds = 300_000_000 }
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<50 {
      for stream in 0..<2 { sink.deliver(TestFrames.captured(layouts[stream], stream: stream, index: index)) }
    }
    let status = recorder.finish()
    #expect(status.failure == nil)
    #expect(status.frameCounts == [50, 50])
    #expect(status.droppedCount == 0)

    let recording = try Recording(path: folder.path("a.retake"))
    #expect(recording.isClosed)
    #expect(recording.streams[0].settings == streams[0].settings)
    let summary = try recording.summary()
    #expect(summary.chunkFileCount == 6)
    #expect(summary.frameSetCount == 50)
    #expect(summary.losses.isEmpty)
    let reader = try FrameReader(recording)
    for index in 0..<50 {
      for stream in 0..<2 {
        let row = try #require(try recording.frameRow(stream: stream, number: index))
        let frame = try reader.frame(row)
        let given = TestFrames.captured(layouts[stream], stream: stream, index: index)
        #expect(areSame(frame.copiedBytes, packed(given)))
        #expect(frame.timestamps.deviceTick == given.deviceTick)
        #expect(frame.timestamps.arrival == given.arrival)
        #expect(frame.timestamps.presentation.nanoseconds == Int64(index) * 33_333_333 / 1000 * 1000)
        #expect(frame.deviceSequence == UInt64(index))
      }
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("a.retake")).sorted() == [
        "chunks", "index.sqlite",
      ])
  }

  @Test func `a recording that is taken back leaves nothing but what others put there`() throws {
    for name in ["a.retake", "b.retake"] {
      let recorder = try recorder(name)
      let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
      for index in 0..<20 { sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: index)) }
      if name == "b.retake" { try Data().write(to: URL(fileURLWithPath: folder.path("b.retake/notes.txt"))) }
      #expect(recorder.finish().failure == nil)
      recorder.removeAll()
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.retake")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("b.retake")) == ["notes.txt"])
  }

  @Test func `the same frames give the same chunk files`() throws {
    for name in ["a.retake", "b.retake"] {
      let recorder = try recorder(name)
      let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
      for index in 0..<20 {
        for stream in 0..<2 { sink.deliver(TestFrames.captured(layouts[stream], stream: stream, index: index)) }
      }
      #expect(recorder.finish().failure == nil)
    }
    let files = try ["a", "b"].map {
      try Data(contentsOf: URL(fileURLWithPath: folder.path("\($0).retake/chunks/000000.mcap")))
    }
    #expect(areSame(files[0], files[1]))
    #expect(files[0].count > 1000)
  }

  @Test func `a live camera's frames that find no room are dropped, counted and stored, never waited for`() throws {
    let recorder = try recorder { $0.queueLimit = 1 }
    let sink = recorder.sink(firstStream: 0, isLive: true) { _ in }
    let layout = try FrameLayout(.rgb24, width: 33, height: 17, bytesPerRow: 128)
    for index in 0..<3000 { sink.deliver(TestFrames.captured(layout, stream: 0, index: index)) }
    let status = recorder.finish()
    let dropped = try #require(status.dropped[.queue])[0]
    #expect(dropped > 0)
    #expect(status.frameCounts[0] + dropped == 3000)
    // Nothing is counted a second time because of the gap in the device's sequence.
    #expect(status.dropped[.device] == [0, 0])
    let recording = try Recording(path: folder.path("a.retake"))
    let stored = try recording.events().filter { $0.stage == .queue }.reduce(0) { $0 + $1.count }
    #expect(stored == dropped)
  }

  @Test func `where encoders fall behind, frames are encoded with less effort, stay exact, and the recording says so`()
    throws
  {
    // A few frames that wait are many, and one encoder is slower than this thread, on however busy a machine.
    let recorder = try recorder {
      $0.waitingByteCount = 1 << 15
      $0.encoderThreadCount = 1
    }
    let sink = recorder.sink(firstStream: 0, isLive: true) { _ in }
    let layout = try FrameLayout(.rgb24, width: 33, height: 17, bytesPerRow: 128)
    let given = (0..<6000).map { TestFrames.captured(layout, stream: 0, index: $0) }
    for frame in given { sink.deliver(frame) }
    #expect(recorder.finish().failure == nil)
    let recording = try Recording(path: folder.path("a.retake"))
    let cheaper = try recording.events().filter { $0.reason == .cheaperCodec }
    #expect(!cheaper.isEmpty)
    #expect(cheaper.allSatisfy { $0.stage == .encoder && $0.count > 0 && !$0.isLoss })
    let reader = try FrameReader(recording)
    for row in try recording.frameRows(stream: 0, from: 0, limit: 6000) {
      let frame = try reader.frame(row)
      #expect(areSame(frame.copiedBytes, packed(given[Int(try #require(row.deviceSequence))])))
    }
  }

  @Test func `what the device lost, sent twice or damaged is in the index with its reason`() throws {
    let recorder = try recorder()
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in [0, 1, 4, 4, 5] { sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: index)) }
    sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: 6, flags: .damaged))
    sink.report(
      CaptureLoss(streamIndex: 0, reason: .dropped, count: 2, arrival: MonotonicTime(nanoseconds: 5_200_000_000)))
    sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: 9))
    #expect(recorder.finish().failure == nil)
    let recording = try Recording(path: folder.path("a.retake"))
    let events = try recording.events().filter { $0.stage == .device }
    #expect(events.map(\.reason) == [.dropped, .duplicate, .damaged, .dropped])
    #expect(events.map(\.count) == [2, 1, 1, 2])
    // Neither the second copy nor the damaged frame is in a frame set.
    #expect(try recording.frameSetCount() == 5)
  }

  @Test func `unpaired video frames are one event a gap`() throws {
    let recorder = try recorder()
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<10 {
      sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: index))
      if !(3...5).contains(index) { sink.deliver(TestFrames.captured(layouts[1], stream: 1, index: index)) }
    }
    #expect(recorder.finish().failure == nil)
    let recording = try Recording(path: folder.path("a.retake"))
    let unpaired = try recording.events().filter { $0.reason == .unpaired }
    #expect(unpaired.map(\.count) == [3])
    #expect(unpaired.map(\.frameNumber) == [3])
    let sets = try recording.frameSets(0..<10)
    #expect(sets.map { $0.partner(stream: 1)?.number } == [0, 1, 2, nil, nil, nil, 3, 4, 5, 6])
  }

  @Test func `faces are stored with their frame, in their order`() throws {
    let recorder = try recorder()
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    let faces = (0..<3).map {
      FaceObservation(
        box: .init(x: Double($0), y: 2, width: 3, height: 4), confidence: 1, roll: 0.25, pitch: nil, yaw: -1,
        detector: "test")
    }
    for index in 0..<3 {
      sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: index, faces: Array(faces[..<index])))
    }
    #expect(recorder.finish().failure == nil)
    let sets = try Recording(path: folder.path("a.retake")).frameSets(0..<3)
    #expect(sets.map(\.faces) == [[], [faces[0]], [faces[0], faces[1]]])
  }

  @Test func `a duration ends every stream at the same time`() throws {
    let recorder = try recorder { $0.durationNanoseconds = 1_000_000_000 }
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<40 {
      for stream in 0..<2 { sink.deliver(TestFrames.captured(layouts[stream], stream: stream, index: index)) }
    }
    let status = recorder.finish()
    #expect(status.frameCounts == [31, 31])
    #expect(status.endedStreams == [0, 1])
    #expect(status.droppedCount == 0)
  }

  @Test func `a recording is never written over`() throws {
    let first = try recorder()
    first.sink(firstStream: 0, isLive: false) { _ in }.deliver(TestFrames.captured(layouts[0], stream: 0, index: 0))
    _ = first.finish()
    #expect(throws: RetakeError.self) { try recorder() }
  }

  @Test func `a disk with less room than is to be kept free is refused before anything is lost`() throws {
    let error = #expect(throws: RetakeError.self) { try recorder { $0.keepFreeByteCount = .max } }
    #expect(error?.code == .diskFull)
  }
}
