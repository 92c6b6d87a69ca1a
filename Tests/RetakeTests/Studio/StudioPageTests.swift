import Foundation
import TestSupport
import Testing

/// The page in Chromium, with a real mouse and real keys: see browse_studio.py.
@Suite(.long) struct StudioPageTests {
  private struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=30&size=320x240")
  }

  private func browse() throws -> [String: Any] {
    let programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    guard let program = programs.first(where: FileManager.default.isExecutableFile) else {
      throw Missing(description: "There is no Chromium: run 'Tools/setup --tests', which installs it.")
    }
    let pictures = folder.path("room")
    let made = try ChildProcess.run(
      Checkout.retake, ["replay", recording, "--to", "0", "--tap", "original", "--output", "png:\(pictures)"])
    #expect(made.status == 0, "\(made.errors)")
    let script = Checkout.root + "/Tests/RetakeTests/Studio/browse_studio.py"
    let result = try ChildProcess.run(
      Checkout.python, [script, program, Checkout.retake, recording, pictures + "/000000.png", folder.path])
    guard result.status == 0, let answers = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    else { throw Missing(description: "browse_studio.py failed: \(result.errors.suffix(1500))") }
    return answers
  }

  /// Digests of a replay, by frame and stage.
  private func digests(_ words: [String]) throws -> [Int: [String: String]] {
    let path = folder.path(UUID().uuidString)
    let result = try ChildProcess.run(Checkout.retake, ["replay", recording, "--output", "digests:\(path)"] + words)
    #expect(result.status == 0, "\(result.errors)")
    var found: [Int: [String: String]] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let frame = object["frame"] as? Int
      else { continue }
      found[frame] = object.compactMapValues { $0 as? String }
    }
    return found
  }

  /// Compares what the page paints with a replay.
  private func check(_ picture: Any?, _ words: [String], frames: [Int: [String: String]]? = nil) throws {
    let picture = try #require(picture as? [String: Any])
    let frame = try #require(picture["frame"] as? Int)
    let expected = try #require(try (frames ?? digests(words))[frame])
    let shown = try #require(picture["digests"] as? [String: String])
    let painted = try #require(picture["painted"] as? [String: String])
    for tap in ["depth", "mask", "matte", "composite"] {
      #expect(shown[tap] == expected[tap], "frame \(frame), \(tap)")
      if tap != "depth" { #expect(painted[tap] == expected[tap], "frame \(frame), \(tap) as painted") }
    }
    #expect((picture["isSound"] as? [Bool])?.allSatisfy { $0 } == true)
  }

  @Test
  func `a person sees, changes, compares, saves, plays and comes back, and every picture is exact`() throws {
    let room = folder.path("room") + "/000000.png"
    let answers = try browse()
    func part(_ name: String) throws -> [String: Any] { try #require(answers[name] as? [String: Any], "\(name)") }
    func numbers(_ any: Any?) throws -> [Double] { try #require(any as? [Double]) }

    let words = ["--set", "composite.background=\(room)"]
    let frames = try digests(words)
    let pictures = try #require(answers["pictures"] as? [Any])
    #expect(pictures.count == 3)
    for picture in pictures { try check(picture, words, frames: frames) }

    let change = try part("change")
    let dragged = try #require(change["dragged"] as? String)
    let changed = try digests(words + ["--set", "mask.offset=\(dragged)"])
    try check(change["picture"], words, frames: changed)
    #expect(changed[5]?["mask"] != frames[5]?["mask"], "the slider changed nothing")
    #expect(change["undone"] is NSNull && change["reset"] is NSNull)
    #expect(change["redone"] as? String == dragged)
    #expect(change["by key"] as? String == change["kept"] as? String)
    #expect((change["problem"] as? String)?.contains("-1 to 5 m") == true, "\(change["problem"] ?? "")")

    let cut = try part("cut")
    let (moved, expected) = (try #require(cut["moved"] as? Double), try #require(cut["expected"] as? Double))
    #expect(abs(moved - expected) < 0.02)
    #expect(try #require(cut["byKey"] as? Double) < 0)

    let compare = try part("compare")
    #expect(compare["wipe"] as? Double == 0.25)
    // A colour scaled for the screen is near the picture's.
    let far = try #require(compare["far"] as? [String: Double])
    #expect(try #require(far["left"]) < 12 && #require(far["right"]) < 12)
    #expect(compare["same"] as? Int == 0)
    #expect(try #require((compare["difference"] as? [String: Any])?["largest"] as? Int) > 0)
    #expect(compare["flipped"] as? String == "b" && compare["flipped back"] as? String == "a")
    #expect((compare["swapped"] as? [Any])?.first as? String == "filter")

    let files = try part("files")
    let yaml = folder.path("page.yaml")
    try #require(files["yaml"] as? String).write(toFile: yaml, atomically: true, encoding: .utf8)
    let loaded = try ChildProcess.run(Checkout.retake, ["parameters", "--json", "--parameters", yaml])
    let typed = try ChildProcess.run(Checkout.retake, ["parameters", "--json", "--set", "matte.gamma=0.8"] + words)
    #expect(loaded.text == typed.text)
    #expect((files["problem"] as? String)?.contains("Did you mean matte.blur?") == true)
    #expect((files["loaded"] as? [String: Any])?["preset"] as? String == "handheld")

    // Every frame of the loop, in order, each with the digest that the program says.
    let play = try #require(answers["play"] as? [[Any]])
    let shown = play.compactMap { $0[0] as? Int }
    #expect(shown.count == 40)
    for (frame, next) in zip(shown, shown.dropFirst()) { #expect(next == (frame == 19 ? 4 : frame + 1)) }
    #expect(play.allSatisfy { $0[1] as? Bool == true })

    let shapes = try part("shapes")
    for (what, width) in try #require(shapes["wide"] as? [String: Int]) {
      #expect(what.hasSuffix(" \(width)"), "\(what) is \(width) wide")
    }
    for (what, texts) in try #require(shapes["faint"] as? [String: [String]]) { #expect(texts == [], "\(what)") }
    #expect(shapes["unnamed"] as? [String] == [])
    #expect(try #require(shapes["named"] as? Int) > 50)
    let reached = Set(try #require(shapes["reached"] as? [String]))
    #expect(reached.isSuperset(of: ["timeline", "play", "view-a", "view-b", "search", "mask.kind", "mask.offset"]))

    let stay = try part("stay")
    for place in ["reloaded", "second tab"] {
      #expect((stay[place] as? NSArray) == (stay["before"] as? NSArray), "\(place)")
    }

    #expect(answers["console"] as? [String] == [])
    #expect(answers["end"] as? Int == 0)
    #expect((answers["gone"] as? String)?.contains("retake studio") == true)
  }
}
