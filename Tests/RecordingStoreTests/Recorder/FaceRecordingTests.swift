import Foundation
import FrameModel
import Kernels
import RecordingStore
import Support
import Synchronization
import TestSupport
import Testing

/// A detector that says of every frame which one it is: the box's place is a checksum of its pixels.
final class StubObserver: FaceObserver {
  let detector: String
  /// Called before each look.
  private let onLook: @Sendable (Int) -> Void
  private let lookCount = Atomic<Int>(0)

  init(_ detector: String = "stub version=1", onLook: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.detector = detector
    self.onLook = onLook
  }

  static func mark(of bytes: UnsafeRawBufferPointer) -> Double {
    Double(Checksum.xxh3(bytes) >> 16)
  }

  func faces(in color: FramePicture, depth: FramePicture?) throws(RetakeError) -> [FaceObservation] {
    onLook(lookCount.add(1, ordering: .relaxed).oldValue)
    let x = withExtendedLifetime(color) { Self.mark(of: color.bytes) }
    guard Int(x) % 5 != 0 else { return [] }
    return [
      FaceObservation(
        box: .init(x: x, y: depth == nil ? 0 : 1, width: 8, height: 9), confidence: 0.5, roll: 0.25, pitch: nil,
        yaw: nil,
        detector: detector, framesSinceSeen: Int(x) % 3)
    ]
  }
}

@Suite(.long) struct FaceRecordingTests {
  private let folder: TemporaryFolder
  private let layouts: [FrameLayout]
  private let streams: [StreamDescription]
  private static let period: Int64 = 33_333_333

  init() throws {
    folder = try TemporaryFolder()
    (layouts, streams) = try TestFrames.colorAndDepth()
  }

  private func recorder(
    _ name: String, _ faces: FaceRecording, _ change: (inout RecorderOptions) -> Void = { _ in }
  ) throws -> Recorder {
    let options = RecorderOptions.reproducible(change)
    return try Recorder(
      folder: RecordingFolder(path: folder.path(name)), streams: streams, options: options, faces: faces)
  }

  private func deliver(
    _ frames: Range<Int>, to sink: any CaptureSink, damaged: Int = -1, faces: [FaceObservation] = []
  ) {
    for index in frames {
      for stream in [1, 0] {
        sink.deliver(
          TestFrames.captured(
            layouts[stream], stream: stream, index: index, flags: stream == 0 && index == damaged ? .damaged : [],
            faces: stream == 0 ? faces : []))
      }
    }
  }

  private func record(
    _ name: String, frames: Int = 60, _ observer: StubObserver = StubObserver(), damaged: Int = -1,
    _ change: (inout RecorderOptions) -> Void = { _ in }
  ) throws -> RecorderStatus {
    let recorder = try recorder(name, .detector(observer, stream: 0, depthStream: 1), change)
    deliver(0..<frames, to: recorder.sink(firstStream: 0, isLive: false) { _ in }, damaged: damaged)
    return recorder.finish()
  }

  /// Every colour frame was looked at or skipped, what was seen belongs to it, and an index that is made again says the same.
  @discardableResult
  private func check(_ path: String, detector: String = "stub version=1") throws -> FaceCounts {
    let recording = try Recording(path: path)
    let reader = try FrameReader(recording)
    let rows = try recording.frameRows(stream: 0, from: 0, limit: 10_000)
    let messages = try recording.faces(stream: 0, frames: 0..<10_000)
    #expect(messages.map(\.frameNumber) == rows.map(\.number))
    var counts = FaceCounts()
    for (row, message) in zip(rows, messages) {
      counts.note(message)
      #expect(message.detector == detector && message.presentation == row.timestamps.presentation)
      guard !message.isSkipped else { continue }
      let frame = try reader.frame(row)
      let x = withExtendedLifetime(frame) { StubObserver.mark(of: frame.bytes) }
      #expect(message.faces.map(\.box.x) == (Int(x) % 5 == 0 ? [] : [x]))
      #expect(message.faces.allSatisfy { $0.framesSinceSeen == Int(x) % 3 && $0.detector == detector })
    }
    let summary = try recording.summary()
    #expect(summary.faces.map(\.lookedCount).reduce(0, +) == counts.lookedCount)
    #expect(summary.faces.map(\.skippedCount).reduce(0, +) == counts.skippedCount)
    #expect(summary.faceFrameCount == counts.faceFrameCount)
    let report = try Verification.run(recording)
    #expect(report.isWhole, "\(report.problems)")
    let before = try IndexDump.lines(path)
    try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    #expect(try Repair.run(path: path).isLossless)
    #expect(try IndexDump.lines(path) == before)
    return counts
  }

