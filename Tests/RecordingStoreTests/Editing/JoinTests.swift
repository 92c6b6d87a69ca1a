import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

/// Recordings that follow each other become one.
@Suite struct JoinTests {
  private let folder: TemporaryFolder
  private let original: Recording

  init() throws {
    folder = try TemporaryFolder()
    try SmallRecording.copy(to: folder.path("a.retake"), marks: ["fall"])
    original = try Recording(path: folder.path("a.retake"))
  }

  private func trimmed(_ name: String, _ frameSets: Range<Int>) throws -> Recording {
    let path = folder.path(name)
    _ = try Trim.run(original, FrameSelection(original, frameSets: frameSets), into: RecordingFolder(path: path))
    return try Recording(path: path)
  }

  private func joined(_ recordings: [Recording], gap: Int64? = nil) throws -> Recording {
    let path = folder.path("joined.retake")
    let report = try Join.run(recordings, into: RecordingFolder(path: path), gapNanoseconds: gap)
    #expect(report.damage.isEmpty)
    let joined = try Recording(path: path)
    #expect(try Verification.run(joined).isWhole)
    #expect(report.frameCounts == (try joined.summary()).streams.map(\.frameCount))
    return joined
  }

  private func rows(_ recording: Recording, _ stream: Int) throws -> [FrameRow] {
    try recording.frameRows(stream: stream, from: 0, limit: 1000)
  }

  private func error(_ body: () throws -> Void) -> RetakeError? { #expect(throws: RetakeError.self) { try body() } }

  @Test func `parts that were cut from a recording become that recording again`() throws {
    let count = try original.frameSetCount()
    let parts = try [trimmed("1.retake", 0..<17), trimmed("2.retake", 17..<30), trimmed("3.retake", 30..<count)]
    let whole = try joined(parts)
    #expect(try whole.frameSetCount() == count)
    let start = try rows(original, 0)[0].timestamps.presentation.nanoseconds
    for stream in 0..<2 {
      let (own, other) = try (rows(whole, stream), rows(original, stream))
      #expect(own.map(\.checksum) == other.map(\.checksum))
      #expect(own.map(\.number) == Array(0..<other.count))
      #expect(
        own.map(\.timestamps.presentation.nanoseconds)
          == other.map { $0.timestamps.presentation.nanoseconds - start })
      #expect(own.map(\.timestamps.arrival) == other.map(\.timestamps.arrival))
      #expect(own.allSatisfy { !$0.flags.contains(.restarted) })
    }
    #expect(try whole.marks().map(\.label) == ["fall"])
    let faces = try (whole.faces(stream: 0, frames: 0..<100), original.faces(stream: 0, frames: 0..<100))
    #expect(faces.0.map(\.faces) == faces.1.map(\.faces) && !faces.0.isEmpty)
  }

  @Test func `a part that ends in a gap has all frames before it, and the gap is counted once`() throws {
    let path = folder.path("gap.retake")
    try SmallRecording.copy(to: path)
    try FileManager.default.removeItem(atPath: path + "/chunks/000002.mcap")
    _ = try Repair.run(path: path)
    let whole = try Recording(path: path)
    let (count, frames) = (try whole.frameSetCount(), try whole.summary().streams.map(\.frameCount))
    let lost = try whole.events().filter { $0.stage == .disk }.reduce(0) { $0 + $1.count }
    #expect(lost > 0)
    for cut in 1..<count {
      let parts = try [0..<cut, cut..<count].enumerated().map { number, sets in
        let name = folder.path("g\(cut)-\(number).retake")
        _ = try Trim.run(whole, FrameSelection(whole, frameSets: sets), into: RecordingFolder(path: name))
        return try Recording(path: name)
      }
      let found = try parts.map { try $0.summary().streams.map(\.frameCount) }
      #expect(zip(found[0], found[1]).map(+) == frames, "\(cut)")
      let told = try parts.flatMap { try $0.events() }.filter { $0.stage == .disk }.reduce(0) { $0 + $1.count }
      #expect(told == lost, "\(cut)")
    }
  }

  @Test func `wherever a recording is cut, the parts share nothing and leave nothing out`() throws {
    /// Events but for those of pairs, which follow from the frames.
    func losses(_ recordings: [Recording]) throws -> [[Int]: Int] {
      try recordings.flatMap { try $0.events() }.filter { $0.stage != .pairing }.reduce(into: [:]) {
        $0[[$1.stream, $1.stage.hashValue, $1.reason.hashValue], default: 0] += $1.count
      }
    }
    func counts(_ recordings: [Recording]) throws -> [Int] {
      try recordings.map { try $0.summary().streams.map(\.frameCount) }.reduce([0, 0]) { zip($0, $1).map(+) }
    }
    let count = try original.frameSetCount()
    for cut in 1..<count {
      let parts = try [trimmed("a\(cut).retake", 0..<cut), trimmed("b\(cut).retake", cut..<count)]
      #expect(try counts(parts) == counts([original]), "\(cut)")
      #expect(try losses(parts) == losses([original]), "\(cut)")
      #expect(try parts.flatMap { try $0.marks().map(\.label) } == ["fall"], "\(cut)")
    }
    // By time, where no frame set is: depth ends before colour does.
    let (begin, end) = try (original.start(), PresentationTime(nanoseconds: 987_654_321))
    let parts = try [(begin, end), (end, nil)].enumerated().map { number, span in
      let path = folder.path("t\(number).retake")
      let selection = try FrameSelection(original, from: span.0, to: span.1)
      _ = try Trim.run(original, selection, into: RecordingFolder(path: path))
      return try Recording(path: path)
    }
    #expect(try counts(parts) == counts([original]))
    #expect(try losses(parts) == losses([original]))
  }

