import FrameModel
import MattePipeline
import Testing

@Suite struct PresetTests {
  @Test("truedepth-backdrop is a preset with the values of the seed system's public code")
  func defaults() throws {
    let set = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    #expect(
      set.canonicalText == """
        depth.registration=auto
        mask.face-sample=median
        mask.offset=0.25
        mask.start=1
        matte.blur=5
        matte.gamma=0.5
        composite.background=

        """)
  }

  @Test("a preset that is not there is answered with the nearest one")
  func unknown() {
    let error = #expect(throws: RetakeError.self) { try Preset.named("truedept-backdrop") }
    #expect(error?.code == .usage)
    #expect(error?.hint.contains("did you mean truedepth-backdrop?") == true)
  }
}
