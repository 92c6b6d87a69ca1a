import ChunkFormat
import Foundation
import FrameModel
import RecordingStore
import Support
import Synchronization
import TestSupport
import Testing

/// Sees nothing, and fails for good at one look.
private final class FailingObserver: FaceObserver {
  let detector = "failing"
  private let failsAt: Int
  private let code: RetakeError.Code
  /// Frames that were passed over before each look.
  let skips = Mutex<[Int]>([])

  init(at look: Int, _ code: RetakeError.Code = .device) { (failsAt, self.code) = (look, code) }

  func skip(_ frameCount: Int) { skips.withLock { $0.append(frameCount) } }

  func faces(in color: FramePicture, depth: FramePicture?) throws(RetakeError) -> [FaceObservation] {
    guard skips.withLock({ $0.count }) <= failsAt else { throw RetakeError(code, "The detector is broken.") }
    return []
  }
}

/// What goes wrong with a detector, and with the disk that it looks at.
@Suite(.long) struct FaceFailureTests {
  private let folder: TemporaryFolder
  private let layout: FrameLayout
  private let stream: StreamDescription

  init() throws {
    folder = try TemporaryFolder()
    layout = try FrameLayout(.rgb24, width: 32, height: 24)
    stream = try TestFrames.stream("color", .color, layout)
  }

  /// - Parameter lookCount: how often the detector has looked. The first four frames wait for it, as no live camera would.
  private func record(
    _ observer: any FaceObserver, isLive: Bool = false, damaged: Int = -1, lookCount: () -> Int = { .max }
  ) throws -> RecorderStatus {
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    options.chunkFileNanoseconds = 500_000_000
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path("a.retake")), streams: [stream], options: options,
      faces: .detector(observer, stream: 0, depthStream: nil))
    let sink = recorder.sink(firstStream: 0, isLive: isLive) { _ in }
    for index in 0..<60 {
      sink.deliver(TestFrames.captured(layout, stream: 0, index: index, flags: index == damaged ? .damaged : []))
      if index < 4 {
        for _ in 0..<60_000 {
          if lookCount() > index { break }
          usleep(1000)
        }
      }
      // As many as the encoders hold may be on their way.
      while recorder.status.frameCounts[0] < index - 12, recorder.status.failure == nil { usleep(1000) }
    }
    return recorder.finish()
  }

  @Test(arguments: [false, true])
  func `a detector that fails is asked no more, the recording goes on and its status says why`(isLive: Bool) throws {
    let observer = FailingObserver(at: 3)
    let status = try record(observer, isLive: isLive) { isLive ? observer.skips.withLock { $0.count } : .max }
    #expect(status.failure == nil && status.frameCounts == [60])
    #expect(status.faceFailure?.message == "The detector is broken." && status.faceDetector == "failing")
    #expect(observer.skips.withLock { $0.count } == 4)
    #expect(status.faces.lookedCount == 3 && status.faces.skippedCount == 57)
    #expect(try Verification.run(Recording(path: folder.path("a.retake"))).isWhole)
  }

  @Test func `a frame that cannot be read costs itself alone, and the detector is told of those it does not see`()
    throws
  {
    let observer = FailingObserver(at: 1000)
    let status = try record(observer, damaged: 7)
    #expect(status.faceFailure == nil && status.faces.lookedCount == 59)
    #expect(observer.skips.withLock { $0 } == (0..<59).map { $0 == 7 ? 1 : 0 })
    let again = FailingObserver(at: 1000)
    _ = try FaceEditor.run(Recording(path: folder.path("a.retake")), again, replaces: true, threadCount: 2)
    #expect(again.skips.withLock { $0 } == (0..<59).map { $0 == 7 ? 1 : 0 })
  }

  @Test func `a disk that fails ends the replacing of faces, and those that are known stay`() throws {
    _ = try record(StubObserver())
    let path = folder.path("a.retake")
    let known = try Recording(path: path).faces(stream: 0, frames: 0..<60)
    #expect(known.count == 60)
    // Opening it is an error that says nothing about what is in it.
    let file = RecordingFolder(path: path).chunkFilePath(1)
    try FileManager.default.moveItem(atPath: file, toPath: folder.path("away"))
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
    let error = #expect(throws: RetakeError.self) {
      try FaceEditor.run(Recording(path: path), StubObserver("other"), replaces: true, threadCount: 2)
    }
    #expect(error?.code == .inputOutput, "\(error?.description ?? "")")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: folder.path("away"), toPath: file)
    #expect(try Repair.run(path: path).isLossless)
    #expect(try Recording(path: path).faces(stream: 0, frames: 0..<60) == known)
  }

  @Test func `faces that come hundreds of frames late go where their frame went`() throws {
    var window = MarkWindow(
      MarkWindowOptions(prerollNanoseconds: 0, postrollNanoseconds: 60_000_000_000), streamCount: 1)
    var numbering = FrameNumbering(streamCount: 1)
    var written: [RecordEntry] = []
    func write(_ entry: RecordEntry) { if let entry = numbering.numbered(entry) { written.append(entry) } }
    func time(_ index: Int) -> PresentationTime { PresentationTime(nanoseconds: Int64(index) * 33_333_333) }
    for index in 0..<1000 {
      if index == 10 { window.pass(.mark(try Mark(label: "", presentation: time(index))), write) }
      let frame = FrameMessage(
        number: index, layout: layout, byteCount: 0, deviceSequence: nil,
        timestamps: FrameTimestamps(
          deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: time(index).nanoseconds),
          presentation: time(index)),
        flags: [], codec: .raw, checksum: 0)
      window.pass(.frame(frame, payload: [], stream: 0), write)
    }
    for index in [5, 11, 600, 999] {
      let faces = FacesMessage(stream: 0, frameNumber: index, presentation: time(index), faces: [])
      window.pass(.faces(faces), write)
    }
    let numbers = written.compactMap { entry -> Int? in
      if case .faces(let faces) = entry { faces.frameNumber } else { nil }
    }
    let first = written.firstIndex { if case .frame = $0 { true } else { false } }
    guard case .frame(let message, _, _) = written[try #require(first)] else { return }
    #expect(message.timestamps.presentation == time(10) && message.number == 0)
    #expect(numbers == [1, 590, 989])
  }
}
