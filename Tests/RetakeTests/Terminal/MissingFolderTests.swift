import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Every command that writes makes the missing folders above its output.
@Suite(.long) struct MissingFolderTests {
  private let folder: TemporaryFolder
  private let recording: String
  private static let camera = "simulated?pace=fast&frames=4&size=48x32"

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=4&size=48x32")
  }

  private func expectMade(_ arguments: [String], _ name: String, expecting status: Int32 = 0) throws {
    let path = folder.path("new/deeper/\(name)")
    try CommandLineTool.run(arguments + [path], expecting: status)
    #expect(FileManager.default.fileExists(atPath: path), "\(arguments)")
    try FileManager.default.removeItem(atPath: folder.path("new"))
  }

  private func expectRefused(_ arguments: [String]) throws {
    let file = folder.path("file")
    try "what somebody wants to keep".write(toFile: file, atomically: false, encoding: .utf8)
    let refused = try CommandLineTool.run(arguments + ["\(file)/new/output.png"], expecting: 1)
    #expect(refused.errors.contains("\(file) is not a folder"), "\(arguments): \(refused.errors)")
  }

  @Test(arguments: ["out.mp4", "out.png", "out.jsonl", "out.y4m", "pictures/"])
  func `replay and live make the folders of their outputs`(name: String) throws {
    try expectMade(["replay", recording, "-o"], name)
    guard name != "out.png" else { return try expectRefused(["replay", recording, "-o"]) }
    try expectMade(["live", "--device", Self.camera, "-o"], name)
  }

  @Test func `commands that write recordings, bundles and exports make their folders`() throws {
    try expectMade(["record", "--device", Self.camera, "--keep-free", "0", "-o"], "b.retake")
    try expectMade(["live", "--device", Self.camera, "-o", "none", "--record"], "b.retake")
    try expectMade(["trim", recording, "--to", "2", "-o"], "b.retake")
    try expectMade(["pack", recording, "-o"], "b.retake")
    try expectMade(["join", recording, recording, "--gap", "1s", "-o"], "b.retake")
    try expectMade(["bundle", recording, "-o"], "b.retake-bundle")
    for (kind, name) in [("png", "pictures"), ("tum", "tum"), ("video", "b.mkv"), ("mcap", "b.mcap")] {
      try expectMade(["export", kind, recording, "-o"], name)
    }
    let (bundle, mcap) = (folder.path("b.retake-bundle"), folder.path("b.mcap"))
    try CommandLineTool.run(["bundle", recording, "-o", bundle])
    try expectMade(["reproduce", bundle, "--keep"], "kept")
    try CommandLineTool.run(["export", "mcap", recording, "-o", mcap])
    try expectMade(["import", mcap, "-o"], "imported.retake")
    try expectRefused(["export", "mcap", recording, "-o"])
  }

  @Test func `sweeps and comparisons make the folders of their files`() throws {
    let results = folder.path("sweep.sqlite")
    let sweep = ["sweep", recording, "--list", "matte.blur=1,4"]
    try expectMade(sweep + ["-o"], "sweep.sqlite")
    try CommandLineTool.run(sweep + ["-o", results])
    for option in ["--csv", "--json", "--write-best"] {
      try expectMade(sweep + ["-o", results, "--best", "iou", option], "file")
    }
    try expectMade(["sweep", "best", results, "--by", "iou", "-o"], "best.yaml")
    try expectMade(["sweep", "report", results, "--no-pictures", "-o"], "report.html")
    try expectMade(["sweep", "merge", results, "-o"], "whole.sqlite")
    try expectRefused(["sweep", "report", results, "--no-pictures", "-o"])
    for (name, blur) in [("a", "1"), ("b", "6")] {
      let digests = "digests:\(folder.path(name))"
      let replay = ["replay", recording, "--preset", "truedepth-backdrop", "--set", "matte.blur=\(blur)", "-o"]
      try CommandLineTool.run(replay + [digests])
    }
    let compare = ["compare", folder.path("a"), folder.path("b"), "--recording", recording, "--picture"]
    try expectMade(compare, "difference.png", expecting: 1)
    try expectRefused(compare)
  }
}
