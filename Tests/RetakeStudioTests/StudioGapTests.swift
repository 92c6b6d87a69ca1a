import CommandTestSupport
import Foundation
import RecordingStore
import RecordingTestSupport
import TestSupport
import Testing

/// Recordings of a ring or near marks, on the page.
@Suite(.long) struct StudioGapTests {
  private struct Answers: Decodable {
    struct Gap: Decodable {
      var frame: Int
      var seconds: Double
      var frames: Int
      var isWanted: Bool
    }
    struct Row: Decodable, Equatable {
      var losses: Int
      var remark: String
    }
    /// Of whole recordings.
    var pictures: Int
    /// By name.
    var rows: [String: Row]
    /// At the name of a damaged recording on its page.
    var damaged: [String]?
    var gaps: [Gap]
    var chips: [String]
    var told: [String]
    /// Of gaps that were made up.
    var flags: [String]
    var console: [String]
    var end: Int
  }

  private let folder: TemporaryFolder
  private let shots: TemporaryFolder

  init() throws { (folder, shots) = (try TemporaryFolder(), try TemporaryFolder()) }

  private func browse() throws -> Answers {
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_folder.py"
    let result = try ChildProcess.run(
      Checkout.python, [script, Checkout.chromium, Checkout.retake, folder.path, shots.path])
    #expect(result.status == 0, "\(result.errors.suffix(1500))")
    return try JSONDecoder().decode(Answers.self, from: result.output)
  }

  /// The same rows as 'retake list' has them.
  private func listed() throws -> [String: Answers.Row] {
    let list = try CommandLineTool.run(["list", folder.path, "--json"]).output
    let recordings = try #require(try JSONSerialization.jsonObject(with: list) as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: recordings.map { each in
        let state = try #require(each["state"] as? String)
        let remark = (each["problem"] as? String).map { "\(state): \($0)" } ?? (state == "whole" ? "" : state)
        let name = try #require((each["path"] as? String)?.split(separator: "/").last)
        return (String(name), Answers.Row(losses: try #require(each["lost_frames"] as? Int), remark: remark))
      })
  }

  @Test
  func `the timeline shows what a ring removed, and the list shows each recording's picture`() throws {
    _ = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=3&size=160x120")
    try CommandLineTool.run([
      "record", "--device", "simulated?pace=fast&size=160x120&frames=1800", "-o", folder.path("a.retake"),
      "--keep-free", "0", "--ring", "20s",
    ])
    _ = try CommandLineTool.recordSimulated(folder, "c.retake", "frames=3&size=160x120")
    let chunks = folder.path("c.retake/chunks/")
    let file = try #require(FileManager.default.contentsOfDirectory(atPath: chunks).first)
    try FileManager.default.removeItem(atPath: chunks + file)
    let info = try CommandLineTool.json(
      CommandLineTool.run(["info", folder.path("a.retake"), "--json"]).text)
    let kept = try #require(info["frame_sets"] as? Int)
    let answers = try browse()
    #expect(answers.pictures == 2)
    #expect(try answers.rows == listed())
    #expect(answers.rows["c.retake"]?.remark.hasPrefix("damaged: chunks/") == true && answers.damaged == ["damaged"])
    #expect(answers.chips == ["\(1800 - kept) not kept"], "what a ring removes is not lost")
    #expect(answers.gaps.map(\.frame) == [0])
    let gap = try #require(answers.gaps.first)
    #expect(gap.frames == 1800 - kept)
    #expect(answers.flags == ["2 frames lost", "1 frame lost", "2.5 s lost", "Before frame 1, 1 frame is lost."])
    #expect(gap.isWanted && abs(gap.seconds - Double(1800 - kept) / 30) < 0.1)
    #expect(answers.told.allSatisfy { $0.contains("Before frame 0, ") && $0.contains("not kept") })
    #expect(answers.console.isEmpty)
    #expect(answers.end == 0)
  }

  @Test
  func `the timeline shows the gaps between moments near marks`() throws {
    let recorder = try RecorderProcess(
      folder.path("a.retake"), ["--on-mark", "--preroll", "300ms", "--postroll", "200ms"], hasTerminal: true)
    for mark in ["one", "two"] {
      let count = recorder.output.count
      try recorder.wait(for: "More of the recording") { recorder.output.count > count }
      usleep(1_000_000)
      try recorder.type("\(mark)\n")
      try recorder.wait(for: "The word that a mark is set") { recorder.output.contains("mark '\(mark)' set") }
    }
    // What comes after the post-roll is not kept either.
    usleep(1_000_000)
    try recorder.type("\u{3}")
    #expect(try recorder.end() == 0, "\(recorder.output)")
    let answers = try browse()
    #expect(answers.told.count == answers.gaps.count)
    // The last gap is after the last frame.
    #expect(answers.told.last?.hasPrefix("After frame ") == true, "\(answers.told)")
    // Where the first moment begins between the frames of a set, its gap is before the second set.
    let between = zip(answers.gaps, answers.told).dropLast().filter { $0.0.frame > 1 && $0.0.isWanted }
    #expect(between.count == 1, "\(answers.gaps)")
    #expect(between.allSatisfy { $0.0.seconds > 0.1 && $0.0.seconds < 60 && $0.1.contains("no mark was near") })
  }

  private struct DamageAnswers: Decodable {
    /// At which the timeline shows damage.
    var frames: [Int]
    /// What the badge says of a frame after them.
    var after: String
    /// On the picture of one of them.
    var message: String
    var chip: String
    var console: [String]
  }

  @Test
  func `playing goes on past frames that cannot be read, and the timeline shows them`() throws {
    let made = try SimulatedRecording("size=160x120&frames=60")
    for (stream, number) in [(0, 20), (1, 31)] {
      try made.damage(try #require(try made.recording.frameRow(stream: stream, number: number)))
    }
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_damaged.py"
    let result = try ChildProcess.run(
      Checkout.python,
      [script, Checkout.chromium, Checkout.retake, made.recording.folder.path, "31", "45", shots.path])
    #expect(result.status == 0, "\(result.errors.suffix(1500))")
    let answers = try JSONDecoder().decode(DamageAnswers.self, from: result.output)
    #expect(answers.frames == [20, 31])
    #expect(answers.after.hasPrefix("Frame 20 cannot be read, and a replay of the range stops there."))
    #expect(answers.message.contains("Frame 31 of stream 'depth'") && answers.message.contains("'retake recover'"))
    #expect(answers.chip.contains("Frame 20 of stream 'color'") && answers.chip.contains("Frame 31"))
    #expect(answers.console.isEmpty)
  }
}
