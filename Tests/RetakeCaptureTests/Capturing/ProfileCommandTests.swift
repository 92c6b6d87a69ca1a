import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Profiles of devices, by the commands that take and list them.
@Suite(.long) struct ProfileCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func values(_ arguments: [String]) throws -> [String: String] {
    let json = try CommandLineTool.json(CommandLineTool.run(["parameters", "--json"] + arguments).text)
    let parameters = try #require(json["parameters"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: parameters.compactMap { entry in
        (entry["name"] as? String).flatMap { name in (entry["value"] as? String).map { (name, $0) } }
      })
  }

  private func write(_ text: String, _ name: String = "p.yaml") throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }

  @Test func `a profile counts more than the preset, and files and words more than it`() throws {
    let plain = try values(["--preset", "video-depth-maps"])
    let phone = try values(["--preset", "video-depth-maps", "--profile", "iphone-7-plus"])
    let differing = phone.filter { plain[$0.key] != $0.value }
    #expect(
      differing == [
        "depth.rate": "4/5", "depth.width": "320", "depth.temporal": "smooth", "depth.holes": "farthest",
      ])
    let file = try write("depth.rate: 1/2\n")
    let both = try values(["--profile", "iphone-7-plus", "--parameters", file, "--set", "depth.holes=keep"])
    #expect(both["depth.rate"] == "1/2" && both["depth.holes"] == "keep" && both["depth.width"] == "320")
  }

  @Test func `a file may name a profile, and what it says itself counts more`() throws {
    let path = try write("depth.width: 64\nprofile: iphone-7-plus\n")
    let named = try values(["--parameters", path])
    #expect(named["depth.width"] == "64" && named["depth.rate"] == "4/5")
    let other = try values(["--parameters", path, "--profile", "thermal-throttle"])
    #expect(other["depth.rate"] == "1/1" && other["throttle.from"] == "30" && other["depth.width"] == "64")
  }

  @Test func `profiles are listed`() throws {
    let text = try CommandLineTool.run(["parameters"]).text
    let json = try CommandLineTool.json(CommandLineTool.run(["parameters", "--json"]).text)
    let profiles = try #require(json["profiles"] as? [[String: Any]])
    let names = profiles.compactMap { $0["name"] as? String }
    #expect(names == ["iphone-7-plus", "iphone-x", "kinect-v1", "thermal-throttle"])
    for name in names { #expect(text.contains("\n  \(name) ")) }
  }

  @Test func `what is wrong with a profile is told with the nearest, and where it stands`() throws {
    let word = try CommandLineTool.run(["parameters", "--profile", "iphone-8"], expecting: 64).errors
    #expect(word.contains("There is no profile 'iphone-8'") && word.contains("did you mean iphone-x?"))
    let path = try write("matte.blur: 2\nprofile: kinect\n")
    let file = try CommandLineTool.run(["parameters", "--parameters", path], expecting: 64).errors
    #expect(file.contains("p.yaml:2: There is no profile 'kinect'") && file.contains("kinect-v1"))
    let list = try write("profile: [a]\n", "q.yaml")
    let second = try CommandLineTool.run(["parameters", "--parameters", list], expecting: 64).errors
    #expect(second.contains("q.yaml:1: 'profile' must name one profile"))
  }

  @Test func `wrong faults are refused before anything is read, and cameras refuse all of them`() throws {
    for (assignment, words) in [
      ("fault.color-drop=1.5", "nearest valid value is 1"), ("depth.latency=61", "nearest valid value is 60"),
      ("fault.seed=-1", "nearest valid value is 0"), ("fault.depth-burst=0", "nearest valid value is 1"),
      ("fault.drop=1", "did you mean fault."), ("faces.rate=2", "takes a fraction"), ("fault=1", "is a group"),
    ] {
      let errors = try CommandLineTool.run(["replay", "nowhere", "--set", assignment], expecting: 64).errors
      #expect(errors.contains(words), "\(errors)")
    }
    let errors = try CommandLineTool.run(
      ["replay", "nowhere", "--at", "3 fault.color-drop=1"], expecting: 64
    ).errors
    #expect(errors.contains("fault.color-drop cannot be changed during a replay"))
    let live = try CommandLineTool.run(
      ["live", "--device", "simulated?frames=2&size=16x12", "--set", "fault.depth-noise=1", "--output", "none"],
      expecting: 64
    ).errors
    #expect(live.contains("fault.depth-noise applies only to replays") && live.contains("hint: record"))
  }

  @Test func `noise for disparity in floating point is refused with what to do`() throws {
    let recording = try CommandLineTool.recordSimulated(folder, "d.retake", "frames=3&size=32x24&depth=disparity")
    let errors = try CommandLineTool.run(
      ["replay", recording, "--set", "fault.depth-noise=1", "--output", "none"], expecting: 1
    ).errors
    #expect(errors.contains("DISPARITY32") && errors.contains("leave out fault.depth-noise"))
  }
}
