import MattePipeline
import Parameters
import Testing

struct PipelineMemoryTests {
  private func memory(_ preset: String, _ assignments: [String] = []) throws -> PipelineMemory {
    var parameters = try Preset.named(preset).parameters(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    return PipelineMemory(parameters)
  }

  @Test(arguments: [
    ("desk", [], "mask.movement", PipelineStages([.mask, .matte, .composite])),
    ("static-camera", [], "mask.plate-frames", [.mask, .matte, .composite]),
    ("video-depth-maps", [], nil, []),
    ("video-depth-maps", ["depth.temporal=smooth"], "depth.temporal", [.depth, .mask, .matte, .composite]),
    ("video-depth-maps", ["matte.still=0.5"], "matte.still", [.matte, .composite]),
    ("video-depth-maps", ["composite.mix=0.5"], "composite.mix", [.composite]),
    // A parameter of another kind of mask is no memory.
    ("video-depth-maps", ["mask.movement=true"], nil, []),
  ])
  func `stages after the first with memory depend on earlier frames`(
    preset: String, assignments: [String], parameter: String?, stages: PipelineStages
  ) throws {
    let memory = try memory(preset, assignments)
    #expect(memory.parameter == parameter)
    #expect(memory.stages == stages)
  }

  @Test
  func `a change is remembered by the stages from it on`() throws {
    let memory = try memory("desk")
    #expect(memory.remembered(from: .composite) == [])
    #expect(memory.remembered(from: .matte) == [.matte, .composite])
    #expect(memory.remembered(from: .depth) == memory.stages)
  }
}
