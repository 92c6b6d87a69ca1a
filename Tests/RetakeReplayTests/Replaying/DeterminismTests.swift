import CommandTestSupport
import Foundation
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import TestSupport
import Testing

@Suite(.long) struct DeterminismTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=24&size=320x240&face-lost=5-9")
  }

  private func digests(
    _ arguments: [String] = [], program: String? = nil, name: String = UUID().uuidString
  ) throws -> String {
    let path = folder.path(name)
    // The recording has too few frames for an empty scene to be learned from more.
    let all = ["replay", recording, "--output", "digests:\(path)", "--set", "mask.plate-frames=2"] + arguments
    let result = try ChildProcess.run(program ?? Checkout.retake, all)
    #expect(result.status == 0, "\(result.errors)")
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Without those whose masks a network makes.
  private static let presets = Preset.all.map(\.name).filter { !["virtual-background", "matte-effects"].contains($0) }

  @Test(arguments: presets)
  func `one thread and several, and every run give the same digests`(preset: String) throws {
    let first = try digests(["--preset", preset, "--threads", "1"])
    // The empty scene is learned from frames 5 and 6, which have no face.
    #expect(first.split(separator: "\n").count == (preset == "static-camera" ? 20 : 26))
    for threads in [1, 2, 5] { #expect(try digests(["--preset", preset, "--threads", "\(threads)"]) == first) }
  }

  @Test(.needsDebugBuild, arguments: presets)
  func `debug and release give the same digests, on any number of threads`(preset: String) throws {
    for threads in [1, 5] {
      let arguments = ["--preset", preset, "--threads", "\(threads)"]
      #expect(try digests(arguments) == digests(arguments, program: Checkout.debugRetake))
    }
  }

  @Test(.needsDebugBuild)
  func `the debug and the release build record the simulated camera alike`() throws {
    let other = folder.path("b.retake")
    let arguments = ["record", "--device", "simulated?pace=fast&frames=24&size=320x240&face-lost=5-9"]
    let result = try ChildProcess.run(
      Checkout.debugRetake, arguments + ["-o", other, "--keep-free", "0"])
    #expect(result.status == 0, "\(result.errors)")
    let files = try [recording, other].map {
      try Data(contentsOf: URL(fileURLWithPath: $0 + "/chunks/000000.mcap"))
    }
    #expect(areSame(files[0], files[1]))
  }

  @Test(arguments: [
    "depth.rate=1/2", "depth.phase=1", "mask.face-sample=center-pixel", "mask.offset=-0.1", "mask.start=0.3",
    "matte.blur=4", "matte.gamma=0.6",
  ])
  func `changing one parameter changes the digests`(assignment: String) throws {
    // A start of the cut-off shows only before the first face, a phase only with a rate below 1, and which pixels of the
    // face count only where the cut-off goes through the person.
    let base: [String] =
      switch assignment.prefix(9) {
      case "mask.star": ["--from", "6"]
      case "depth.pha": ["--set", "depth.rate=1/3"]
      case "mask.face": ["--set", "mask.offset=0"]
      default: []
      }
    let preset = ["--preset", "truedepth-backdrop"]
    let before = try digests(preset + base).split(separator: "\n")
    let after = try digests(preset + base + ["--set", assignment]).split(separator: "\n")
    #expect(before.first != after.first)
    #expect(before.last != after.last)
  }

  @Test func `a part begins with the depth that holds there`() throws {
    let whole = try CommandLineTool.jsonLines(digests(["--set", "depth.rate=1/5"]))
    let part = try CommandLineTool.jsonLines(digests(["--set", "depth.rate=1/5", "--from", "13", "--to", "16"]))
    #expect(part.count == 6)
    for (a, b) in zip(whole[14...17], part[1...4]) {
      #expect(a["frame"] as? Int == b["frame"] as? Int)
      #expect(a["source_depth"] as? String == b["source_depth"] as? String)
    }
  }

  @Test func `a background picture changes composites and nothing before them`() throws {
    let pictures = folder.path("p")
    try CommandLineTool.run(["replay", recording, "--tap", "original", "--to", "0", "--output", "png:\(pictures)"])
    let before = try CommandLineTool.jsonLines(digests())
    let after = try CommandLineTool.jsonLines(digests(["--background", pictures + "/000000.png"]))
    #expect(before[0]["parameter_digest"] as? String != after[0]["parameter_digest"] as? String)
    for (a, b) in zip(before, after).dropFirst().dropLast() {
      #expect(a["matte"] as? String == b["matte"] as? String)
      #expect(a["composite"] as? String != b["composite"] as? String)
    }
  }

  @Test(arguments: ["1/1", "1/2", "1/3", "2/3", "1/7"])
  func `depth comes exactly when the formula says and holds in between`(rate: String) throws {
    let schedule = DepthSchedule(rate: try #require(Fraction(rate)))
    let lines = try CommandLineTool.jsonLines(digests(["--set", "depth.rate=\(rate)"])).dropFirst().dropLast()
    let full = try CommandLineTool.jsonLines(digests()).dropFirst().dropLast()
    var held: String?
    for (line, whole) in zip(lines, full) {
      let frame = try #require(line["frame"] as? Int)
      if schedule.isDepthDue(onVideoFrame: frame) { held = whole["source_depth"] as? String }
      #expect(line["source_depth"] as? String == held)
      #expect(line["source_color"] as? String == whole["source_color"] as? String)
    }
    let counts = try CommandLineTool.json(
      CommandLineTool.run(["replay", recording, "--set", "depth.rate=\(rate)", "--json"]).text)
    let due = (0..<24).filter { schedule.isDepthDue(onVideoFrame: $0) }.count
    #expect(counts["depth_delivered"] as? Int == due)
    #expect(counts["depth_held"] as? Int == 24 - due)
  }

  @Test(arguments: [
    "size=640x480&fps=10&frames=30", "size=640x480&fps=10&frames=20&seed=7",
    "size=1280x720&depth-size=640x360&frames=20",
  ])
  func `the matte at default parameters covers the person: IoU of 0.90 and more`(options: String) throws {
    let recording = try Recording(path: CommandLineTool.recordSimulated(folder, "iou.retake", options))
    let cursor = try ReplayCursor(recording, ReplayPlan(schedule: DepthSchedule(rate: .one)), readsTruth: true)
    let parameters = try Preset.named("truedepth-backdrop").parameters(
      ReplayParameters.all + PipelineParameters.all)
    let format = try PipelineFormat(color: recording.streams[0].layout, depth: recording.streams[1].layout)
    let pipeline = try MattePipeline(format, parameters: parameters, threadCount: 2)
    let (width, height) = (recording.streams[0].layout.width, recording.streams[0].layout.height)
    let (matte, trueMatte) = (MatteFeatures(width: width, height: height), MatteFeatures(width: width, height: height))
    var worst = 1.0
    var sum = 0.0
    while let delivery = try cursor.nextDelivery() {
      let truth = try #require(delivery.alpha)
      let output = try #require(try pipeline.process(delivery.frames).output)
      let plane = try #require(output.matte)
      matte.take(BytePlane(plane.samples, width: plane.width, height: plane.height))
      withExtendedLifetime(truth) {
        let samples = truth.bytes.bindMemory(to: UInt8.self).baseAddress!
        trueMatte.take(BytePlane(samples, width: plane.width, height: plane.height))
      }
      let overlap = RegionOverlap.intersectionOverUnion(matte, trueMatte)
      worst = min(worst, overlap)
      sum += overlap
    }
    print("IoU \(options): mean \(sum / Double(cursor.frameCount)), least \(worst)")
    #expect(worst >= 0.90)
  }
}
