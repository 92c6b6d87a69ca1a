import CommandTestSupport
import Foundation
import Glibc
import Kernels
import Media
import RecordingStore
import TestSupport
import Testing

/// Seed systems B and D from end to end, with networks whose answers can be worked out.
@Suite(.long) struct SegmentationReplayTests {
  private let folder: TemporaryFolder
  private let recording: String
  private static let frameCount = 8

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=\(Self.frameCount)&size=320x240")
  }

  private func replay(
    _ model: String, preset: String = "virtual-background", _ arguments: [String] = [], of recording: String? = nil
  ) throws -> (digests: String, counts: [String: Any], errors: String) {
    let digests = folder.path(UUID().uuidString)
    let result = try CommandLineTool.run(
      ["replay", recording ?? self.recording, "--preset", preset, "--set", "mask.model=\(model)", "--json"] + arguments
        + ["--output", "digests:\(digests)"])
    return (
      try String(contentsOfFile: digests, encoding: .utf8), try CommandLineTool.json(result.text), result.errors
    )
  }

  /// Of each frame, the pixels of a tap.
  private func pictures(_ tap: String, _ arguments: [String]) throws -> [[UInt8]] {
    let pictures = folder.path(UUID().uuidString)
    try CommandLineTool.run(["replay", recording, "--tap", tap, "--output", "png:\(pictures)"] + arguments)
    return try FileManager.default.contentsOfDirectory(atPath: pictures).sorted().map { name in
      let pixels = try PictureFile.readColor(path: "\(pictures)/\(name)").pixels
      // A grey picture is read as three equal samples a pixel.
      return tap == "original" ? pixels : stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] }
    }
  }

  @Test func `B.9: the mask is what the network makes of the stretched frame, to the bit`() throws {
    let model = try SegmentationNetwork.write(SegmentationNetwork.scores(65, 65), to: folder)
    let originals = try pictures("original", [])
    let masks = try pictures("mask", ["--preset", "virtual-background", "--set", "mask.model=\(model)"])
    #expect(originals.count == Self.frameCount && masks.count == Self.frameCount)
    let stretch = PreparedPictureScaler(from: (320, 240), to: (65, 65), .stretch, threadCount: 1)
    for (original, mask) in zip(originals, masks) {
      var small = [UInt8](repeating: 0, count: 65 * 65 * 3)
      stretch.apply(original, to: &small, bands: BandRunner(threadCount: 1))
      let expected = (0..<65 * 65).map { i in
        UInt8(SegmentationNetwork.label(small[3 * i], small[3 * i + 1], small[3 * i + 2]) == 15 ? 255 : 0)
      }
      #expect(mask == expected)
      #expect(Set(mask) == [0, 255])
    }
  }

  @Test func `a second replay finds all masks and gives the same digests, to the byte`() throws {
    let model = try SegmentationNetwork.write(SegmentationNetwork.scores(65, 65), to: folder)
    let first = try replay(model)
    #expect(first.counts["masks_computed"] as? Int == Self.frameCount)
    #expect(first.counts["masks_found"] as? Int == 0)
    let second = try replay(model, ["--threads", "1"])
    #expect(second.counts["masks_found"] as? Int == Self.frameCount)
    #expect(second.counts["masks_computed"] as? Int == 0)
    #expect(second.digests == first.digests)
    #expect((try CommandLineTool.jsonLines(first.digests).last?["masks"] as? String)?.count == 32)
    let header = try CommandLineTool.jsonLines(first.digests)[0]
    #expect(header["masks"] as? String == first.counts["masks"] as? String)
    #expect((header["network"] as? String)?.count == 32)
    // Another label: the same masks, other pixels.
    let other = try replay(model, ["--set", "mask.label=7"])
    #expect(other.counts["masks_found"] as? Int == Self.frameCount)
    #expect(other.digests != first.digests)
  }

  @Test func `a recording that was moved to where there is no model gives the same digests`() throws {
    let model = try SegmentationNetwork.write(SegmentationNetwork.matte(33, 47), to: folder)
    let first = try replay(model, preset: "virtual-background", ["--set", "mask.soft=true"])
    let elsewhere = folder.path("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: recording, toPath: elsewhere + "/b.retake")
    try FileManager.default.removeItem(atPath: model)
    let second = try replay("/models/person.onnx", ["--set", "mask.soft=true"], of: elsewhere + "/b.retake")
    #expect(second.digests == first.digests)
    #expect(second.counts["masks_found"] as? Int == Self.frameCount)
    let info = try CommandLineTool.run(["info", elsewhere + "/b.retake"]).text
    #expect(info.contains("masks of person.onnx, 33x47 matte: \(Self.frameCount) kept"))
    try CommandLineTool.run(["verify", elsewhere + "/b.retake"])
    let trimmed = folder.path("c.retake")
    try CommandLineTool.run(["trim", elsewhere + "/b.retake", "--from", "2", "--to", "5", "-o", trimmed])
    #expect(!FileManager.default.fileExists(atPath: trimmed + "/masks"))
  }

  @Test func `D.19, D.20: matte-effects blends its colour by the network's soft mask, scaled to the frame`() throws {
    let model = try SegmentationNetwork.write(SegmentationNetwork.matte(33, 47), to: folder)
    let arguments = ["--preset", "matte-effects", "--set", "mask.model=\(model)"]
    let originals = try pictures("original", [])
    let masks = try pictures("mask", arguments)
    #expect(masks.count == Self.frameCount)
    let stretch = PreparedPictureScaler(from: (320, 240), to: (33, 47), .stretch, threadCount: 1)
    for (original, mask) in zip(originals, masks) {
      var small = [UInt8](repeating: 0, count: 33 * 47 * 3)
      stretch.apply(original, to: &small, bands: BandRunner(threadCount: 1))
      #expect(
        mask == (0..<33 * 47).map { SegmentationNetwork.matte(small[3 * $0], small[3 * $0 + 1], small[3 * $0 + 2]) })
    }
  }

  /// What the network does that has no answer is tested with one that is told to (SegmentationMaskTests, B.9).
  @Test func `a network that is asked about every third frame leaves none out, and keeps fewer masks`() throws {
    let model = try SegmentationNetwork.write(SegmentationNetwork.scores(65, 65), to: folder)
    let rare = try replay(model, ["--set", "mask.every=3"])
    #expect(rare.counts["masks_computed"] as? Int == 3)
    #expect(rare.counts["skipped"] as? Int == 0)
    let all = try replay(model)
    #expect(all.counts["masks_found"] as? Int == 3)
    #expect(all.counts["masks_computed"] as? Int == Self.frameCount - 3)
  }

  @Test func `a replay that Ctrl-C ends keeps the masks that it had`() throws {
    // Slow enough that it is still at work when its first mask is written.
    let model = try SegmentationNetwork.write(SegmentationNetwork.scores(1025, 1025), to: folder)
    let path = try CommandLineTool.recordSimulated(folder, "long.retake", "frames=30&size=320x240")
    let arguments = ["replay", path, "--preset", "virtual-background", "--set", "mask.model=\(model)"]
    try CommandLineTool.run(arguments, expecting: 1) { process in
      let hasBegun = {
        let keys = (try? FileManager.default.contentsOfDirectory(atPath: path + "/masks")) ?? []
        return keys.contains { FileManager.default.fileExists(atPath: "\(path)/masks/\($0)/000000.mcap.partial") }
      }
      for _ in 0..<6000 where !hasBegun() { usleep(5000) }
      kill(process, SIGINT)
    }
    let kept = try Recording(path: path).keptMasks()
    let count = try #require(kept.first?.maskCount)
    #expect((1..<30).contains(count))
    let rest = try replay(model, of: path)
    #expect(rest.counts["masks_found"] as? Int == count)
    #expect(rest.counts["masks_computed"] as? Int == 30 - count)
  }

  @Test func `what is wrong with a model is one sentence with a hint`() throws {
    let classifier = try SegmentationNetwork.write(SegmentationNetwork.classifier(32, 32), to: folder, "a.onnx")
    let broken = folder.path("b.onnx")
    try SegmentationNetwork.scores(32, 32).data.prefix(300).write(to: URL(fileURLWithPath: broken))
    for (model, status, words) in [
      ("", Int32(64), "No segmentation network is given."), (classifier, 1, "which is not a mask."),
      (broken, 1, "is not an ONNX model"), (folder.path("c.onnx"), 1, "There is no model"),
    ] {
      let result = try CommandLineTool.run(
        ["replay", recording, "--preset", "virtual-background", "--set", "mask.model=\(model)"], expecting: status)
      #expect(result.errors.contains(words) && result.errors.contains("hint: "), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 2, "\(result.errors)")
    }
  }
}
