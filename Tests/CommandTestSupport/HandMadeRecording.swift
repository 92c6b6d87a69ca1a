import FrameModel
import RecordingStore
import TestSupport
import Testing

/// Recordings of frames that no camera at hand gives.
package enum HandMadeRecording {
  package struct Picture {
    package var stream: Int
    /// Its place in time, in thirtieths of a second.
    package var index: Int
    /// As many as the format has, or fewer.
    package var bytes: [UInt8]
    package var flags: FrameFlags

    package init(stream: Int = 0, index: Int, bytes: [UInt8], flags: FrameFlags = []) {
      self.stream = stream
      self.index = index
      self.bytes = bytes
      self.flags = flags
    }
  }

  package static func make(_ path: String, streams: [StreamDescription], _ pictures: [Picture]) throws {
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
