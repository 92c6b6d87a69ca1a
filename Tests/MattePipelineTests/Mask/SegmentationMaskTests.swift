import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import TestSupport
import Testing

/// Says what it is told to say, or nothing, and counts how often it is asked.
private final class ScriptedSegmenter: PersonSegmenter {
  let maskSize: (width: Int, height: Int)
  let answer: SegmentationAnswer
  private(set) var askedNumbers: [Int] = []
  /// By the frame's number; nil for no answer.
  private let script: (Int) -> [UInt8]?

  init(_ width: Int, _ height: Int, _ answer: SegmentationAnswer, _ script: @escaping (Int) -> [UInt8]?) {
    maskSize = (width, height)
    self.answer = answer
    self.script = script
  }

  func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>) -> Bool {
    askedNumbers.append(frame.number)
    guard let values = script(frame.number) else { return false }
    for (i, value) in values.enumerated() { mask[i] = value }
    return true
  }
}

@Suite struct SegmentationMaskTests {
  private let video = noiseImage(40, 24, seed: 3)

  private func pipeline(
    _ segmenter: any PersonSegmenter, preset: String = "virtual-background", _ assignments: [String] = [],
    background: RGBImage? = RGBImage(width: 40, height: 24, red: 9, green: 8, blue: 7), threadCount: Int = 1
  ) throws -> MattePipeline {
    var parameters = try Preset.named(preset).parameters(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    var sources = PipelineSources(background: background)
    sources.segmenter = segmenter
    return try MattePipeline(
      try PipelineFormat(color: FrameLayout(.rgb24, width: 40, height: 24), depth: nil), parameters: parameters,
      sources: sources, threadCount: threadCount)
  }

  private func masks(_ pipeline: MattePipeline, _ numbers: some Sequence<Int>) throws -> [[UInt8]?] {
    try numbers.map { number in
      let frames = FrameSet(index: number, color: try colorFrame(video, number: number), depth: nil, faces: [])
      return try pipeline.process(frames).output?.mask?.array
    }
  }

  @Test func `B.9: the person is label 15, or the one that mask.label names, and the cut is hard`() throws {
    let labels = (0..<256).map { UInt8($0) }
    for (assignments, label) in [([], 15), (["mask.label=0"], 0), (["mask.label=255"], 255)] {
      let pipeline = try pipeline(ScriptedSegmenter(16, 16, .labels) { _ in labels }, assignments)
      #expect(try masks(pipeline, 0..<1) == [labels.map { $0 == label ? 255 : 0 }])
    }
  }

  @Test func `D.19: a matte stays 8-bit, or is cut at the threshold`() throws {
    let matte = (0..<256).map { UInt8($0) }
    let soft = try pipeline(ScriptedSegmenter(16, 16, .matte) { _ in matte }, ["mask.soft=true"])
    #expect(try masks(soft, 0..<1) == [matte])
    for (threshold, first) in [("0.5", 128), ("0.01", 3), ("1", 255), ("0.2", 51)] {
      let pipeline = try pipeline(ScriptedSegmenter(16, 16, .matte) { _ in matte }, ["mask.threshold=\(threshold)"])
      #expect(try masks(pipeline, 0..<1) == [matte.map { Int($0) >= first ? 255 : 0 }])
    }
  }

  @Test func `the network is asked on multiples of mask.every and its mask holds in between`() throws {
    let segmenter = ScriptedSegmenter(2, 2, .matte) { [UInt8](repeating: UInt8($0), count: 4) }
    let pipeline = try pipeline(segmenter, ["mask.every=3", "mask.soft=true"])
    // A replay that begins in the middle begins with a mask.
    #expect(try masks(pipeline, 4..<11).map { $0?[0] } == [4, 4, 6, 6, 6, 9, 9])
    #expect(segmenter.askedNumbers == [4, 6, 9])
  }

  @Test func `B.9: where the prediction fails the frame is skipped, so that the output before stays`() throws {
    let segmenter = ScriptedSegmenter(2, 2, .labels) { [0, 3, 4].contains($0) ? nil : [15, 0, 0, 15] }
    let person: [UInt8]? = [255, 0, 0, 255]
    #expect(try masks(try pipeline(segmenter), 0..<6) == [nil, person, person, nil, nil, person])
    let rare = ScriptedSegmenter(2, 2, .labels) { [0, 4].contains($0) ? nil : [15, 0, 0, 15] }
    #expect(
      try masks(try pipeline(rare, ["mask.every=2"]), 0..<8) == [nil, nil, person, person, nil, nil, person, person])
  }

  @Test func `B.9, D.20: what has no answer is told as skipped, and the picture given before stays what it was`() throws
  {
    let segmenter = ScriptedSegmenter(2, 2, .labels) { $0 == 1 ? nil : [15, 0, 0, 15] }
    let pipeline = try pipeline(segmenter)
    func result(_ number: Int) throws -> PipelineResult {
      try pipeline.process(FrameSet(index: number, color: try colorFrame(video, number: number), depth: nil, faces: []))
    }
    let before = try #require(try result(0).output)
    let composite = before.composite.array
    guard case .skipped = try result(1) else {
      Issue.record("a frame without a mask was not skipped")
      return
    }
    #expect(before.composite.array == composite)
    #expect(try result(2).output?.composite.array == composite)
    #expect(segmenter.askedNumbers == [0, 1, 2])
  }

  @Test func `B.9: a label is looked up at the nearest place of the stretched mask`() throws {
    // Wider than the video one way and smaller the other, neither a multiple.
    for (width, height) in [(13, 9), (40, 24), (51, 7), (1, 1), (20, 12)] {
      let labels = (0..<width * height).map { UInt8($0 * 7 % 3 == 0 ? 15 : 4) }
      let pipeline = try pipeline(ScriptedSegmenter(width, height, .labels) { _ in labels })
      let frames = FrameSet(index: 0, color: try colorFrame(video), depth: nil, faces: [])
      let output = try #require(try pipeline.process(frames).output)
      let expected = (0..<40 * 24).map { i in
        let x = Int((Double(i % 40) + 0.5) * Double(width) / 40)
        let y = Int((Double(i / 40) + 0.5) * Double(height) / 24)
        return UInt8(labels[y * width + x] == 15 ? 255 : 0)
      }
      #expect(output.matte?.array == expected, "\(width)x\(height)")
    }
  }

  @Test func `B.8: with no background the frame passes through`() throws {
    let segmenter = ScriptedSegmenter(2, 2, .labels) { _ in [15, 0, 0, 0] }
    let pipeline = try pipeline(segmenter, background: nil)
    let frames = FrameSet(index: 0, color: try colorFrame(video), depth: nil, faces: [])
    let output = try #require(try pipeline.process(frames).output)
    #expect(output.composite.array == video.pixels)
  }

  @Test(arguments: [1, 2, 5])
  func `threads change no bit of the mask`(threadCount: Int) throws {
    let labels = (0..<37 * 23).map { UInt8($0 % 17) }
    let pipeline = try pipeline(ScriptedSegmenter(37, 23, .labels) { _ in labels }, threadCount: threadCount)
    #expect(try masks(pipeline, 0..<2) == [labels.map { $0 == 15 ? 255 : 0 }, labels.map { $0 == 15 ? 255 : 0 }])
  }

  @Test func `no mask is smaller than a pixel or larger than any frame`() throws {
    for (width, height) in [(0, 5), (5, 0), (16_385, 1)] {
      let error = #expect(throws: RetakeError.self) {
        try pipeline(ScriptedSegmenter(width, height, .labels) { _ in nil })
      }
      #expect(error?.code == .unsupported)
    }
  }
}
