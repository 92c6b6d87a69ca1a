import Foundation
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support
import TestSupport
import Testing

/// Files of digests are read as they were written, and what is none is told with file and line.
@Suite struct DigestFileTests {
  private let replays: ComparedReplays

  init() throws { replays = try ComparedReplays() }

  private func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func read(_ lines: [String], end: String = "\n") throws(RetakeError) -> (
    frames: [Int], reader: DigestFileReader
  ) {
    let reader = try DigestFileReader(name: "x.jsonl", bytes: Array((lines.joined(separator: "\n") + end).utf8))
    var frames: [Int] = []
    while let line = try reader.next() { frames.append(line.frame) }
    return (frames, reader)
  }

  private func expectError(
    _ code: RetakeError.Code, _ words: [String], _ body: () throws(RetakeError) -> Void,
    location: SourceLocation = #_sourceLocation
  ) {
    do throws(RetakeError) {
      try body()
      Issue.record("nothing was thrown, where \(words) was expected", sourceLocation: location)
    } catch {
      #expect(error.code == code, "\(error)", sourceLocation: location)
      for word in words { #expect(error.message.contains(word), "\(error)", sourceLocation: location) }
      #expect(!error.hint.isEmpty, sourceLocation: location)
    }
  }

  @Test func `what a header says is enough to make the same digests again`() throws {
    let start = try replays.parameters(
      "video-depth-maps", ["depth.rate=2/3", "depth.phase=3", "composite.color=#102030"])
    let changes = try ParameterTimeline(
      from: start, [(6, "mask.focus=0.6"), (9, "matte.blur=2.5"), (9, "composite.kind=blur")])
    let request = ReplayRequest(
      preset: "video-depth-maps", parameters: start, changes: changes, order: PlayOrder(frames: 2..<12))
    let path = try replays.digests(request)
    let header = try DigestFileReader(path: path).header
    let again = try ReplayRequest(header)
    #expect(again.preset == request.preset)
    #expect(again.changes.changes == changes.changes)
    #expect(again.order == request.order)
    #expect(again.firstNumber == 0)
    // Only the network's file is not in it, and no mask was asked of it.
    let other = try replays.digests(again)
    #expect(try lines(path) == lines(other))
    #expect(try ComparedReplays.compare(path, other).isEqual)
  }

  @Test func `a part of a trimmed recording keeps the numbers of the whole, and its order of play is in the header`()
    throws
  {
    var request = ReplayRequest(
      preset: "avcam-filter", parameters: try replays.parameters("avcam-filter", []),
      order: PlayOrder(frames: 1..<9), firstNumber: 300)
    let header = try DigestFileReader(path: replays.digests(request)).header
    #expect(header.firstFrame == 301)
    #expect(header.firstNumber == 300)
    #expect(try ReplayRequest(header).order == request.order)
    request.order.every = 3
    request.order.isReversed = true
    request.order.passCount = nil
    let written = DigestHeader(
      recordingID: "r", preset: request.preset, parameters: request.parameters,
      schedule: DepthSchedule(request.parameters), order: request.order, firstNumber: 300, frameCount: 3,
      background: nil)
    let (_, reader) = try read([written.json.text])
    #expect(reader.header.order == request.order)
    #expect(reader.header.frameCount == 3)
    #expect(reader.header.firstFrame == 301)
    #expect(reader.header.differences(to: header).map(\.sentence).contains { $0.contains("one in 3 frames backwards") })
  }

  @Test func `a file that was cut off anywhere is told as such, and says what it has`() throws {
    let whole = try lines(try replays.digests("truedepth-backdrop"))
    #expect(try read(whole).reader.footer?.frames == 14)
    #expect(try read(whole).reader.cutSentence == nil)
    // The last end of line may be missing.
    #expect(try read(whole, end: "").reader.footer != nil)
    let cut = try read(Array(whole[..<6]))
    #expect(cut.frames == [0, 1, 2, 3, 4])
    #expect(cut.reader.footer == nil)
    #expect(cut.reader.cutSentence == "x.jsonl ends after frame 4 without its last line: it was cut off.")
    let half = try read(Array(whole[..<6]) + [String(whole[6].prefix(50))], end: "")
    #expect(half.frames == [0, 1, 2, 3, 4])
    #expect(half.reader.cutSentence?.contains("after frame 4") == true)
    #expect(try read([whole[0]]).reader.cutSentence?.contains("before its first frame") == true)
  }

  @Test func `every byte of a file may be another: it is read, or refused with its name, and never believed blindly`()
    throws
  {
    let text = try Array(String(contentsOfFile: replays.digests("avcam-filter"), encoding: .utf8).utf8)
    var generator = SeededGenerator(seed: 7)
    var readCount = 0
    var refusedCount = 0
    for _ in 0..<400 {
      var bytes = text
      for _ in 0..<1 + generator.next(below: 3) {
        bytes[generator.next(below: bytes.count)] = UInt8(generator.next(below: 256))
      }
      if generator.next(below: 4) == 0 { bytes.removeLast(generator.next(below: bytes.count)) }
      do throws(RetakeError) {
        let reader = try DigestFileReader(name: "x.jsonl", bytes: bytes)
        var count = 0
        while let line = try reader.next() {
          count += 1
          #expect(line.digests.count == 6)
        }
        // A digest that was changed does not fit the digest of all.
        if let footer = reader.footer { #expect(footer.frames == count) }
        _ = try? ReplayRequest(reader.header)
        readCount += 1
      } catch {
        refusedCount += 1
        #expect(error.message.contains("x.jsonl") && [.corrupt, .unsupported].contains(error.code), "\(error)")
      }
    }
    // Some changes are of no consequence, such as a letter of a text; most are.
    #expect(readCount >= 4 && refusedCount >= 200, "\(readCount) read, \(refusedCount) refused")
  }

  @Test func `what is no file of digests, and numbers that none has, are refused with the line`() throws {
    let whole = try lines(try replays.digests("avcam-filter"))
    expectError(.corrupt, ["x.jsonl", "empty"]) { () throws(RetakeError) in
      _ = try DigestFileReader(name: "x.jsonl", bytes: [])
    }
    for first in ["hello", "{}", "[1]", "{\"format\":3}", "\u{0}", String(repeating: "[", count: 100_000)] {
      expectError(.corrupt, ["x.jsonl", "not a file of digests"]) { () throws(RetakeError) in _ = try read([first]) }
    }
    expectError(.unsupported, ["retake-digests-2", "retake-digests-1"]) { () throws(RetakeError) in
      _ = try read([whole[0].replacingOccurrences(of: "retake-digests-1", with: "retake-digests-2")])
    }
    for (old, new) in [
      ("\"first_frame\":0", "\"first_frame\":-1"), ("\"first_frame\":0", "\"first_frame\":99999999999999999"),
      ("\"frame_count\":14", "\"frame_count\":-3"), ("\"frame_count\":14", "\"frame_count\":1e300"),
      ("\"depth_rate\":\"1/1\"", "\"depth_rate\":\"3/2\""), ("\"network\":\"none\"", "\"network\":\"../../x\""),
      ("\"depth_phase\":0", "\"depth_phase\":\"0\""), ("\"first_frame\":0", "\"first_frame\":3,\"first_number\":4"),
      ("\"first_frame\":0", "\"first_frame\":0,\"order\":{\"span\":3,\"every\":0,\"reversed\":false,\"passes\":1}"),
    ] {
      let line = whole[0].replacingOccurrences(of: old, with: new)
      #expect(line != whole[0])
      expectError(.corrupt, ["x.jsonl, line 1"]) { () throws(RetakeError) in _ = try read([line]) }
    }
    for bad in [
      "{}", "{\"frame\":0}", whole[3].replacingOccurrences(of: "\"frame\":2", with: "\"frame\":-2"),
      whole[3].replacingOccurrences(of: "\"none\"", with: "\"nine\""), whole[3].uppercased(),
    ] {
      expectError(.corrupt, ["x.jsonl, line 3"]) { () throws(RetakeError) in _ = try read([whole[0], whole[1], bad]) }
    }
    expectError(.corrupt, ["x.jsonl, line 3", "65536"]) { () throws(RetakeError) in
      _ = try read([whole[0], whole[1], String(repeating: "x", count: 70_000)])
    }
    expectError(.corrupt, ["x.jsonl, line 1", "1048576"]) { () throws(RetakeError) in
      _ = try read([String(repeating: "x", count: 2_000_000)])
    }
  }

  @Test func `a last line that is not of the lines before it, and what follows it, are refused`() throws {
    let whole = try lines(try replays.digests("avcam-filter"))
    var other = whole
    other.swapAt(3, 4)
    expectError(.corrupt, ["line 16", "one of them was changed"]) { () throws(RetakeError) in _ = try read(other) }
    other = whole
    other.remove(at: 5)
    expectError(.corrupt, ["line 15", "14 frames", "13 lines"]) { () throws(RetakeError) in _ = try read(other) }
    expectError(.corrupt, ["line 17", "follows"]) { () throws(RetakeError) in _ = try read(whole + [whole[3]]) }
  }

  @Test func `a file that a header names is not believed in`() throws {
    var header = try DigestFileReader(path: replays.digests("avcam-filter")).header
    header.parameters = header.parameters.map { entry in
      (entry.name, ["composite.background", "mask.model"].contains(entry.name) ? "/etc/passwd" : entry.value)
    }
    #expect(header.parameters.filter { $0.value == "/etc/passwd" }.count == 2)
    let parameters = try ReplayRequest(header).parameters
    #expect(
      parameters[PipelineParameters.composite.background].isEmpty && parameters[PipelineParameters.mask.model].isEmpty)
    for name in ["composite.background", "mask.model"] {
      header.changes = [.init(frame: 3, name: name, value: "/etc/passwd")]
      expectError(.corrupt, ["refers to a local file", name]) { () throws(RetakeError) in
        _ = try ReplayRequest(header)
      }
    }
  }

  @Test func `a header of parameters that this version lacks says so`() throws {
    let first = try lines(try replays.digests("avcam-filter"))[0]
    for (old, new) in [
      ("\"matte.blur\":\"5\"", "\"matte.blurb\":\"5\""), ("\"matte.blur\":\"5\"", "\"matte.blur\":\"999\""),
    ] {
      let header = try read([first.replacingOccurrences(of: old, with: new)]).reader.header
      expectError(.unsupported, ["matte.blur", "version \(RetakeVersion.current)"]) { () throws(RetakeError) in
        _ = try ReplayRequest(header)
      }
    }
    // One that is newer than the header is at its default.
    let header = try read([first.replacingOccurrences(of: "\"matte.blur\":\"5\",", with: "")]).reader.header
    #expect(try ReplayRequest(header).parameters[PipelineParameters.matte.blur] == 5)
  }
}
