import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

extension RecorderOptions {
  /// Equal frames make equal files, on however full a disk.
  static func reproducible(_ change: (inout RecorderOptions) -> Void) -> RecorderOptions {
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    options.wallClockNanoseconds = 0
    options.id = String(repeating: "0", count: 32)
    change(&options)
    return options
  }
}

/// A recording that is made at once and has a bit of everything.
enum SmallRecording {
  /// Four chunk files, with gaps, faces, repeated and damaged frames, and depth that ends early.
  static func make(_ path: String, marks: [String] = []) throws {
    let (layouts, streams) = try TestFrames.colorAndDepth(width: 24, height: 18)
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    options.chunkFileNanoseconds = 500_000_000
    let recorder = try Recorder(folder: RecordingFolder(path: path), streams: streams, options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    let face = FaceObservation(
      box: .init(x: 1, y: 2, width: 3, height: 4), confidence: 0.5, roll: nil, pitch: 0.1, yaw: nil, detector: "test")
    for index in 0..<55 where index % 9 != 4 {
      sink.deliver(
        TestFrames.captured(
          layouts[0], stream: 0, index: index, flags: index == 20 ? .damaged : [], faces: index % 2 == 0 ? [face] : []))
      if index == 30 { sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: index)) }
      if index < 40 { sink.deliver(TestFrames.captured(layouts[1], stream: 1, index: index)) }
      if index == 10 { for label in marks { try recorder.mark(label, at: MonotonicTime(nanoseconds: 5_400_000_000)) } }
    }
    sink.report(
      CaptureLoss(streamIndex: 1, reason: .stalled, count: 1, arrival: MonotonicTime(nanoseconds: 7_000_000_000)))
    let status = recorder.finish()
    #expect(status.failure == nil)
  }

  /// Copies one that is made once.
  static func copy(to path: String, marks: [String] = []) throws {
    try FileManager.default.copyItem(atPath: made(marks), toPath: path)
  }

  private static let made = MadeOnce<[String], String> { marks in
    let path = try TemporaryFolder.sharedRecordingPath()
    try make(path, marks: marks)
    return path
  }

  /// The bytes of every file in a folder, by path.
  static func files(_ path: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for folder in ["", "/chunks"] {
      for name in try Folder.names(in: path + folder) where name != "chunks" {
        files[folder + "/" + name] = try FileBytes.read(path + folder + "/" + name)
      }
    }
    return files
  }
}
