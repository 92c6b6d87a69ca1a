import CommandTestSupport
import Foundation
import Media
import TestSupport
import Testing

/// A frame that lacks what was asked for never shows the video in its place.
@Suite(.long) struct MissingTapTests {
  private let folder: TemporaryFolder
  private let recording: String
  /// Frames before the first depth, which comes three frames late.
  private static let lacking = [0, 1, 2]
  private static let latency = ["--preset", "truedepth-backdrop", "--set", "depth.latency=3"]

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=8&size=64x48")
  }

  private func replay(_ tap: String, _ outputs: [String], _ more: [String] = []) throws -> ChildProcess {
    try CommandLineTool.run(
      ["replay", recording, "--tap", tap] + Self.latency + outputs.flatMap { ["--output", $0] } + more)
  }

  @Test(arguments: ["depth", "mask", "matte"])
  func `a frame that lacks the tap has no picture, and is counted`(tap: String) throws {
    let result = try replay(tap, ["png:\(folder.path("p"))"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("p")).sorted()
    #expect(names == [3, 4, 5, 6, 7].map { "00000\($0).png" })
    #expect(result.errors.contains("3 frames had no \(tap)"), "\(result.errors)")
    let json = try replay(tap, ["png:\(folder.path("q"))"], ["--json"])
    let counts = try CommandLineTool.json(json.text)
    #expect(counts["without_tap"] as? Int == 3)
    #expect(counts["video_frames"] as? Int == 8 && counts["skipped"] as? Int == 0)
  }

  @Test(arguments: [("original", "skip", 0), ("composite", "skip", 3), ("composite", "video", 0)])
  func `a frame without a composite is skipped and counted, or is the video where that is set`(
    tap: String, withoutMask: String, skipped: Int
  ) throws {
    let result = try replay(
      tap, ["png:\(folder.path("p"))"], ["--json", "--set", "composite.without-mask=\(withoutMask)"])
    let counts = try CommandLineTool.json(result.text)
    #expect(counts["without_tap"] as? Int == 0 && counts["skipped"] as? Int == skipped)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("p")).count == 8 - skipped)
  }

  @Test func `in a video such a frame is black, and keeps its place`() throws {
    _ = try replay("matte", ["y4m:\(folder.path("v.y4m"))", "mp4:\(folder.path("v.mkv"))"])
    let y4m = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("v.y4m"))))
    let header = try #require(y4m.firstIndex(of: UInt8(ascii: "\n"))) + 1
    let frame = 6 + 64 * 48 * 3
    #expect(y4m.count == header + 8 * frame)
    let areBlack = (0..<8).map { number in
      let luma = y4m[(header + number * frame + 6)...].prefix(64 * 48)
      return luma.allSatisfy { $0 <= 16 }
    }
    #expect(areBlack == (0..<8).map { Self.lacking.contains($0) })
    let probe = try ChildProcess.run(
      "/usr/bin/ffprobe",
      [
        "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0",
        folder.path("v.mkv"),
      ])
    #expect(probe.text.trimmingCharacters(in: .whitespacesAndNewlines) == "8")
  }

  @Test func `in a contact sheet such a cell is empty, and says so`() throws {
    _ = try replay(
      "composite", ["sheet:\(folder.path("s.png"))"], ["--to", "0", "--set", "composite.without-mask=video"])
    let sheet = try PictureFile.readColor(path: folder.path("s.png"))
    /// Red, green and blue of a pixel in a column's only cell.
    func pixel(_ column: Int, _ x: Int, _ y: Int) -> [UInt8] {
      let place = ((28 + 20 + y) * sheet.width + 8 + column * 328 + x) * 3
      return Array(sheet.pixels[place..<place + 3])
    }
    for column in [1, 2, 3] {
      for y in stride(from: 40, to: 240, by: 25) {
        for x in stride(from: 4, to: 320, by: 25) { #expect(pixel(column, x, y) == [44, 46, 50]) }
      }
      // Letters.
      #expect((0..<100).contains { x in pixel(column, 8 + x, 14) == [214, 214, 214] })
    }
    #expect(pixel(0, 160, 120) != [44, 46, 50])
  }

  @Test func `where no frame has the tap nothing is made, and the next step is named`() throws {
    let path = folder.path("none.y4m")
    let result = try CommandLineTool.run(
      ["replay", recording, "--tap", "matte", "--to", "2"] + Self.latency + ["--output", "y4m:\(path)", "--output"]
        + ["png:\(folder.path("p"))"], expecting: 1)
    #expect(result.errors.contains("The replay gave no picture: 3 frames had no matte."), "\(result.errors)")
    #expect(result.errors.contains("hint: choose another --tap"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: folder.path("p")))
  }

  @Test func `a live show counts them too`() throws {
    let live = [
      "live", "--device", "simulated?pace=fast&frames=8&size=64x48", "--preset", "avcam-filter", "--tap", "matte",
      "--output", "png:\(folder.path("p"))", "--json",
    ]
    let counts = try CommandLineTool.json(try CommandLineTool.run(live).text)
    #expect(!FileManager.default.fileExists(atPath: folder.path("p")))
    #expect(try #require(counts["without_tap"] as? Int) > 0)
    #expect(counts["without_tap"] as? Int == counts["shown"] as? Int)
  }
}
