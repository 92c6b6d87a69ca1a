import CommandTestSupport
import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

@Suite(.long) struct FacesCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func info(_ path: String) throws -> [String: Any] {
    try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
  }

  private func faces(_ path: String) throws -> [[String: Any]] {
    try #require(info(path)["faces"] as? [[String: Any]])
  }

  /// Boxes that overlap the truth of the same frames by half.
  private func overlaps(_ path: String, truth: String) throws -> (overlapping: Int, all: Int) {
    let found = try Recording(path: path).frameSets(0..<1000)
    let expected = try Recording(path: truth).frameSets(0..<1000)
    #expect(found.count == expected.count)
    let count = zip(found, expected).count { pair in
      guard let face = pair.0.faces.first, let truth = pair.1.faces.first else { return false }
      return face.box.overlap(with: truth.box) >= 0.5
    }
    return (count, expected.count)
  }

  @Test func `faces are added afterwards, lie where the truth is, and survive a new index`() throws {
    let options = "frames=40&fps=10&alpha=0"
    let truth = try CommandLineTool.recordSimulated(folder, "truth.retake", options)
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", options + "&faces=0")
    #expect(try faces(path).isEmpty)
    let result = try CommandLineTool.run(["faces", path])
    #expect(result.text.hasPrefix("a face in ") && result.text.contains("of 40 frames (lbp-cascade opencv="))
    let own = try CommandLineTool.run(["info", truth]).text
    #expect(own.contains("\n  simulated: the camera's own, in 40 of 40 frames of color\n"), "\(own)")
    let (overlapping, all) = try overlaps(path, truth: truth)
    #expect(Double(overlapping) >= 0.95 * Double(all))
    let before = try faces(path)
    #expect(before.count == 1 && before[0]["frames_looked_at"] as? Int == 40)
    #expect(before[0]["stream"] as? String == "color" && before[0]["frames_skipped"] as? Int == 0)
    #expect(try CommandLineTool.run(["info", path]).text.contains("searched 40 frames of color"))
    try CommandLineTool.run(["verify", path])
    let sets = try Recording(path: path).frameSets(0..<40)
    try CommandLineTool.run(["recover", path])
    #expect(try Recording(path: path).frameSets(0..<40).map(\.faces) == sets.map(\.faces))
    // A replay takes them up.
    let digests = folder.path("digests")
    try CommandLineTool.run(["replay", path, "--output", "digests:\(digests)"])
    #expect(FileManager.default.fileExists(atPath: digests))
  }

  @Test func `a detector's file that would crash OpenCV is refused, and the recorder lives`() throws {
    let network = folder.path("evil.onnx")
    var model = ONNXModel()
    model.input("input", [1, 3, 256, 320])
    model.node("Add", ["input", "more"], "loc")
    model.weights("more", [400_000_000], type: ONNXModel.float32, field: 9, Data(count: 4))
    model.output("loc", [1, 3, 256, 320])
    try model.data.write(to: URL(fileURLWithPath: network))
    let cascade = folder.path("evil.xml")
    let whole = try String(
      contentsOfFile: "/usr/share/opencv4/lbpcascades/lbpcascade_frontalface.xml", encoding: .utf8)
    let evil = whole.replacingOccurrences(of: "0 -1 46 ", with: "0 -1 1000000000 ")
    try Data(evil.utf8).write(to: URL(fileURLWithPath: cascade))
    for (detector, reason) in [
      ("yunet:" + network, "400000000 values"), ("lbp:" + cascade, "refers to a missing feature or node"),
    ] {
      let device = "simulated?pace=fast&frames=3&faces=0"
      let result = try CommandLineTool.run(
        ["record", "--device", device, "--faces", detector, "-o", folder.path("a.retake"), "--keep-free", "0"],
        expecting: 1)
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
  }

  @Test func `both commands say what to try where no face is found, and neither where one is`() throws {
    func record(_ options: String, _ name: String) throws -> ChildProcess {
      try CommandLineTool.run([
        "record", "--device", "simulated?pace=fast&frames=6&alpha=0&faces=0" + options, "--faces", "lbp", "-o",
        folder.path(name), "--keep-free", "0",
      ])
    }
    let advice = "No face was found in 6 of 6 searched frames; if people face the camera there, try "
    let empty = try record("&person=0", "a.retake")
    #expect(empty.errors.contains(advice + "--faces 'haar'"), "\(empty.errors)")
    let searched = try CommandLineTool.run(["faces", folder.path("a.retake"), "--replace"])
    #expect(searched.errors.contains(advice + "--replace --detector 'haar'"), "\(searched.errors)")
    let person = try record("", "b.retake")
    #expect(person.errors.contains(" of 6 searched frames.") && !person.errors.contains("No face"))
  }

  @Test func `faces that are there are refused, or replaced and named`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=6&alpha=0")
    let refused = try CommandLineTool.run(["faces", path], expecting: 1)
    #expect(refused.errors.contains("already has faces: simulated examined 6 frames"))
    #expect(refused.errors.contains("--replace"))
    let replaced = try CommandLineTool.run(["faces", path, "--replace", "--detector", "haar?minimum=70", "--json"])
    #expect(replaced.errors.contains("replaced: simulated, with a face in 6 frames"))
    let report = try #require(CommandLineTool.json(replaced.text)["faces"] as? [[String: Any]])
    #expect(report.count == 1)
    #expect((report[0]["detector"] as? String)?.hasPrefix("haar-cascade opencv=") == true)
    #expect((report[0]["detector"] as? String)?.contains("minimum=70") == true)
    try CommandLineTool.run(["verify", path])
  }

  @Test func `recording with a detector stores what it saw, and the same twice`() throws {
    func record(_ name: String) throws -> String {
      let path = folder.path(name)
      let result = try CommandLineTool.run([
        "record", "--device", "simulated?pace=fast&frames=20&fps=10&alpha=0", "--faces", "lbp", "-o", path,
        "--keep-free", "0",
      ])
      #expect(result.errors.contains(" of 20 searched frames."))
      return path
    }
    let (first, second) = (try record("a.retake"), try record("b.retake"))
    let truth = try CommandLineTool.recordSimulated(folder, "truth.retake", "frames=20&fps=10&alpha=0")
    #expect(try overlaps(first, truth: truth).overlapping >= 19)
    #expect(try faces(first).map { $0["frames_looked_at"] as? Int } == [20])
    for name in try Folder.names(in: first + "/chunks") {
      #expect(areSame(try FileBytes.read(first + "/chunks/" + name), try FileBytes.read(second + "/chunks/" + name)))
    }
    try CommandLineTool.run(["verify", first])
  }

  @Test func `beside a live camera every frame is looked at or marked as skipped`() throws {
    let path = folder.path("a.retake")
    // Small pictures: the debug build renders them in time.
    let camera = "simulated?size=160x120&fps=15&frames=30&faces=0&alpha=0&backlog=1000"
    try CommandLineTool.run(["record", "--device", camera, "--queue", "10000", "-o", path, "--keep-free", "0"])
    let report = try faces(path)
    try #require(report.count == 1)
    let looked = try #require(report[0]["frames_looked_at"] as? Int)
    let skipped = try #require(report[0]["frames_skipped"] as? Int)
    let streams = try #require(info(path)["streams"] as? [[String: Any]])
    #expect(looked + skipped == streams[0]["frames"] as? Int && looked > 0)
    #expect((report[0]["detector"] as? String)?.hasPrefix("lbp-cascade") == true)
    try CommandLineTool.run(["verify", path])
  }

  @Test func `another colour stream than the first can be chosen`() throws {
    let path = folder.path("a.retake")
    let camera = "simulated?pace=fast&size=160x120&frames=6&faces=0&alpha=0"
    try CommandLineTool.run([
      "record", "--device", camera, "--device", camera + "&seed=2", "--faces", "none", "-o", path, "--keep-free", "0",
    ])
    try CommandLineTool.run(["faces", path, "--stream", "color-1"])
    #expect(try faces(path).map { $0["stream"] as? String } == ["color-1"])
    #expect(try faces(path).map { $0["frames_looked_at"] as? Int } == [6])
    // The other one's are nobody's concern.
    try CommandLineTool.run(["faces", path])
    #expect(try faces(path).map { $0["stream"] as? String } == ["color", "color-1"])
    try CommandLineTool.run(["verify", path])
    for name in ["depth", "nothing"] {
      let refused = try CommandLineTool.run(["faces", path, "--stream", name], expecting: 64)
      #expect(refused.errors.contains("has no colour stream '\(name)'"))
      #expect(refused.errors.contains("its colour streams are color, color-1"))
    }
  }

  @Test func `a device's own faces can be left out`() throws {
    let path = folder.path("a.retake")
    try CommandLineTool.run([
      "record", "--device", "simulated?pace=fast&frames=3&size=64x48", "--faces", "none", "-o", path, "--keep-free",
      "0",
    ])
    #expect(try faces(path).isEmpty)
  }

  @Test(arguments: [
    (["--faces", "dlib"], Int32(64), "There is no face detector 'dlib'."),
    (["--faces", "lbp:/nowhere.xml"], 1, "There is no file /nowhere.xml."),
    (["--faces", "yunet"], 64, "needs an ONNX file"),
  ])
  func `a detector that cannot be had leaves no recording`(words: [String], status: Int32, sentence: String) throws {
    let path = folder.path("a.retake")
    let result = try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&frames=3&size=64x48", "-o", path] + words, expecting: status)
    #expect(result.errors.contains(sentence))
    #expect(result.errors.contains("hint:"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `who looks at no picture cannot look at a recording`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=64x48&faces=0")
    let result = try CommandLineTool.run(["faces", path, "--detector", "recorded"], expecting: 64)
    #expect(result.errors.contains("does not detect faces in pictures"))
    let unknown = try CommandLineTool.run(["faces", path, "--detector", "yolo"], expecting: 64)
    for errors in [result.errors, unknown.errors] {
      #expect(errors.hasSuffix("hint: choose one of lbp, haar, yunet:FILE\n"), "\(errors)")
    }
    try CommandLineTool.run(["faces", folder.path("nothing.retake")], expecting: 1)
  }
}
