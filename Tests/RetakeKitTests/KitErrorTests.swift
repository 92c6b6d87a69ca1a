import Foundation
import RetakeKit
import TestSupport
import Testing

/// A source that does what a test wants.
private final class TestSource: FrameSource {
  let name: String
  let isLive: Bool
  let streams: [SourceStream]
  let body: @Sendable (FrameOutput) throws -> Void

  init(
    name: String = "test:1", isLive: Bool = false,
    streams: [SourceStream] = [.init("color", .color, .grey8, width: 4, height: 2, rate: .init(30))],
    _ body: @escaping @Sendable (FrameOutput) throws -> Void
  ) { (self.name, self.isLive, self.streams, self.body) = (name, isLive, streams, body) }

  func run(_ output: FrameOutput) throws { try body(output) }
}

private struct Unplugged: Error, CustomStringConvertible { let description = "the cable is out" }

struct KitErrorTests {
  private let folder = try! TemporaryFolder()

  private func options() -> Recorder.Options {
    var options = Recorder.Options()
    options.keepFreeByteCount = 0
    return options
  }

  private func record(_ source: TestSource, _ name: String = "a.retake") throws -> Recorder.Result {
    try Recorder(to: folder.path(name), sources: [source], options: options()).run()
  }

  @Test func `rows with padding are packed`() throws {
    let source = TestSource { output in
      try output.deliver(bytes: [1, 2, 3, 4, 99, 99, 5, 6, 7, 8, 99, 99], bytesPerRow: 6)
      try output.deliver(bytes: [1, 2, 3, 4, 99, 99, 5, 6, 7, 8], bytesPerRow: 6, at: 1)
    }
    #expect(try record(source).failure == nil)
    let recording = try Recording(path: folder.path("a.retake"))
    for number in [0, 1] {
      #expect(try recording.frame(number, of: recording.streams[0])?.image.bytes == [1, 2, 3, 4, 5, 6, 7, 8])
    }
  }

  @Test(arguments: [([UInt8](repeating: 0, count: 7), nil), ([UInt8](repeating: 0, count: 9), nil), ([0], 2)])
  func `bytes that do not fit the stream end the recording with a sentence`(bytes: [UInt8], bytesPerRow: Int?) throws {
    let result = try record(
      TestSource { output in
        try output.deliver(bytes: [UInt8](repeating: 7, count: 8))
        try output.deliver(bytes: bytes, bytesPerRow: bytesPerRow, at: 1)
      })
    #expect(result.failure?.message.contains("GREY frame of 'color' with 4x2 pixels has \(bytes.count) bytes") == true)
    #expect(result.frameCounts == [1], "what was delivered before is kept")
  }

  @Test func `a source that fails keeps what it delivered`() throws {
    let result = try record(
      TestSource { output in
        try output.deliver(bytes: [UInt8](repeating: 7, count: 8))
        throw Unplugged()
      })
    #expect(result.failure?.message == "Source 'test:1' failed: the cable is out" && result.frameCounts == [1])
    #expect(try Recording(path: folder.path("a.retake")).frameSetCount == 1)
  }

  @Test func `losses that a source reports are events`() throws {
    let result = try record(
      TestSource { output in
        try output.deliver(bytes: [UInt8](repeating: 7, count: 8))
        output.reportLoss(stream: 0, count: 3, nanoseconds: 50_000_000)
        try output.deliver(bytes: [UInt8](repeating: 7, count: 8), at: 133_333_333)
      })
    let losses = try Recording(path: result.path).events().filter(\.isLoss)
    #expect(result.lostFrameCount == 3 && losses.map(\.count) == [3] && losses.map(\.reason) == ["dropped"])
  }

  @Test func `a live source is stopped, and marks are set meanwhile`() throws {
    let source = TestSource(isLive: true) { output in
      while !output.isStopping {
        try output.deliver(stream: 0, [UInt8](repeating: 7, count: 8))
        usleep(2000)
      }
    }
    let recorder = try Recorder(to: folder.path("live.retake"), sources: [source], options: options())
    let watcher = Thread {
      usleep(60_000)
      _ = try? recorder.mark("half")
      usleep(60_000)
      recorder.stop()
    }
    watcher.start()
    let result = try recorder.run()
    let recording = try Recording(path: result.path)
    #expect(result.failure == nil && result.frameCounts[0] > 5)
    let mark = try #require(try recording.marks().first)
    #expect(mark.label == "half")
    // As 'retake mark --rename' leaves it.
    let change = #"{"label":"half","presentation_ns":\#(mark.presentationNanoseconds),"new_label":"whole"}"#
    try #"{"format":"retake-marks-1","changes":[\#(change)]}"#
      .write(toFile: result.path + "/marks.json", atomically: false, encoding: .utf8)
    #expect(try recording.marks().map(\.label) == ["whole"])
    #expect(try recorder.mark("late") == false)
  }

