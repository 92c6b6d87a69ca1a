import CommandTestSupport
import Foundation
import Glibc
import Support
import TestSupport
import Testing

/// What befalls a recorder from outside costs no more than it must, and is said.
@Suite(.long) struct InterruptionTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func info(_ path: String) throws -> [String: Any] {
    try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
  }

  @Test(arguments: Sample.of(1...5 as ClosedRange<UInt64>, count: 2, test: "after SIGKILL at any instant"))
  func `after SIGKILL at any instant, opening repairs it, and it is whole`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let delayMilliseconds = 100 + generator.next(below: 1400)
    let recorder = try RecorderProcess(folder.path("a.retake"))
    try recorder.waitForFrames()
    usleep(UInt32(delayMilliseconds * 1000))
    recorder.signal(SIGKILL)
    #expect(try recorder.end() == -SIGKILL)
    let seen = "seed \(seed), \(delayMilliseconds) ms"
    try CommandLineTool.run(["verify", recorder.path], expecting: 1)
    let opened = try CommandLineTool.run(["info", recorder.path, "--json"])
    #expect(opened.errors.contains("it was repaired"), "\(seen): \(opened.errors)")
    let report = try CommandLineTool.json(opened.text)
    #expect(report["is_closed"] as? Bool == true, "\(seen)")
    let count = try #require(report["frame_sets"] as? Int)
    #expect(count > 0, "\(seen)")
    try CommandLineTool.run(["verify", recorder.path])
    let played = try CommandLineTool.run(["replay", recorder.path, "--json"])
    #expect(try CommandLineTool.json(played.text)["video_frames"] as? Int == count, "\(seen)")
    // The second opening finds nothing to repair.
    #expect(played.errors.isEmpty, "\(seen): \(played.errors)")
  }

  @Test func `a folder that is moved away ends its recording with one sentence, and is whole where it went`() throws {
    let recorder = try RecorderProcess(folder.path("a.retake"))
    try recorder.wait(for: "A finished file") { try recorder.chunkFiles()["000000.mcap"] != nil }
    let moved = folder.path("elsewhere.retake")
    try FileManager.default.moveItem(atPath: recorder.path, toPath: moved)
    #expect(try recorder.end() == 3)
    try expectOneSentence(recorder)
    #expect(!FileManager.default.fileExists(atPath: recorder.path))
    #expect(try #require(info(moved)["frame_sets"] as? Int) >= 58)
    #expect(try info(moved)["is_closed"] as? Bool == true)
    try CommandLineTool.run(["verify", moved])
  }

  @Test func `what takes the place of a folder that was moved is neither touched nor named as the recording`() throws {
    let recorder = try RecorderProcess(folder.path("a.retake"))
    try recorder.waitForFrames()
    try FileManager.default.moveItem(atPath: recorder.path, toPath: folder.path("elsewhere.retake"))
    try FileManager.default.createDirectory(atPath: recorder.path + "/chunks", withIntermediateDirectories: true)
    recorder.signal(SIGINT)
    #expect(try recorder.end() == 3)
    try expectOneSentence(recorder)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: recorder.path) == ["chunks"])
  }

  @Test(arguments: ["index.sqlite", "chunks/000000.mcap", "chunks/000001.mcap.partial"])
  func `a file that is taken away is told, and its frames are counted as lost`(name: String) throws {
    let recorder = try RecorderProcess(folder.path("a.retake"))
    try recorder.wait(for: "A second file") { (try recorder.chunkFiles()["000001.mcap.partial"] ?? 0) > 60_000 }
    try FileManager.default.removeItem(atPath: "\(recorder.path)/\(name)")
    if name.hasPrefix("chunks") {
      // With a third, the gap is seen in the files alone.
      try recorder.wait(for: "A third file") { try recorder.chunkFiles()["000002.mcap.partial"] != nil }
    }
    recorder.signal(SIGINT)
    #expect(try recorder.end() == 3)
    let file = name.split(separator: "/").last!.replacing(".partial", with: "")
    let sentence = "error: \(file) of \(recorder.path) was removed while it was being recorded."
    #expect(recorder.errors.components(separatedBy: "error: ").count == 2)
    #expect(recorder.errors.contains(sentence), "\(recorder.errors)")
    let opened = try CommandLineTool.run(["info", recorder.path, "--json"])
    let isWhole = name == "index.sqlite"
    #expect(opened.errors.contains("nothing that had reached the disk was lost") == isWhole, "\(opened.errors)")
    #expect(opened.errors.contains("Missing from \(recorder.path)/chunks: \(file).") == !isWhole, "\(opened.errors)")
    let report = try CommandLineTool.json(opened.text)
    let losses = try #require(report["events"] as? [[String: Any]]).filter { $0["stage"] as? String == "disk" }
    let frames = try #require(report["frame_sets"] as? Int)
    let lost = losses.compactMap { $0["count"] as? Int }
    // The recorder counts the same as the repair does.
    #expect(recorder.errors.contains("Recorded color \(frames), depth \(frames), alpha \(frames) frames"))
    #expect(lost.isEmpty == isWhole)
    #expect(isWhole || recorder.errors.contains("(\(lost.reduce(0, +)) frames)"), "\(lost): \(recorder.errors)")
    try CommandLineTool.run(["verify", recorder.path])
  }

  @Test func `a folder that is removed ends its recording with one sentence`() throws {
    let recorder = try RecorderProcess(folder.path("a.retake"))
    try recorder.waitForFrames()
    try FileManager.default.removeItem(atPath: recorder.path)
    #expect(try recorder.end() == 3)
    try expectOneSentence(recorder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a finished part may be taken away while the session goes on`() throws {
    let recorder = try RecorderProcess(folder.path("a.retake"), ["--split", "1s", "--json"])
    let parts = (0...2).map { folder.path("a-00\($0).retake") }
    let moved = folder.path("moved.retake")
    // The first part is closed when the last of its database's side files is gone.
    try recorder.wait(for: "A second part") {
      FileManager.default.fileExists(atPath: parts[1])
        && !FileManager.default.fileExists(atPath: parts[0] + "/index.sqlite-wal")
    }
    try FileManager.default.moveItem(atPath: parts[0], toPath: moved)
    try recorder.wait(for: "A third part") { FileManager.default.fileExists(atPath: parts[2]) }
    recorder.signal(SIGINT)
    #expect(try recorder.end() == 0, "\(recorder.errors)")
    #expect(recorder.errors.contains("\(parts[0]) was moved or removed during the recording."), "\(recorder.errors)")
    let list = try #require(
      try JSONSerialization.jsonObject(with: Data(recorder.output.utf8)) as? [[String: Any]])
    #expect(list.first?["path"] as? String == parts[1])
    for path in [moved, parts[1]] { try CommandLineTool.run(["verify", path]) }
  }

  /// One that names the folder, and no path that leads nowhere as a result.
  private func expectOneSentence(_ recorder: RecorderProcess) throws {
    let errors = recorder.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    #expect(errors == ["error: \(recorder.path) was moved or removed while it was being recorded."])
    #expect(recorder.output.isEmpty)
  }

  @Test func `nobody disturbs a recorder at work on its folder`() throws {
    let recorder = try RecorderProcess(folder.path("a.retake"))
    try recorder.waitForFrames()
    for words in [
      ["record", "--device", "simulated?pace=fast&frames=30", "-o", recorder.path],
      ["recover", recorder.path],
      ["mark", recorder.path, "--at", "0s"], ["trim", recorder.path, "--to", "0", "-o", recorder.path],
    ] {
      let isBusy = ["recover", "mark"].contains(words[0])
      let result = try CommandLineTool.run(words, expecting: isBusy ? 73 : 1)
      #expect(result.text.isEmpty && result.errors.contains("hint: "), "\(words): \(result.errors)")
    }
    // Reading is everybody's.
    #expect(try info(recorder.path)["is_closed"] as? Bool == false)
    recorder.signal(SIGINT)
    #expect(try recorder.end() == 0, "\(recorder.errors)")
    #expect(try info(recorder.path)["is_closed"] as? Bool == true)
    #expect(
      (try info(recorder.path)["events"] as? [[String: Any]])?.contains { $0["stage"] as? String == "disk" } == false)
    try CommandLineTool.run(["verify", recorder.path])
  }
}