  @Test func `a gap places recordings one after the other, with times, clocks and marks in step`() throws {
    try TagFile(original.folder).change { tags throws(RetakeError) in
      try tags.set("light", to: "dark")
      try tags.setNote("first")
    }
    let second = try trimmed("2.retake", 20..<30)
    try TagFile(second.folder).change(clears: true) { tags throws(RetakeError) in
      try tags.set("light", to: "bright")
      try tags.set("second")
      try tags.setNote("later")
    }
    let both = try joined([original, second, original], gap: 1_000_000_000)
    let counts = try [original, second].map { try rows($0, 0).count }
    let all = try rows(both, 0)
    #expect(all.count == 2 * counts[0] + counts[1])
    #expect(all.indices.filter { all[$0].flags.contains(.restarted) } == [counts[0], counts[0] + counts[1]])
    for row in all {
      #expect(
        row.timestamps.arrival.nanoseconds - row.timestamps.presentation.nanoseconds
          - both.identity.monotonicOrigin.nanoseconds >= 0)
    }
    let ends = try [original, second].map { recording in
      let selection = try FrameSelection(whole: recording)
      return (selection.start.nanoseconds, selection.end.nanoseconds)
    }
    let seconds = all[counts[0]].timestamps.presentation.nanoseconds
    #expect(seconds >= ends[0].1 + 1_000_000_000 && seconds < ends[0].1 + 1_200_000_000)
    let marks = try both.marks().map { ($0.label, $0.presentation.nanoseconds) }
    let mark = try #require(original.marks().first?.presentation.nanoseconds)
    let thirdOffset = ends[0].1 + 2_000_000_000 + (ends[1].1 - ends[1].0) - ends[0].0
    #expect(marks.map(\.0) == ["fall", "fall"])
    #expect(marks.map(\.1) == [mark, mark + thirdOffset])
    let tags = try both.tags()
    #expect(tags.tags.map(\.text) == ["light=dark", "second"])
    #expect(tags.note == "first\nlater")
  }

  @Test func `events stay, also after the last frame`() throws {
    let both = try joined([original, original], gap: 50_000_000)
    func counts(_ recording: Recording) throws -> [String: Int] {
      var counts: [String: Int] = [:]
      for event in try recording.events() where event.stage != .pairing {
        counts["\(event.stream) \(event.stage) \(event.reason)", default: 0] += event.count
      }
      return counts
    }
    let (once, twice) = try (counts(original), counts(both))
    #expect(once["1 device stalled"] == 1)
    #expect(twice == once.mapValues { 2 * $0 })
  }

  @Test func `recordings that overlap or differ are refused, and nothing is made`() throws {
    let path = folder.path("none.retake")
    let (first, second) = try (trimmed("1.retake", 0..<20), trimmed("2.retake", 18..<30))
    let target = RecordingFolder(path: path)
    #expect(error { _ = try Join.run([first, second], into: target) }?.message.contains("before the end of") == true)
    #expect(error { _ = try Join.run([second, first], into: target) }?.hint.contains("--gap") == true)
    let other = folder.path("other.retake")
    let layout = try FrameLayout(.grey8, width: 40, height: 30)
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let recorder = try Recorder(
      folder: RecordingFolder(path: other), streams: [TestFrames.stream("color", .color, layout)], options: options)
    recorder.sink(firstStream: 0, isLive: false) { _ in }.deliver(TestFrames.captured(layout, stream: 0, index: 0))
    #expect(recorder.finish().failure == nil)
    let unlike = error { _ = try Join.run([first, Recording(path: other)], into: target, gapNanoseconds: 1) }
    #expect(unlike?.code == .unsupported && unlike?.message.contains("its streams are color instead of") == true)
    try AlignmentFile(second.folder).write(.init(x: 1000, y: 0, uncertainty: 10, frameCount: 5))
    let aligned = error {
      _ = try Join.run([first, Recording(path: second.folder.path)], into: target, gapNanoseconds: 1)
    }
    #expect(aligned?.message.contains("'color-alignment'") == true)
    #expect(try Folder.names(in: folder.path).allSatisfy { !$0.hasPrefix("none") })
    // Nothing is overwritten.
    let before = try SmallRecording.files(first.folder.path)
    #expect(
      error { _ = try Join.run([original, original], into: first.folder, gapNanoseconds: 1) }?.code == .inputOutput)
    #expect(try SmallRecording.files(first.folder.path) == before)
  }

  @Test func `a join that stops leaves nothing, and remains of a killed one are replaced`() throws {
    let target = RecordingFolder(path: folder.path("joined.retake"))
    let stopped = error {
      _ = try Join.run([original, original], into: target, gapNanoseconds: 1) { done, _ in done < 3 }
    }
    #expect(stopped?.message.contains("Stopped") == true)
    #expect(try Folder.names(in: folder.path) == ["a.retake"])
    // What a killed join leaves: chunk files and an index that is not closed.
    try FileManager.default.copyItem(atPath: original.folder.path, toPath: folder.path(".partial-joined.retake"))
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path(".partial-joined.retake/tags.json")))
    _ = try joined([original, original], gap: 1)
    #expect(try Folder.names(in: folder.path).sorted() == ["a.retake", "joined.retake"])
  }
}
