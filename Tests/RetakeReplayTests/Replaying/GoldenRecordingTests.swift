import BugBundles
import CommandTestSupport
import Foundation
import FrameModel
import MattePipeline
import RecordingStore
import Support
import TestSupport
import Testing

/// The golden recordings replay to the digests that came out when they were made. Whoever changes an output on purpose makes
/// them again with Tools/develop/make-golden, in the same commit.
@Suite(.long) struct GoldenRecordingTests {
  private let folder: TemporaryFolder
  private static let goldens = Checkout.root + "/Recordings/golden"
  private static let suffix = ".retake-bundle"

  init() throws { folder = try TemporaryFolder() }

  private static var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: goldens).filter { $0.hasSuffix(suffix) }.sorted()
        .map { String($0.dropLast(suffix.count)) }
    }
  }

  private func unpacked(_ name: String) throws -> UnpackedBundle {
    try UnpackedBundle(path: "\(Self.goldens)/\(name)\(Self.suffix)", into: folder.path(UUID().uuidString))
  }

  @Test func `every golden recording replays to its digests, on one thread and on two`() throws {
    let names = try Self.names
    #expect(!names.isEmpty)
    for name in names {
      let bundle = try unpacked(name)
      for threadCount in [1, 2] {
        let result = try Reproduction.run(bundle, threadCount: threadCount)
        #expect(
          result.isReproduced,
          "\(name), \(threadCount) threads: \(result.firstDifference?.sentence ?? ""); Tools/develop/make-golden makes it again"
        )
        #expect(result.frameCount >= 8, "\(name)")
      }
    }
  }

  @Test(.needsDebugBuild) func `the debug build reproduces every golden recording`() throws {
    let bundles = try Self.names.map { "\(Self.goldens)/\($0)\(Self.suffix)" }
    let result = try ChildProcess.run(Checkout.debugRetake, ["reproduce"] + bundles)
    #expect(result.status == 0, "\(result.text)\(result.errors)")
  }

  @Test func `there is one for each preset, and all are small`() throws {
    let names = try Self.names
    let presets = Set(try names.map { try unpacked($0).description.replay.preset })
    #expect(presets == Set(Preset.all.map(\.name)))
    for preset in Preset.all { #expect(names.contains(preset.name)) }
    let byteCount = try names.reduce(0) { sum, name in
      try sum + FileBytes.read("\(Self.goldens)/\(name)\(Self.suffix)").count
    }
    #expect(byteCount < 3_200_000)
  }

  // MARK: Each difficulty is really there

  private func parameter(_ bundle: UnpackedBundle, _ name: String) -> String {
    bundle.description.replay.parameters.first { $0.name == name }?.value ?? "none"
  }

  @Test func `frames are lost, late, sent twice and cut short`() throws {
    let recording = try unpacked("drops").recording()
    let events = try recording.events()
    for reason in [FrameEvent.Reason.dropped, .duplicate, .damaged, .late] {
      #expect(events.contains { $0.reason == reason && $0.stage == .device }, "\(reason)")
    }
    let rows = try recording.frameRows(stream: 0, from: 0, limit: 100)
    let skips = zip(rows, rows.dropFirst()).map { Int($1.deviceSequence ?? 0) - Int($0.deviceSequence ?? 0) }
    #expect(skips.contains { $0 > 1 })
    #expect(rows.contains { !$0.flags.isDisjoint(with: [.damaged, .duplicate]) })
    #expect(try recording.frameSetCount() < rows.count)
  }

  @Test func `the device's clock wraps, and time goes on`() throws {
    let recording = try unpacked("tick-wrap").recording()
    for stream in 0..<2 {
      let times = try recording.frameRows(stream: stream, from: 0, limit: 100).map(\.timestamps)
      let pairs = Array(zip(times, times.dropFirst()))
      #expect(pairs.contains { ($0.deviceTick ?? 0) > ($1.deviceTick ?? 0) })
      #expect(pairs.allSatisfy { $0.presentation < $1.presentation })
      #expect(pairs.allSatisfy { ($0.unwrappedTick ?? 0) < ($1.unwrappedTick ?? 0) })
    }
  }

  @Test func `the face is lost for a while`() throws {
    let sets = try unpacked("no-face").recording().frameSets(0..<100)
    let hasFace = sets.map { !$0.faces.isEmpty }
    let lost = (3...9).map { $0 }
    #expect(hasFace.indices.filter { !hasFace[$0] } == lost)
    #expect(sets.count > 11)
  }

  @Test func `depth has holes, at the edges of the person too`() throws {
    let bundle = try unpacked("holes")
    let recording = try bundle.recording()
    let depth = try #require(recording.firstStream(.depth))
    #expect(recording.streams[depth].layout.format == .kinectRaw11)
    let reader = try FrameReader(recording)
    for row in try recording.frameRows(stream: depth, from: 0, limit: 100) {
      let bytes = try reader.frame(row).copiedBytes
      let holes = stride(from: 0, to: bytes.count, by: 2).filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0x07 }
      // 2047 is Kinect's word for nothing measured.
      #expect(holes.count * 100 > bytes.count / 2 * 3 && holes.count * 100 < bytes.count / 2 * 40)
    }
    #expect(parameter(bundle, "mask.holes") == "near")
  }

  @Test func `depth comes on two of three frames`() throws {
    let bundle = try unpacked("fraction")
    #expect(parameter(bundle, "depth.rate") == "2/3" && parameter(bundle, "depth.latency") == "1")
    let text = try String(contentsOfFile: bundle.expectationPath, encoding: .utf8)
    let depth = try CommandLineTool.jsonLines(text).compactMap { $0["source_depth"] as? String }
    let isNew = zip(depth, depth.dropFirst()).map { $0 != $1 }
    #expect(isNew.count > 9 && isNew.contains(true) && isNew.contains(false))
    // Frames on which it stays as it was come one by one.
    #expect(!zip(isNew.dropFirst(), isNew.dropFirst(2)).contains { !$0 && !$1 })
  }

  @Test func `faults of the replay, changes, and covered faces are there`() throws {
    let faults = try unpacked("faults")
    for (name, off) in [
      ("fault.color-drop", "0"), ("fault.color-swap", "0"), ("fault.depth-drop", "0"), ("fault.depth-jitter", "0"),
      ("fault.depth-noise", "0"), ("fault.stuck-from", "-1"),
    ] { #expect(parameter(faults, name) != off && parameter(faults, name) != "none", "\(name)") }
    let changes = try unpacked("changes").description
    #expect(Set(changes.replay.changes.map(\.frame)) == [5, 9])
    let covered = try unpacked("faces-covered")
    #expect(!covered.description.removed.isEmpty)
    let color = try #require(try covered.recording().streams.first { $0.kind == .color })
    #expect(color.settings.contains(.init("redaction", "blur-faces")))
  }

  @Test func `networks are not needed where their masks are`() throws {
    for name in ["virtual-background", "matte-effects"] {
      let bundle = try unpacked(name)
      #expect(bundle.description.maskKey != nil)
      let files = try #require(
        FileManager.default.enumerator(atPath: (bundle.recordingPath as NSString).deletingLastPathComponent))
      let paths = files.compactMap { $0 as? String }
      #expect(paths.contains { $0.contains("masks/") } && !paths.contains { $0.hasSuffix(".onnx") })
    }
  }
}
