import FrameModel
import MattePipeline
import Parameters
import Support
import Testing

@Suite struct PresetTests {
  @Test
  func `truedepth-backdrop is a preset with the values of the seed system's public code`() throws {
    let set = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    #expect(set == ParameterSet(PipelineParameters.all))
    let expected = [
      "mask.kind=face", "mask.second=none", "mask.face-sample=median", "mask.offset=0.25", "mask.start=1",
      "matte.blur=5", "matte.feather=both", "matte.gamma=0.5", "matte.scale=bicubic", "composite.kind=backdrop",
      "composite.fit=fill", "composite.color=#000000", "composite.without-mask=skip", "composite.light=srgb",
    ]
    let lines = set.canonicalText.split(separator: "\n").map(String.init)
    for line in expected { #expect(lines.contains(line), "\(line)") }
  }

  @Test
  func `every preset's values are valid, and each of its assignments changes something`() throws {
    for preset in Preset.all {
      _ = try preset.parameters(PipelineParameters.all)
      for assignment in preset.assignments {
        var set = ParameterSet(PipelineParameters.all)
        try set.set(assignment)
        #expect(set != ParameterSet(PipelineParameters.all), "\(preset.name): \(assignment)")
      }
    }
  }

  @Test
  func `a preset that is not there is answered with the nearest one`() {
    let error = #expect(throws: RetakeError.self) { try Preset.named("truedept-backdrop") }
    #expect(error?.code == .usage)
    #expect(error?.hint.contains("did you mean truedepth-backdrop?") == true)
  }
}
