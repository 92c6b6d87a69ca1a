import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Cameras that are unplugged or stall while they are recorded.
/// One after the other, since cameras in real time need the machine to be quick.
@Suite(.serialized, .long) struct CameraLossTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Small, and without the stream that no real camera has.
  private static let camera = "simulated?size=64x48&alpha=0"

  private func record(_ name: String, _ cameras: [String], _ options: [String] = []) throws -> ChildProcess {
    try CommandLineTool.run(
      ["record", "-o", folder.path(name), "--keep-free", "0"]
        + cameras.flatMap { ["--device", Self.camera + $0] } + options, expecting: 3)
  }

  private func info(_ name: String) throws -> [String: Any] {
    try CommandLineTool.run(["verify", folder.path(name)])
    return try CommandLineTool.json(CommandLineTool.run(["info", folder.path(name), "--json"]).text)
  }

  private func frames(_ info: [String: Any]) throws -> [String: Int] {
    try #require(info["streams"] as? [[String: Any]]).reduce(into: [:]) { counts, stream in
      counts[try #require(stream["name"] as? String)] = stream["frames"] as? Int
    }
  }

  private func lost(_ info: [String: Any], _ reason: String) throws -> [String: Int] {
    try #require(info["events"] as? [[String: Any]]).reduce(into: [:]) { counts, event in
      guard event["reason"] as? String == reason else { return }
      counts[try #require(event["stream"] as? String), default: 0] += try #require(event["count"] as? Int)
    }
  }

  /// One frame's time, or as many as pass until a busy machine looks.
  private func expectShortGap(_ gaps: [String: Int], _ streams: Set<String>) {
    #expect(Set(gaps.keys) == streams && gaps.values.allSatisfy { (1...10).contains($0) }, "\(gaps)")
  }

  @Test func `an unplugged camera is taken back, the other goes on, and every frame is accounted for`() throws {
    let result = try record(
      "a.retake", ["&unplug=10:20&frames=120&backlog=1000", "&frames=60&backlog=1000"],
      ["--timeout", "60s", "--queue", "10000"])
    #expect(result.errors.contains("simulated was lost: "), "\(result.errors)")
    #expect(result.errors.contains("The recording continues without this device and uses it again when it returns."))
    #expect(result.errors.contains("simulated is back after "))
    let info = try info("a.retake")
    let (frames, gaps, dropped) = (try frames(info), try lost(info, "disconnected"), try lost(info, "dropped"))
    for stream in ["color", "depth"] {
      // It is looked for half a second after it was missed, and counts from its last frame, which may have come late.
      #expect(try #require(gaps[stream]) >= 13)
      // How long it was away is measured by frames that a busy machine may have held up.
      let sum = try #require(frames[stream]) + (gaps[stream] ?? 0) + (dropped[stream] ?? 0)
      #expect((110...130).contains(sum), "\(stream): \(frames) \(gaps) \(dropped)")
      let other = stream + "-1"
      #expect(try #require(frames[other]) == 60 && dropped[other] == nil && gaps[other] == nil)
    }
    try CommandLineTool.run(["replay", folder.path("a.retake"), "--output", "none"])
  }

  @Test func `with --on-disconnect stop the recording ends with what there is, and says why`() throws {
    let result = try record("a.retake", ["&unplug=10:20", ""], ["--on-disconnect", "stop"])
    #expect(result.errors.contains("error: The simulated camera was unplugged."), "\(result.errors)")
    #expect(result.output.isEmpty == false)
    let info = try info("a.retake")
    #expect(info["is_closed"] as? Bool == true)
    #expect(try #require(frames(info)["color"]) <= 10)
    expectShortGap(try lost(info, "disconnected"), ["color", "depth"])
  }

  @Test func `a camera that falls silent is named after its timeout and opened again`() throws {
    let result = try record("a.retake", ["&stall=10:30&frames=80"], ["--timeout", "400ms"])
    #expect(result.errors.contains("simulated has delivered no "), "\(result.errors)")
    #expect(result.errors.contains("; it is being reopened"), "\(result.errors)")
    #expect(result.errors.contains("simulated is back after "))
    let gaps = try lost(info("a.retake"), "stalled")
    #expect(try #require(gaps["color"]) >= 28 && gaps["color"] == gaps["depth"])
  }

  @Test func `a recording whose camera never comes back ends at its duration, with the gap`() throws {
    _ = try record("a.retake", ["&unplug=10:100000"], ["--duration", "1500ms"])
    let info = try info("a.retake")
    #expect(try #require(frames(info)["color"]) <= 10)
    #expect((20...85).contains(try #require(lost(info, "disconnected")["color"])))
  }

  @Test func `a gap is in what a killed recorder left`() throws {
    let path = folder.path("a.retake")
    let recorder = try RecorderProcess(path, ["--device", Self.camera + "&unplug=10:100000"])
    try recorder.wait(for: "The loss") { recorder.errors.contains("was lost") }
    let size = try recorder.chunkFiles().values.reduce(0, +)
    try recorder.wait(for: "More of the other camera") {
      try recorder.chunkFiles().values.reduce(0, +) > size + 300_000
    }
    recorder.signal(9)
    #expect(try recorder.end() == -9)
    _ = try ChildProcess.run(Checkout.retake, ["recover", path])
    expectShortGap(try lost(info("a.retake"), "disconnected"), ["color-1", "depth-1"])
  }

  @Test func `faults of a simulated camera need real time, and a frame and a length`() throws {
    for (text, word) in [
      ("unplug=1:2&pace=fast", "pace=realtime"), ("backlog=9&pace=fast", "pace=realtime"), ("stall=3", "90:60"),
      ("unplug=1:0", "90:60"),
    ] {
      let result = try CommandLineTool.run(
        ["record", "-o", folder.path("b.retake"), "--device", "simulated?\(text)"], expecting: 64)
      #expect(result.errors.contains(word), "\(result.errors)")
    }
    for wrong in [["--on-disconnect", "cry"], ["--timeout", "1ms"], ["--timeout", "x"]] {
      let result = try CommandLineTool.run(["record", "--device", "simulated"] + wrong, expecting: 64)
      #expect(result.errors.contains(wrong[0]), "\(result.errors)")
    }
  }

  @Test func `a replay and a sweep say what the recording lacks`() throws {
    let path = folder.path("d.retake")
    let camera = "simulated?pace=fast&frames=60&size=32x24&drop=0.1&seed=3"
    try CommandLineTool.run(["record", "--device", camera, "-o", path, "--keep-free", "0"], expecting: 3)
    for words in [["replay", path, "--output", "none"], ["sweep", path, "--dry-run"]] {
      let said = try CommandLineTool.run(words).errors
      #expect(said.contains(#/ lacks [1-9][0-9]* lost frames?; 'retake info /#), "\(said)")
    }
  }
}
