import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// The program's page, asked as a browser asks, and as strangers do.
@Suite(.long) struct StudioCommandTests {
  private struct Answers: Decodable {
    enum Status: Decodable, Hashable {
      case number(Int)
      case line(String)

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int.self) {
          self = .number(number)
        } else {
          self = .line(try value.decode(String.self))
        }
      }
    }
    struct Scores: Decodable {
      struct Score: Decodable {
        var name: String
        var mean: Double
        var frames: [[Double]]
      }
      var done: Int
      var total: Int
      var scores: [Score]
    }
    struct Truth: Decodable {
      var before: Int
      var saved: Int
      var short: Int
      var long: Int
      var same: Bool
      var removed: Int
      var frames: [Int]
    }
    /// A picture that nobody waits for yet.
    struct Ahead: Decodable {
      var status: Int
      var isExact: Bool?
      var digests: [String: String]?

      init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        status = try values.decode(Int.self)
        isExact = try values.decodeIfPresent(Bool.self)
        digests = try values.decodeIfPresent([String: String].self)
      }
    }
    var strangers: [String: Status]
    var ahead: [String: Ahead]
    var settings: [String: String]
    var pictures: [String: [String: String]]
    var thinned: [String: Thinned]
    var yaml: String
    var command: String
    var scores: Scores
    var truth: Truth
    var policy: String
    var end: Int
  }

  private struct Thinned: Decodable {
    var step: Int
    var isSame: Bool
  }

  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=12&size=160x120")
  }

  private func ask() throws -> Answers {
    let script = Checkout.root + "/Tests/RetakeStudioTests/ask_studio.py"
    let result = try ChildProcess.run(Checkout.python, [script, Checkout.retake, recording])
    #expect(result.status == 0, "\(result.errors)")
    return try JSONDecoder().decode(Answers.self, from: result.output)
  }

  @Test
  func `the page's answers are the command line's, and strangers get none`() throws {
    let before = try files()
    let answers = try ask()

    for (what, status) in answers.strangers {
      let expected: Answers.Status =
        switch what {
        case "page", "page from a link elsewhere", "own": .number(200)
        case "localhost": .number(302)
        case "no key", "wrong key": .number(401)
        case "wrong method": .number(405)
        case "large length": .number(413)
        case "large chunks": .line("HTTP/1.1 413 Payload Too Large")
        case "garbage": .line("HTTP/1.1 400 Bad Request")
        case "large state", "no object", "no JSON", "deep JSON": .number(400)
        case "endless head": status
        case let what where what.hasPrefix("path ") || what == "unknown path": .number(404)
        default: .number(403)
        }
      #expect(status == expected, "\(what)")
    }
    // Refused, or closed without a word.
    #expect(
      [.line(""), .line("HTTP/1.1 400 Bad Request"), .line("HTTP/1.1 431 Request Header Fields Too Large")].contains(
        answers.strangers["endless head"]))
    #expect(answers.policy.hasPrefix("default-src 'none'; script-src 'self' 'nonce-"))

    #expect(
      answers.settings["background"]
        == "400 composite.background may only be a file that 'retake studio' was started with.")
    #expect(answers.settings["model"] == "400 mask.model may only be the file that 'retake studio' was started with.")
    // Of a file from elsewhere, what is not named is left out.
    let foreign = try #require(answers.settings["foreign"])
    #expect(foreign.hasPrefix("200 ") && foreign.contains("mask.model is left out"), "\(foreign)")
    #expect(!foreign.contains("/etc/") && foreign.hasSuffix(" none 3"), "\(foreign)")
    #expect(answers.settings["misspelt"] == "400 There is no parameter 'matte.blr'.")
    #expect(answers.settings["too large"]?.hasPrefix("400 matte.blur=1000 is out of range") == true)
    #expect(answers.settings["YAML file"]?.hasPrefix("400 bad.yaml:2: There is no parameter 'matte.blr'") == true)
    #expect(answers.settings["YAML"] == "400 the YAML:2: matte.blur takes a single value, not a list.")
    for what in ["frame", "span", "backward span", "view", "tap"] {
      #expect(answers.settings[what]?.hasPrefix("400 ") == true, "\(what): \(answers.settings[what] ?? "")")
    }

    let digests = folder.path("digests.jsonl")
    let replay = try ChildProcess.run(Checkout.retake, ["replay", recording, "--output", "digests:\(digests)"])
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(answers.pictures.count == 4)
    let lines = try String(contentsOfFile: digests, encoding: .utf8).split(separator: "\n")
    for (frame, picture) in answers.pictures {
      let line = try #require(lines.first { $0.hasPrefix("{\"frame\":\(frame),") })
      for tap in ["depth", "mask", "matte", "composite"] {
        #expect(line.contains("\"\(tap)\":\"\(picture[tap] ?? "")\""), "frame \(frame), \(tap)")
      }
    }

    // A step is at least 1, and at most the smaller side.
    #expect(
      answers.thinned.mapValues { $0.step } == ["original": 3, "depth": 2, "mask": 7, "matte": 1, "composite": 120])
    #expect(answers.thinned.values.allSatisfy { $0.isSame })

    try expectAhead(answers.ahead)
    try answers.yaml.write(toFile: folder.path("page.yaml"), atomically: true, encoding: .utf8)
    let printed = try ChildProcess.run(
      Checkout.retake, ["parameters", "--json", "--parameters", folder.path("page.yaml")])
    let expected = try ChildProcess.run(
      Checkout.retake, ["parameters", "--json", "--preset", "desk", "--set", "matte.blur=4"])
    #expect(printed.text == expected.text)
    #expect(
      answers.command
        == "retake replay \(recording) --preset desk --set matte.blur=4 --from 2 --to 8 --output out.mp4")

    let reproduced = try ChildProcess.run(Checkout.retake, ["reproduce", recording + "-bug.retake-bundle"])
    #expect(reproduced.status == 0, "\(reproduced.errors)")

    #expect(answers.scores.done == 7)
    #expect(answers.scores.scores.map(\.name) == ["iou", "flicker"])
    #expect(answers.scores.scores.first?.frames.map { Int($0[0]) } == Array(2...8))
    let iou = try #require(answers.scores.scores.first?.mean)
    #expect((0.5...1).contains(iou))

    #expect(answers.truth.before == 404 && answers.truth.saved == 204 && answers.truth.removed == 204)
    #expect(answers.truth.short == 400 && answers.truth.long == 413)
    #expect(answers.truth.same)
    #expect(answers.truth.frames == [4])
    let swept = try ChildProcess.run(
      Checkout.retake,
      [
        "sweep", recording, "--list", "matte.gamma=0.5,1", "--truth", folder.path("a.truth"), "--best", "iou", "-o",
        folder.path("a.sqlite"),
      ])
    #expect(swept.status == 0, "\(swept.errors)")

    #expect(answers.end == 0)
    #expect(try files() == before, "the recording was changed")
    #expect(FileManager.default.fileExists(atPath: folder.path("a.studio.json")))
  }

  @Test
  func `a folder has a list of its recordings, and a page for each`() throws {
    _ = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=3&size=160x120")
    try FileManager.default.createDirectory(
      atPath: folder.path("c.retake/chunks"), withIntermediateDirectories: true)
    let script = Checkout.root + "/Tests/RetakeStudioTests/ask_studio.py"
    let result = try ChildProcess.run(Checkout.python, [script, Checkout.retake, folder.path, "list"])
    #expect(result.status == 0, "\(result.errors)")
    let answers = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let list = try #require(answers["list"] as? [[String: Any]])
    #expect(list.map { $0["path"] as? String } == ["a", "b", "c"].map { folder.path("\($0).retake") })
    #expect(list.map { $0["frameCount"] as? Int } == [12, 3, nil])
    #expect(list[2]["problem"] is String)
    for path in ["page", "/r/0/", "/r/0/main.js", "/r/0/api/session"] {
      #expect(answers[path] as? Int == 200, "\(path)")
    }
    for path in ["/r/9/api/session", "/r/x/", "/r/0", "/r/-1/"] { #expect(answers[path] as? Int == 404, "\(path)") }
    #expect(answers["no key"] as? Int == 401)
    #expect(answers["recording"] as? String == recording)
    #expect(answers["end"] as? Int == 0)
  }

  /// Frames are computed ahead only where a step leads, and have a replay's bytes.
  private func expectAhead(_ ahead: [String: Answers.Ahead]) throws {
    #expect(ahead["leap"]?.status == 204 && ahead["change"]?.status == 204)
    let digests = try CommandLineTool.run([
      "replay", recording, "--set", "matte.gamma=0.7", "--output", "digests:-", "--quiet",
    ]).text.split(separator: "\n")
    for (name, frame) in [("step", 1), ("again", 2)] {
      let found = try #require(ahead[name])
      #expect(found.status == 200 && found.isExact == true)
      let line = try #require(digests.first { $0.hasPrefix("{\"frame\":\(frame),") })
      for tap in ["matte", "composite"] {
        #expect(line.contains("\"\(tap)\":\"\(found.digests?[tap] ?? "")\""), "frame \(frame), \(tap)")
      }
    }
  }

  /// The recording's files and their sizes.
  private func files() throws -> [String: Int] {
    var found: [String: Int] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: recording)
    where !name.hasSuffix("-shm") && !name.hasSuffix("-wal") {
      found[name] = try FileManager.default.attributesOfItem(atPath: recording + "/" + name)[.size] as? Int
    }
    return found
  }

  private struct Unwritable: Decodable {
    /// Status, code, message and hint.
    var state: [String]
    var sweep: [String]
    var mark: [String]
    var words: String
    var end: String
  }

  @Test
  func `where nothing can be written beside the recording, the program and the page say so`() throws {
    let script = Checkout.root + "/Tests/RetakeStudioTests/unwritable_studio.py"
    let result = try ChildProcess.run(Checkout.python, [script, Checkout.retake, recording])
    #expect(result.status == 0, "\(result.errors)")
    let answers = try JSONDecoder().decode(Unwritable.self, from: result.output)
    let words = answers.words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("cannot be written, so the page's settings, truth and sweeps are not kept."), "\(words)")
    #expect(answers.state[0] == "500")
    #expect(answers.sweep[2].hasPrefix("Results are kept beside the recording, in "), "\(answers.sweep)")
    #expect(answers.sweep[3].hasPrefix("copy the command line and give it a file elsewhere after -o"))
    #expect(answers.mark[2] == "\(recording) cannot be written, so its marks cannot be changed.", "\(answers.mark)")
    #expect(answers.end == "0")
  }

  @Test(arguments: [
    (["missing.retake"], 1, "There is no"), (["--port", "70000"], 64, "--port takes 0 to 65535."),
    (["--background", "missing.jpg"], 1, "missing.jpg"), (["--set", "matte.blr=1"], 64, "matte.blr"),
  ])
  func `wrong words get a sentence and no page`(words: [String], status: Int32, sentence: String) throws {
    let arguments = words[0].hasSuffix(".retake") ? words : [recording] + words
    let result = try ChildProcess.run(Checkout.retake, ["studio"] + arguments)
    #expect(result.status == status)
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(result.output.isEmpty)
  }
}
