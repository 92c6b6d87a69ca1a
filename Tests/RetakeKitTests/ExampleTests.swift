import Foundation
import RetakeKit
import TestSupport
import Testing

/// Recordings that the examples are given.
private enum Given {
  static let folder = try! TemporaryFolder()
  static let disc: Recording = try! recordDisc(to: folder.path("disc.retake"), frameCount: 8)
  static let person: Recording = {
    var options = Recorder.Options()
    options.keepFreeByteCount = 0
    let recorder = try! Recorder(
      to: folder.path("person.retake"), cameras: ["simulated?pace=fast&frames=12&size=64x48&alpha=true"],
      options: options)
    return try! Recording(path: recorder.run().path)
  }()
}

/// The examples that README.md of RetakeKit lists, each run with a known answer.
struct ExampleTests {
  @Test func `1: a recording is described`() throws {
    let lines = try describe(Given.disc.path)
    #expect(
      lines == ["color: 64x48 RGB24, 8 frames", "depth: 64x48 Z16, 8 frames", "mark 'start'"], "\(lines)")
  }

  @Test func `2: depth is read as bytes`() throws {
    #expect(try nearestDistances(Given.disc.path) == Array(repeating: 1000, count: 8))
  }

  @Test func `3: frame sets come with depth and faces`() throws {
    let distances = try faceDistances(Given.person.path)
    #expect(!distances.isEmpty && distances.values.allSatisfy { (500...3000).contains($0) }, "\(distances)")
  }

  @Test func `4: a camera of one's own is recorded to the byte`() throws {
    let color = try Given.disc.stream(.color)
    #expect(Given.disc.isComplete && Given.disc.frameSetCount == 8 && color.device == "disc:1")
    let frame = try #require(try Given.disc.frame(3, of: color))
    #expect(frame.presentationNanoseconds == 100_000_000 && frame.image.byteCount == 64 * 48 * 3)
    let (inside, outside) = ((24 * 64 + 19) * 3, 0)
    #expect(Array(frame.image.bytes[inside..<inside + 3]) == [250, 200, 180])
    #expect(Array(frame.image.bytes[outside..<outside + 3]) == [20, 40, 60])
    #expect(try Given.disc.frame(8, of: color) == nil)
  }

  @Test func `5: a replay gives the pictures of a tap`() throws {
    let shares = try personShares(Given.disc, nearerThan: 2)
    let disc = Double.pi * 100 / Double(64 * 48)
    #expect(shares.count == 8 && shares.allSatisfy { abs($0 - disc) < 0.02 }, "\(shares)")
    #expect(try personShares(Given.disc, nearerThan: 0.5).allSatisfy { $0 == 0 })
  }

  @Test func `6: digests tell whether any pixel changed`() throws {
    for (name, value, same) in [("fault.seed", "7", true), ("matte.blur", "9", false)] {
      let folder = try TemporaryFolder()
      #expect(try changesNothing(Given.person, name, to: value, in: folder.path) == same, "\(name)=\(value)")
    }
  }

  @Test func `7: presets are scored`() throws {
    let scores = try compare(presets: ["handheld", "desk"], on: Given.person)
    #expect(scores.count == 2 && scores.values.allSatisfy { Set($0.keys) == ["soft", "components", "area"] })
    let area = try #require(scores["desk"]?["area"])
    #expect(area > 0)
  }

  @Test func `8: a mask of one's own is a choice of mask.kind`() throws {
    let disc = try brightPixelCounts(Given.disc, threshold: 128)
    #expect(disc.count == 8 && disc.allSatisfy { (250...350).contains($0) }, "\(disc)")
    #expect(try brightPixelCounts(Given.disc, threshold: 0) == Array(repeating: 64 * 48, count: 8))
  }

  @Test func `9: a mask of one's own is swept beside a built-in one`() throws {
    let folder = try TemporaryFolder()
    let best = try tuneBrightMask(Given.disc, results: folder.path("bright.sqlite"))
    let area = try #require(best.scores["area"])
    #expect(best.failure == nil && (0.05...0.2).contains(area), "\(best)")
    #expect(best.values["mask.bright.threshold"] != nil && best.values["mask.kind"] != nil)
  }

  @Test func `10: a bundle made with a mask of one's own reproduces`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("rim.retake-bundle")
    let bundle = try reportBug(Given.disc, to: path)
    #expect(bundle.stages.map(\.name) == ["bright"] && bundle.stages[0].revision == 1 && bundle.frames == 2..<6)
    #expect(bundle.note == "the disc's rim is missing" && bundle.parameters["mask.kind"] == "bright")
    #expect(try stillLooksTheSame(path))
  }
}
