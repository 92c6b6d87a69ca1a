import FrameModel
import MattePipeline
import Media
import Parameters
import RecordingStore
import Replay
import Support
import TestSupport
import Testing

/// By how much two stages differ, in whole numbers.
@Suite struct StageDifferenceTests {
  private func plane(_ samples: [UInt16], width: Int, channels: Int = 1, _ unit: StagePlane.Unit = .levels)
    -> StagePlane
  {
    StagePlane(
      stage: .matte, width: width, height: samples.count / width / channels, channels: channels, unit: unit,
      samples: samples)
  }

  @Test func `maximum, mean, place and box are those that can be counted by hand`() throws {
    let a = plane([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110], width: 4, .millimeters)
    let b = plane([0, 10, 20, 30, 40, 53, 60, 65, 80, 85, 100, 110], width: 4, .millimeters)
    let found = try #require(PlaneDifference(a, b))
    #expect(found.maximum == 5)
    // The first of two.
    #expect((found.maximumX, found.maximumY) == (3, 1))
    #expect(found.maximumA == [70] && found.maximumB == [65])
    // 13 of 12 samples: 1.0833 mm.
    #expect(found.meanThousandths == 1083)
    #expect(found.differingCount == 3 && found.pixelCount == 12)
    #expect(found.box == .init(x: 1, y: 1, width: 3, height: 2))
    #expect(PlaneDifference(a, a)?.box == nil)
    #expect(PlaneDifference(a, a)?.maximum == 0)
    #expect(PlaneDifference(a, plane([UInt16](repeating: 0, count: 12), width: 6)) == nil)
  }

  @Test func `a pixel of three samples counts once, by the largest of them; 16 bits do not overflow`() throws {
    let a = plane([1, 2, 3, 9, 9, 9], width: 2, channels: 3)
    let b = plane([3, 2, 8, 9, 9, 9], width: 2, channels: 3)
    let found = try #require(PlaneDifference(a, b))
    #expect(found.differingCount == 1 && found.maximum == 5 && found.maximumB == [3, 2, 8])
    #expect(found.meanThousandths == 1167)
    let far = try #require(PlaneDifference(plane([0, 0], width: 2), plane([65_535, 65_535], width: 2)))
    #expect(far.maximum == 65_535 && far.meanThousandths == 65_535_000)
  }

  @Test func `a caption's A and B are capitals, as the text has them`() {
    let pictures = [("A", "B"), ("a", "b"), ("A", "b")].map { captions in
      DifferencePicture.picture(plane([0], width: 1), plane([1], width: 1), title: "t", captions: captions).pixels
    }
    #expect((Set(pictures).count == 3) == true)
  }

  @Test func `one step of one pixel is seen in the picture, enlarged and reduced`() throws {
    for width in [7, 100, 2500] {
      let samples = [UInt16](repeating: 100, count: width * 5)
      var others = samples
      others[2 * width + width - 2] = 101
      let picture = DifferencePicture.picture(
        plane(samples, width: width), plane(others, width: width), title: "t", captions: ("a", "b"))
      #expect(picture.width < 3000)
      // Below the captions, in the third tile, something is white; in the others there is grey alone, and the box.
      let third = picture.width * 2 / 3
      var isWhite = false
      for y in 48..<picture.height {
        for x in (third + 8)..<picture.width {
          let place = 3 * (y * picture.width + x)
          isWhite = isWhite || picture.pixels[place..<place + 3].allSatisfy { $0 == 255 }
        }
      }
      #expect(isWhite, "\(width)")
    }
  }

  @Test func `a stage that is made again from a header has the digest that was written, frame by frame`() throws {
    let replays = try ComparedReplays()
    let recording = try Recording(path: replays.recording)
    let path = try replays.digests(
      "matte-effects", ["composite.kind=backdrop", "composite.background=\(replays.picture)"])
    let reader = try DigestFileReader(path: path)
    var lines: [DigestLine] = []
    while let line = try reader.next() { lines.append(line) }
    #expect(lines.count == 14)
    for stage in DigestStage.allCases {
      let line = lines[7]
      // The masks of the network lie beside the recording, and its file is not named.
      let made = try #require(
        try ReproducedStage.make(
          reader.header, of: recording, frame: line.frame, pass: 0, stage: stage,
          .init(backgrounds: [replays.picture], threadCount: 1)))
      #expect(made.digest == line[stage], "\(stage)")
      #expect((made.plane == nil) == (line[stage] == DigestStage.none))
    }
    let missing = #expect(throws: RetakeError.self) {
      try ReproducedStage.make(reader.header, of: recording, frame: 7, pass: 0, stage: .composite, .init())
    }
    #expect(missing?.message.contains("background") == true && missing?.hint.contains("--background") == true)
    #expect(
      try ReproducedStage.make(reader.header, of: recording, frame: 99, pass: 0, stage: .matte, .init(threadCount: 1))
        == nil)
  }
}