  @Test func `sources that cannot be recorded are refused with a sentence`() throws {
    let live = TestSource(isLive: true) { _ in }
    let other = TestSource { _ in }
    let cases: [([TestSource], String)] = [
      ([], "no source"), ([live, other], "no common time line"), ([TestSource(name: "", { _ in })], "name"),
      ([TestSource(streams: [], { _ in })], "no stream"),
      ([TestSource(streams: [.init("a", .color, .grey8, width: 0, height: 2, rate: .init(30))], { _ in })], "0x2"),
      ([TestSource(streams: [.init("a", .color, .grey8, width: 4, height: 2, rate: .init(0))], { _ in })], "0/1"),
      (
        [
          TestSource(
            streams: [.init("a", .color, PixelFormat(rawValue: "X"), width: 4, height: 2, rate: .init(30))], { _ in })
        ], "X"
      ),
    ]
    for (sources, words) in cases {
      let error = #expect(throws: RetakeError.self) { try Recorder(to: folder.path("b.retake"), sources: sources) }
      #expect(error?.message.contains(words) == true, "\(error?.description ?? "") lacks \(words)")
    }
  }

  @Test func `what is no recording, stream or frame is an error with a sentence`() throws {
    let none = #expect(throws: RetakeError.self) { try Recording(path: folder.path("none")) }
    #expect(none?.code == .notFound && none?.hint.isEmpty == false)
    let disc = try recordDisc(to: folder.path("disc.retake"), frameCount: 2)
    let stream = #expect(throws: RetakeError.self) { try disc.stream(.alpha) }
    #expect(stream?.hint.contains("color, depth") == true)
    let foreign = try Recording(path: record(TestSource { try $0.deliver(bytes: [1, 2, 3, 4, 5, 6, 7, 8]) }).path)
    let other = #expect(throws: RetakeError.self) { try disc.frames(of: foreign.streams[0]) }
    #expect(other?.code == .usage)
    let empty = #expect(throws: RetakeError.self) {
      try Replay(disc, try Parameters(), frames: 5..<9).run(taps: [.original]) { _ in }
    }
    #expect(empty != nil)
    let taps = #expect(throws: RetakeError.self) { try Replay(disc, try Parameters()).run(taps: []) { _ in } }
    #expect(taps?.code == .usage)
  }

  @Test func `an error of the caller ends a replay and comes back as it is`() throws {
    let disc = try recordDisc(to: folder.path("disc.retake"), frameCount: 4)
    var count = 0
    #expect(throws: Unplugged.self) {
      try Replay(disc, try Parameters()).run(taps: [.original]) { _ in
        count += 1
        if count == 2 { throw Unplugged() }
      }
    }
    #expect(count == 2)
  }

  @Test func `a sweep names an unknown parameter or score, and continues one that was stopped`() throws {
    let disc = try recordDisc(to: folder.path("disc.retake"), frameCount: 4)
    var sweep = Sweep([disc], from: try Parameters(preset: "truedepth-backdrop"))
    sweep.values["matte.blurr"] = ["1"]
    let name = #expect(throws: RetakeError.self) { try sweep.run(results: folder.path("a.sqlite")) }
    #expect(name?.hint.contains("matte.blur") == true)
    sweep.values = ["matte.blur": ["1", "4"]]
    sweep.scores = ["ioux"]
    let score = #expect(throws: RetakeError.self) { try sweep.run(results: folder.path("a.sqlite")) }
    #expect(score?.hint.contains("iou") == true)
    sweep.scores = ["area"]
    #expect(throws: RetakeError.self) { try sweep.run(results: folder.path("a.sqlite")) { _, _ in false } }
    let results = try sweep.run(results: folder.path("a.sqlite"))
    #expect(results.settings.map { $0.values["matte.blur"] } == ["1", "4"])
    #expect(results.settings.allSatisfy { $0.failure == nil && $0.scores["area"] != nil })
  }
}

extension FrameOutput {
  fileprivate func deliver(bytes: [UInt8], bytesPerRow: Int? = nil, at nanoseconds: Int64 = 0) throws {
    try deliver(stream: 0, bytes, nanoseconds: nanoseconds, bytesPerRow: bytesPerRow)
  }
}
