import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// 'retake studio' with a running camera, over HTTP and in Chromium.
@Suite(.long) struct StudioLiveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ script: String, _ arguments: [String]) throws -> [String: Any] {
    let path = Checkout.root + "/Tests/RetakeStudioTests/" + script
    let result = try ChildProcess.run(Checkout.python, [path] + arguments)
    try #require(result.status == 0, "\(script): \(result.errors.suffix(1500))")
    return try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  }

  /// Compares the pictures that the page called exact with those of a replay.
  private func expect(
    _ pictures: [String: [String: String]], areThoseOf recording: String, _ words: [String] = []
  ) throws {
    let replay = try CommandLineTool.run(["replay", recording, "--quiet", "--output", "digests:-"] + words)
    let lines = replay.text.split(separator: "\n")
    for (frame, picture) in pictures {
      let line = try #require(lines.first { $0.hasPrefix("{\"frame\":\(frame),") })
      for tap in ["depth", "mask", "matte", "composite"] {
        #expect(line.contains("\"\(tap)\":\"\(picture[tap] ?? "")\""), "frame \(frame), \(tap)")
      }
    }
  }

  @Test
  func `a camera is shown, changed and recorded, and its recording's pictures are the command line's`() throws {
    let place = folder.path("made")
    let answers = try run("live_studio.py", [Checkout.retake, place])
    let session = try #require(answers["session"] as? [String: Any])
    #expect(session["name"] as? String == "simulated" && session["place"] as? String == place)
    #expect(session["hides"] as? Bool == true)

    let shown = try #require(answers["shown"] as? [String: Any])
    #expect(shown["advances"] as? Bool == true && shown["differs"] as? Bool == true)
    #expect(shown["exact"] as? [Bool] == [false, false])
    #expect((shown["why"] as? String)?.hasPrefix("Running cameras") == true)
    #expect((shown["latency"] as? Double).map { $0 > 0 } == true)
    #expect(shown["held"] as? [Bool] == [true, true])
    #expect(shown["changed"] as? [String] == ["composite", "matte"])
    #expect(shown["kept"] as? [Bool] == [true, false, false, false, true], "a setting has one picture of a held set")
    #expect(shown["blurred again"] as? Bool == true && shown["its depth"] as? Bool == true)
    #expect(shown["beside"] as? [String] == ["original", "depth"])
    #expect(shown["same set for A and B"] as? Bool == true && shown["second page"] as? Bool == true)
    #expect(shown["fixed"] as? Int == 5)

    let refusals = try #require(answers["refusals"] as? [String: String])
    #expect(refusals["mark"] == "400 No recording goes on." && refusals["stop"] == refusals["mark"])
    #expect(refusals["replay only"] == "400 fault.depth-drop applies only to replays, not to cameras.")
    for what in ["controls", "device"] {
      #expect(refusals[what] == "400 This camera has no controls that can be set while it runs.")
    }
    for what in ["background", "view", "tap", "client"] {
      #expect(refusals[what]?.hasPrefix("400 ") == true, "\(what)")
    }
    #expect(refusals["no key"] == "401" && refusals["foreign"] == "403")
    #expect(refusals["get"] == "405" && refusals["recording"] == "404")

    let recorded = try #require(answers["recorded"] as? [String: Any])
    #expect(recorded["phase"] as? [String] == ["idle", "recording", "idle"])
    #expect(recorded["again"] as? String == "400 A recording goes on already.")
    #expect(recorded["mark"] as? String == "204 ")
    #expect((recorded["bad mark"] as? String)?.hasPrefix("400 ") == true)
    #expect(recorded["samePath"] as? Bool == true && recorded["live after it"] as? Bool == true)
    #expect(recorded["home"] as? String == "live")
    #expect(recorded["marks"] as? [String] == ["here"])
    let path = try #require(recorded["path"] as? String)
    let frameCount = try #require(recorded["frameCount"] as? Int)
    #expect(frameCount >= 30)
    try CommandLineTool.run(["verify", path])
    let pictures = try #require(recorded["pictures"] as? [String: [String: String]])
    #expect(pictures.count == 3)
    try expect(pictures, areThoseOf: path)

    #expect(
      answers["command"] as? String
        == "retake live --device 'simulated?size=160x120&fps=15' --preset desk")
    let last = try #require(answers["last"] as? String)
    try CommandLineTool.run(["verify", last])
    #expect(try isClosed(last), "Ctrl-C finished it")
    // The page recorded nothing that was lost, unless the machine was too slow.
    let isWhole = try isWithoutLoss(path) && isWithoutLoss(last)
    #expect(answers["end"] as? Int == (isWhole ? 0 : 3))

    let preroll = try #require(answers["preroll"] as? [String: Any])
    let made = try #require(preroll["path"] as? String)
    // A second of 15 frames before the begin.
    #expect(try #require(preroll["frames"] as? Int) >= 14)
    let info = try CommandLineTool.json(try CommandLineTool.run(["info", made, "--json"]).text)
    #expect((info["marks"] as? [[String: Any]])?.compactMap { $0["label"] as? String } == ["begin"])
    #expect((info["events"] as? [[String: Any]])?.contains { $0["stage"] as? String == "preroll" } == false)
    #expect(answers["while armed"] as? Int == 2, "two recordings that ended, and none of an armed recorder")
    let name = try #require(answers["name"] as? [String])
    #expect(name == name.sorted() && made.hasSuffix(name[1]), "named by when Record was pressed: \(name)")
    #expect(answers["armed again"] as? String == "armed")

    let lost = try #require(answers["lost"] as? [String: Any])
    #expect(lost["stays"] as? String == "recording" && lost["again"] as? Bool == true)
    #expect(lost["nothing new"] as? Bool == false)
    let messages = try #require(lost["messages"] as? [String])
    #expect(
      messages.contains { $0.contains("was lost") } && messages.contains { $0.contains("is back after") }, "\(messages)"
    )
    #expect((lost["recorder"] as? [String: Int])?["device"].map { $0 > 0 } == true)
    #expect(lost["end"] as? Int == 3, "as of 'record'")
    // An armed recorder without frames leaves nothing.
    #expect((answers["left"] as? [String])?.count == 4)
  }

  @Test
  func `the page shows a camera, records it with keys, and goes on with the recording`() throws {
    let answers = try run("browse_live.py", [Checkout.chromium, Checkout.retake, folder.path("")])
    let watch = try #require(answers["watch"] as? [String: Any])
    let frames = try #require(watch["frames"] as? [Int])
    #expect(frames == frames.sorted() && Set(frames).count == frames.count, "each frame once, in order")
    #expect(watch["badge"] as? String == "live live")
    #expect(watch["isSound"] as? Bool == true)
    #expect(watch["most"] as? Int == 1, "one request at a time")
    #expect((watch["latency"] as? String)?.hasSuffix(" ms") == true)
    let hold = try #require(answers["hold"] as? [String: Any])
    #expect(hold["badge"] as? String == "live held")
    #expect(hold["sameFrame"] as? Bool == true && hold["same"] as? Bool == true)

    let record = try #require(answers["record"] as? [String: Any])
    #expect(record["second"] as? String == "Stop", "a second tab sees the recording")
    #expect((record["facts"] as? String)?.contains("lost") == true)
    #expect(record["path"] as? String == "/r/0/")
    #expect(record["marks"] as? [String] == ["here"])
    #expect(record["badge"] as? String == "exact exact")
    let setting = try #require(record["setting"] as? [String: Any])
    #expect((setting["values"] as? [String: String]) == ["matte.gamma": "4"], "the setting goes with it")
    let recording = try #require(record["recording"] as? String)
    let digests = try #require(record["digests"] as? [String: String])
    let frame = try #require(record["frame"] as? Int)
    try expect(["\(frame)": digests], areThoseOf: recording, ["--set", "matte.gamma=4"])
    #expect(record["link"] as? String == "Live")
    #expect((record["back"] as? [String: Any])?["values"] as? [String: String] == ["matte.gamma": "4"])
    #expect((record["made"] as? [String])?.count == 1)

    let shapes = try #require(answers["shapes"] as? [String: Any])
    let wide = try #require(shapes["wide"] as? [String: Int])
    for (what, width) in wide { #expect(what.hasSuffix(" \(width)"), "\(what) is \(width) wide") }
    for (what, faint) in try #require(shapes["faint"] as? [String: [String]]) {
      #expect(faint.isEmpty, "\(what): \(faint)")
    }
    #expect(shapes["unnamed"] as? [String] == [])
    #expect(answers["console"] as? [String] == [])
    #expect([0, 3].contains(answers["end"] as? Int))
  }

  @Test(arguments: [
    (["--device", "simulated?pace=fast"], 64, "has no clock of its own"),
    (["a.retake", "--device", "simulated"], 64, "Give a recording or --device, not both."),
    ([], 64, "Give a recording's folder, or a camera with --device"),
    (["a.retake", "--record-to", "x"], 64, "--record-to is for cameras: it needs --device."),
    (["a.retake", "--preroll", "5s"], 64, "--preroll is for cameras: it needs --device."),
    (["--device", "simulated", "--preroll", "11m"], 64, "--preroll takes up to 10m"),
    (["--device", "simulated", "--set", "fault.depth-drop=0.5"], 64, "applies only to replays"),
    (["--device", "v4l2:/dev/missing"], 1, "/dev/missing"),
  ])
  func `wrong words about cameras get a sentence and no page`(words: [String], status: Int32, sentence: String) throws {
    let result = try ChildProcess.run(Checkout.retake, ["studio"] + words)
    #expect(result.status == status)
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  private func isClosed(_ path: String) throws -> Bool {
    let info = try CommandLineTool.json(try CommandLineTool.run(["info", path, "--json"]).text)
    return info["closed"] as? Bool ?? info["is_closed"] as? Bool ?? false
  }

  private func isWithoutLoss(_ path: String) throws -> Bool {
    let info = try CommandLineTool.json(try CommandLineTool.run(["info", path, "--json"]).text)
    return (info["losses"] as? [[String: Any]])?.allSatisfy { $0["count"] as? Int == 0 } ?? true
  }
}