  @Test func `every frame of a source that waits is looked at, with its depth, and equal input makes equal files`()
    throws
  {
    let status = try record("a.retake", frames: 100, damaged: 7) { $0.chunkFileNanoseconds = 1_000_000_000 }
    #expect(status.failure == nil)
    let counts = try check(folder.path("a.retake"))
    #expect(counts == status.faces)
    #expect(counts.lookedCount == 99 && counts.skippedCount == 1)
    #expect(counts.faceFrameCount > 50 && counts.faceFrameCount < 99)
    let messages = try Recording(path: folder.path("a.retake")).faces(stream: 0, frames: 0..<100)
    #expect(messages[7].isSkipped)
    #expect(messages.allSatisfy { $0.faces.allSatisfy { $0.box.y == 1 } })
    _ = try record("b.retake", frames: 100, damaged: 7) { $0.chunkFileNanoseconds = 1_000_000_000 }
    for name in try Folder.names(in: folder.path("a.retake/chunks")) {
      #expect(
        areSame(
          try FileBytes.read(folder.path("a.retake/chunks/" + name)),
          try FileBytes.read(folder.path("b.retake/chunks/" + name))))
    }
  }

  @Test func `a detector that is stuck delays no live frame, and those it missed are marked as skipped`() throws {
    let release = DispatchSemaphore(value: 0)
    let observer = StubObserver { if $0 >= 3 { release.wait() } }
    let recorder = try recorder("a.retake", .detector(observer, stream: 0, depthStream: 1))
    let sink = recorder.sink(firstStream: 0, isLive: true) { _ in }
    for index in 0..<40 {
      deliver(index..<index + 1, to: sink)
      // So that the first ones are looked at one by one.
      if index < 3 { while recorder.status.faces.lookedCount < index, recorder.status.failure == nil { usleep(1000) } }
      while recorder.status.frameCounts[0] < index - 5, recorder.status.failure == nil { usleep(1000) }
    }
    // The detector has not moved since its fourth look, and the frames are there.
    while recorder.status.frameCounts[0] < 35, recorder.status.failure == nil { usleep(1000) }
    #expect(recorder.status.failure == nil && recorder.status.droppedCount == 0)
    for _ in 0..<50 { release.signal() }
    let status = recorder.finish()
    #expect(status.frameCounts == [40, 40] && status.droppedCount == 0)
    #expect(status.faces.lookedCount + status.faces.skippedCount == 40)
    #expect(status.faces.skippedCount >= 30)
    #expect(try check(folder.path("a.retake")) == status.faces)
  }

  @Test func `each part of a split session has what is known of the faces in its own frames`() throws {
    let status = try record("a.retake", frames: 120) {
      $0.split = SplitOptions(nanoseconds: 1_000_000_000, byteCount: nil)
    }
    #expect(status.failure == nil && status.folders.count > 2)
    #expect(status.faces.lookedCount == 120)
    for part in status.folders { try check(part.path) }
  }

  @Test func `a frame whose part ends before its faces come is marked as skipped there`() throws {
    let release = DispatchSemaphore(value: 0)
    let observer = StubObserver { _ in release.wait() }
    let recorder = try recorder("a.retake", .detector(observer, stream: 0, depthStream: nil)) {
      $0.split = SplitOptions(nanoseconds: 1_000_000_000, byteCount: nil)
    }
    let sink = recorder.sink(firstStream: 0, isLive: true) { _ in }
    for index in 0..<90 {
      deliver(index..<index + 1, to: sink)
      while recorder.status.frameCounts[0] < index - 5, recorder.status.failure == nil { usleep(1000) }
    }
    for _ in 0..<100 { release.signal() }
    let status = recorder.finish()
    #expect(status.failure == nil && status.folders.count >= 2)
    for part in status.folders { try check(part.path) }
  }

  @Test func `around marks the faces of the frames that are kept are kept, under their new numbers`() throws {
    let observer = StubObserver()
    let recorder = try recorder("a.retake", .detector(observer, stream: 0, depthStream: 1)) {
      $0.markWindow = MarkWindowOptions(prerollNanoseconds: 300_000_000, postrollNanoseconds: 200_000_000)
    }
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<200 {
      deliver(index..<index + 1, to: sink)
      if [60, 150].contains(index) {
        try recorder.mark("m", at: MonotonicTime(nanoseconds: 5_000_000_000 + Int64(index) * Self.period))
      }
    }
    let status = recorder.finish()
    #expect(status.frameCounts[0] > 20 && status.frameCounts[0] < 60)
    #expect(try check(folder.path("a.retake")).lookedCount == status.frameCounts[0])
  }

  @Test func `what a device sees itself is kept, left out, or makes way for a detector, as asked`() throws {
    let face = FaceObservation(
      box: .init(x: 1, y: 2, width: 3, height: 4), confidence: 1, roll: nil, pitch: nil, yaw: nil, detector: "camera")
    let choices: [(FaceRecording, [String])] = [
      (.device, ["camera"]), (.none, []), (.detector(StubObserver(), stream: 0, depthStream: nil), ["stub version=1"]),
    ]
    for (number, choice) in choices.enumerated() {
      let recorder = try recorder("\(number).retake", choice.0)
      deliver(0..<10, to: recorder.sink(firstStream: 0, isLive: false) { _ in }, faces: [face])
      #expect(recorder.finish().failure == nil)
      let recording = try Recording(path: folder.path("\(number).retake"))
      #expect(try recording.summary().faces.map(\.detector) == choice.1)
    }
  }

  // MARK: Afterwards

  @Test func `faces are added to a recording that has none, replaced where that is asked for, and refused otherwise`()
    throws
  {
    let plain = try recorder("a.retake", .device)
    deliver(0..<50, to: plain.sink(firstStream: 0, isLive: false) { _ in }, damaged: 9)
    #expect(plain.finish().failure == nil)
    let path = folder.path("a.retake")
    #expect(try Recording(path: path).summary().faces.isEmpty)
    let report = try FaceEditor.run(Recording(path: path), StubObserver(), replaces: false, threadCount: 2)
    #expect(report.counts.lookedCount == 49 && report.counts.skippedCount == 1 && report.replaced.isEmpty)
    #expect(try check(path) == report.counts)
    #expect(try Recording(path: path).faces(stream: 0, frames: 0..<50).flatMap(\.faces).allSatisfy { $0.box.y == 1 })

    let refused = #expect(throws: RetakeError.self) {
      try FaceEditor.run(Recording(path: path), StubObserver("other"), replaces: false)
    }
    #expect(refused?.message.contains("stub version=1 examined 49") == true)
    #expect(refused?.hint.contains("--replace") == true)
    try check(path)

    let second = try FaceEditor.run(Recording(path: path), StubObserver("other"), replaces: true)
    #expect(second.replaced.map(\.detector) == ["stub version=1"])
    #expect(try Recording(path: path).summary().faces.map(\.detector) == ["other"])
    #expect(try check(path, detector: "other") == second.counts)
  }

  @Test func `one that is stopped keeps what was seen, and the recording is whole`() throws {
    _ = try record("a.retake", frames: 50)
    let path = folder.path("a.retake")
    let report = try FaceEditor.run(Recording(path: path), StubObserver("other"), replaces: true, threadCount: 2) {
      done, all in
      #expect(all == 50)
      return done < 20
    }
    #expect(report.isStopped && report.counts.lookedCount == 20)
    let faces = try Recording(path: path).summary().faces
    #expect(faces.map(\.lookedCount) == [30, 20])
    #expect(try Verification.run(Recording(path: path)).isWhole)
    #expect(try Repair.run(path: path).isLossless)
    #expect(try Recording(path: path).summary().faces == faces)
  }

  @Test func `a recording that a recorder is at work on is left alone`() throws {
    _ = try record("a.retake", frames: 5)
    let recording = try Recording(path: folder.path("a.retake"))
    let lock = try FolderLock(recording.folder)
    #expect(throws: RetakeError.self) { try FaceEditor.run(recording, StubObserver(), replaces: true) }
    withExtendedLifetime(lock) {}
  }

  @Test func `a part of a recording takes along the faces that came later`() throws {
    _ = try record("a.retake", frames: 80) { $0.chunkFileNanoseconds = 500_000_000 }
    let path = folder.path("a.retake")
    _ = try FaceEditor.run(Recording(path: path), StubObserver("other"), replaces: true)
    let whole = try Recording(path: path)
    let part = try FrameSelection(whole, frameSets: 20..<50)
    let report = try Trim.run(whole, part, into: RecordingFolder(path: folder.path("b.retake")))
    #expect(report.frameCounts == [30, 30] && report.damage.isEmpty)
    #expect(try check(folder.path("b.retake"), detector: "other").lookedCount == 30)
  }

  @Test func `verification finds faces that the index lacks or has otherwise`() throws {
    _ = try record("a.retake", frames: 20)
    let path = folder.path("a.retake")
    try IndexDump.change(path, "UPDATE face SET x = 1 WHERE frame = (SELECT min(frame) FROM face)")
    #expect(
      try Verification.run(Recording(path: path)).problems.contains { $0.what.contains("'face' has a different 'x'") })
    try IndexDump.change(path, "DELETE FROM face_look WHERE frame = 3")
    #expect(
      try Verification.run(Recording(path: path)).problems.contains { $0.frame == 3 && $0.what.contains("lacks") })
  }
}
