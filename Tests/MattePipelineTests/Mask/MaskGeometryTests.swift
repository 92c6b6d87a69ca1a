import FrameModel
import MattePipeline
import Parameters
import TestSupport
import Testing

@Suite struct MaskGeometryTests {
  @Test(arguments: 1...4)
  func `C.11 the latest depth mask is reused on newer video frames, at every even fraction of the rate`(fraction: Int)
    throws
  {
    let format = try PipelineFormat(
      color: FrameLayout(.rgb24, width: 40, height: 30), depth: FrameLayout(.depthMillimeters16, width: 20, height: 15))
    var parameters = ParameterSet(PipelineParameters.all)
    for assignment in ["mask.kind=high-pass", "matte.blur=0", "matte.gamma=1"] { try parameters.set(assignment) }
    let pipeline = try MattePipeline(
      format, parameters: parameters, sources: PipelineSources(background: noiseImage(40, 30, seed: 99)),
      threadCount: 1)
    var (mask, matte): ([UInt8], [UInt8]) = ([], [])
    for index in 0..<8 {
      let isNew = index % fraction == 0
      let map = DepthMap(20, 15) { x, y in UInt16(1000 + 40 * ((x + y + 5 * index) % 30)) }
      let video = noiseImage(40, 30, seed: UInt64(index))
      let output = try #require(
        try pipeline.process(
          FrameSet(
            index: index, color: try colorFrame(video, number: index), depth: isNew ? try depthFrame(map) : nil,
            faces: [])
        ).output)
      #expect(output.maskIsNew == isNew && output.depthIsNew == isNew)
      if isNew {
        #expect(output.allMask.array != mask)
        (mask, matte) = (output.allMask.array, output.allMatte.array)
      }
      #expect(output.allMask.array == mask && output.allMatte.array == matte)
      // The newer frame shows through the older matte.
      let composite = output.composite.array
      let seen = matte.indices.filter { matte[$0] == 255 }
      #expect(!seen.isEmpty)
      #expect(seen.allSatisfy { composite[3 * $0] == video.pixels[3 * $0] })
    }
  }

  @Test
  func `C.11 scale is by the longer sides where the parameters say so, which upright pictures of another aspect show`()
    throws
  {
    // One column of the depth map is the person: it is 4 video pixels wide by the longer sides, 3 by the widths.
    let map = DepthMap(24, 32) { x, _ in x == 12 ? 1000 : 4000 }
    for (rule, pixels) in [("longer-side", 4), ("width", 3)] {
      let studio = try Studio(
        video: noiseImage(72, 128, seed: 1), depth: (24, 32),
        ["mask.kind=cutoff", "matte.blur=0", "matte.gamma=1", "depth.scale-by=\(rule)"])
      let row = try #require(try studio.process(map)).allMatte.row(64)
      #expect((36..<36 + pixels).allSatisfy { row[$0] > 127 })
      #expect((0..<72).count { row[$0] > 127 } == pixels)
    }
    // Where both lie, the rules agree.
    #expect(
      PlaneGeometry(depthWidth: 320, depthHeight: 240, videoWidth: 1280, videoHeight: 720, by: .longerSide)
        == PlaneGeometry(depthWidth: 320, depthHeight: 240, videoWidth: 1280, videoHeight: 720))
  }

  @Test
  func `C.11 all presets of video-depth-maps scale by the longer sides`() throws {
    for preset in Preset.all {
      let set = try preset.parameters(PipelineParameters.all)
      let expected = preset.name.hasPrefix("video-depth-maps") ? PlaneGeometry.ScaleRule.longerSide : .width
      #expect(set[PipelineParameters.depth.scaleBy] == expected)
    }
  }
}
