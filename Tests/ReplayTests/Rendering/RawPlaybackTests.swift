import FrameModel
import Media
import RecordingStore
import RecordingTestSupport
import Replay
import Support
import TestSupport
import Testing

/// A recording's own frames at V4L2 output devices, which are written in Swift here.
@Suite struct RawPlaybackTests {
  private final class Clock: PlayClock {
    var nanoseconds: Int64 = 0
    func now() -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }
    func sleep(nanoseconds span: Int64) { nanoseconds += span }
  }

  private final class Node: VideoOutputNode {
    let path: String
    let takesVideo = true
    var accepted: [VideoOutputFormat.Samples]
    var padding = 0
    var largestByteCount: Int?
    var rate: FrameRate?
    var shown: [(bytes: [UInt8], nanoseconds: Int64)] = []
    var isOpen = true
    private let clock: Clock

    init(_ path: String, _ accepted: [VideoOutputFormat.Samples], _ clock: Clock) {
      (self.path, self.accepted, self.clock) = (path, accepted, clock)
    }
    func setFormat(_ samples: VideoOutputFormat.Samples, width: Int, height: Int) -> VideoOutputFormat? {
      guard accepted.contains(samples) else { return nil }
      let line = samples == .jpeg ? 0 : width * (samples == .rgb24 ? 3 : 2) + padding
      return VideoOutputFormat(
        samples: samples, width: width, height: height, bytesPerRow: line,
        byteCount: largestByteCount ?? (samples == .jpeg ? width * height * 2 : line * height))
    }
    func setRate(_ rate: FrameRate) { self.rate = rate }
    func write(_ picture: UnsafeRawBufferPointer) { shown.append((Array(picture), clock.nanoseconds)) }
    func close() { isOpen = false }
  }

  private let clock = Clock()

  private func rows(_ recording: Recording, _ stream: Int) throws -> [FrameRow] {
    try recording.frameRows(stream: stream, from: 0, limit: 1000)
  }
  private func bytes(_ recording: Recording, _ row: FrameRow) throws -> [UInt8] {
    let frame = try FrameReader(recording).frame(row)
    return Array(frame.buffer.bytes[..<frame.byteCount])
  }

  @Test func `colour and depth come as they were recorded, at their times and in one order`() throws {
    let made = try SimulatedRecording("frames=6&size=64x48&fps=20")
    let recording = made.recording
    let (color, depth) = (try #require(recording.firstStream(.color)), try #require(recording.firstStream(.depth)))
    let first = Node("/dev/video10", [.rgb24, .yuyv], clock)
    let second = Node("/dev/video11", [.depth16], clock)
    second.padding = 6
    let outputs = [
      try RawOutput(recording.streams[color], stream: color, to: first),
      try RawOutput(recording.streams[depth], stream: depth, to: second),
    ]
    #expect(first.rate == recording.streams[color].rate && outputs[1].format.samples == .depth16)
    let playback = RawPlayback(recording, outputs, selection: nil, passCount: 2, threadCount: 2)
    #expect(try playback.frameCount() == 12)
    var numbers: [Int] = []
    let result = try playback.play(PlayControls(speed: .realTime), clock: clock) { number, _, _ in
      numbers.append(number)
    }
    #expect(result.isComplete && result.lateness.count == 0 && !first.isOpen && !second.isOpen)
    #expect(numbers.count == 24 && outputs.map(\.shownCount) == [12, 12] && outputs.map(\.leftOutCount) == [0, 0])

    let (colorRows, depthRows) = (try rows(recording, color), try rows(recording, depth))
    let start = try #require((colorRows + depthRows).map(\.timestamps.presentation).min()).nanoseconds
    for (number, row) in colorRows.enumerated() {
      let expected = try bytes(recording, row)
      #expect(first.shown[number].bytes == expected && first.shown[number + 6].bytes == expected)
      #expect(first.shown[number].nanoseconds == row.timestamps.presentation.nanoseconds - start)
    }
    for (number, row) in depthRows.enumerated() {
      let padded = try bytes(recording, row).rowsPadded(from: 128, by: 6)
      #expect(second.shown[number].bytes == padded)
      #expect(second.shown[number].nanoseconds == row.timestamps.presentation.nanoseconds - start)
    }
  }

  @Test func `a damaged frame is left out and counted, and the others keep their times`() throws {
    let made = try SimulatedRecording("frames=5&size=64x48")
    let recording = made.recording
    let color = try #require(recording.firstStream(.color))
    let row = try rows(recording, color)[2]
    try made.damage(row)
    let node = Node("/dev/video10", VideoOutputFormat.Samples.allCases, clock)
    let output = try RawOutput(recording.streams[color], stream: color, to: node)
    let playback = RawPlayback(recording, [output], selection: nil, passCount: 1, threadCount: 1)
    _ = try playback.play(PlayControls(speed: .realTime), clock: clock)
    #expect((output.shownCount, output.leftOutCount) == (4, 1))
    let times = try rows(recording, color).map(\.timestamps.presentation.nanoseconds)
    #expect(node.shown.map(\.nanoseconds) == [0, 1, 3, 4].map { times[$0] - times[0] })
  }

  @Test func `a part is played, and an end that is asked for ends it`() throws {
    let made = try SimulatedRecording("frames=8&size=64x48")
    let recording = made.recording
    let color = try #require(recording.firstStream(.color))
    let node = Node("/dev/video10", VideoOutputFormat.Samples.allCases, clock)
    let output = try RawOutput(recording.streams[color], stream: color, to: node)
    let part = try FrameSelection(recording, frameSets: 2..<5)
    let controls = PlayControls()
    let result = try RawPlayback(recording, [output], selection: part, passCount: nil, threadCount: 1)
      .play(controls, clock: clock) { _, _, count in if count == 7 { controls.take(.end) } }
    #expect(!result.isComplete && output.shownCount == 7)
    let expected = try rows(recording, color)[2..<5].map { try bytes(recording, $0) }
    withExtendedLifetime(made) { #expect(node.shown.map(\.bytes) == expected + expected + expected.prefix(1)) }
  }

  @Test func `only the recorded bytes come into question: a device without the format is refused by name`() throws {
    let recording = try SimulatedRecording("frames=1&size=64x48").recording
    let depth = try #require(recording.firstStream(.depth))
    let node = Node("/dev/video11", [.yuyv, .rgb24], clock)
    let error = #expect(throws: RetakeError.self) {
      _ = try RawOutput(recording.streams[depth], stream: depth, to: node)
    }
    #expect(error?.message == "/dev/video11 does not accept 64x48 pictures as Z16 or Y16." && !node.isOpen)
    let layout = try FrameLayout(.disparityFloat32, width: 4, height: 4)
    let stream = try TestFrames.stream("depth", .depth, layout)
    let unsuitable = #expect(throws: RetakeError.self) { _ = try RawOutput.samples(of: stream) }
    #expect(unsuitable?.code == .unsupported && unsuitable?.message.contains("DISPARITY32") == true)
    let raw = try TestFrames.stream("depth", .depth, FrameLayout(.kinectRaw11, width: 4, height: 4))
    #expect(try RawOutput.samples(of: raw) == [.grey16], "disparities are not offered as distances")
  }
}

extension [UInt8] {
  fileprivate func rowsPadded(from count: Int, by padding: Int) -> [UInt8] {
    stride(from: 0, to: self.count, by: count).flatMap { row -> [UInt8] in
      Array(self[row..<row + count]) + [UInt8](repeating: 0, count: padding)
    }
  }
}
