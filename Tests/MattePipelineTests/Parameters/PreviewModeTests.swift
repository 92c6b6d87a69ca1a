import FrameModel
import Kernels
import MattePipeline
import Support
import TestSupport
import Testing

/// Preview modes of video-depth-maps (C.13): what is not shown is not made.
@Suite struct PreviewModeTests {
  private static let shape = SceneShape(101, 57, depth: 33, 17)

  private static func outputs(_ one: PipelineCase, _ wanted: PipelineStages) throws -> [Int: StageDigests] {
    try one.pipeline(shape, wanted: wanted).digests(try one.scene(shape).frames(6))
  }

  @Test(arguments: PipelineCase.presets + [.emptyStart])
  func `C.13 in original mode no depth work is done: damaged depth does not matter`(_ one: PipelineCase) throws {
    let pipeline = try one.pipeline(Self.shape, wanted: .original)
    for var set in try one.scene(Self.shape).frames(6) {
      set.depth?.byteCount = 1
      let output = try #require(try pipeline.process(set).output)
      #expect(output.depth == nil && output.mask == nil && output.matte == nil && output.sourceDepth == nil)
      #expect(output.composite === output.original)
      #expect(Array(output.original.bytes) == set.color.copied)
    }
    #expect(pipeline.sizes.depth == nil && pipeline.sizes.mask == nil)
  }

  @Test
  func `C.13 in original mode there need be no depth at all`() throws {
    let format = try PipelineFormat(color: FrameLayout(.rgb24, width: 20, height: 10), depth: nil)
    let parameters = try PipelineCase(name: "", preset: "video-depth-maps").parameters()
    let pipeline = try MattePipeline(format, parameters: parameters, wanted: .original, threadCount: 1)
    let set = FrameSet(index: 0, color: try colorFrame(noiseImage(20, 10, seed: 3)), depth: nil, faces: [])
    #expect(try pipeline.process(set).output != nil)
    for wanted in [PipelineStages.depth, .mask, .matte, .composite] {
      let error = #expect(throws: RetakeError.self) {
        try MattePipeline(format, parameters: parameters, wanted: wanted, threadCount: 1)
      }
      #expect(error?.code == .unsupported)
    }
  }

  @Test(arguments: PipelineCase.presets + [.emptyStart])
  func `C.13 every mode shows what the whole pipeline shows there, and makes nothing behind it`(_ one: PipelineCase)
    throws
  {
    let all = try Self.outputs(one, .all)
    #expect(!all.isEmpty)
    for wanted in [PipelineStages.depth, .mask, .matte, .composite, [.depth, .composite]] {
      let outputs = try Self.outputs(one, wanted)
      for (index, whole) in all {
        let output = try #require(outputs[index])
        #expect(output.original == whole.original)
        if wanted.contains(.depth) { #expect(output.depth == whole.depth) }
        if wanted.contains(.mask) { #expect(output.mask == whole.mask && output.matte == nil) }
        if wanted.contains(.matte) { #expect(output.mask == whole.mask && output.matte == whole.matte) }
        if wanted == .depth { #expect(output.mask == nil) }
        #expect(output.composite == (wanted.contains(.composite) ? whole.composite : output.original))
      }
    }
  }

  @Test
  func `C.13 a network is asked only where its masks lead to something that is shown`() throws {
    let one = PipelineCase(name: "", preset: "virtual-background")
    let frames = try one.scene(Self.shape).frames(5)
    for (wanted, count) in [(PipelineStages.original, 0), (.depth, 0), (.mask, 5), (.composite, 5)] {
      let segmenter = ReddishSegmenter()
      let pipeline = try MattePipeline(
        try one.scene(Self.shape).format(), parameters: try one.parameters(),
        sources: PipelineSources(segmenter: segmenter), wanted: wanted, threadCount: 1)
      for set in frames { _ = try pipeline.process(set) }
      #expect(segmenter.askedCount == count)
    }
  }

  @Test
  func `C.13 depth and mask modes give the video until there is depth`() throws {
    let one = PipelineCase(name: "", preset: "video-depth-maps")
    let frames = try one.scene(Self.shape).frames(3)
    for wanted in [PipelineStages.depth, .mask, .matte] {
      let pipeline = try one.pipeline(Self.shape, wanted: wanted)
      let output = try #require(try pipeline.process(frames[1]).output)
      #expect(output.depth == nil && output.mask == nil && output.matte == nil)
      #expect(output.composite === output.original)
      #expect(try pipeline.process(frames[2]).output?.depth != nil)
    }
  }
}

extension Frame {
  fileprivate var copied: [UInt8] { withExtendedLifetime(self) { Array(bytes) } }
}
