import FrameModel
import RecordingStore
import TestSupport
import Testing

/// Recordings of frames that no camera at hand gives.
enum HandMadeRecording {
  struct Picture {
    var stream = 0
    /// Its place in time, in thirtieths of a second.
    var index: Int
    /// As many as the format has, or fewer.
    var bytes: [UInt8]
    var flags: FrameFlags = []
  }

  static func make(_ path: String, streams: [StreamDescription], _ pictures: [Picture]) throws {
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    options.wallClockNanoseconds = 1_700_000_000_000_000_000
    options.id = String(repeating: "0", count: 32)
    let recorder = try Recorder(folder: RecordingFolder(path: path), streams: streams, options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for picture in pictures {
      var frame = TestFrames.captured(
        streams[picture.stream].layout, stream: picture.stream, index: picture.index, flags: picture.flags)
      frame.byteCount = picture.bytes.count
      picture.bytes.withUnsafeBytes { frame.buffer.mutableBytes.copyMemory(from: $0) }
      sink.deliver(frame)
    }
    #expect(recorder.finish().failure == nil)
  }
}
