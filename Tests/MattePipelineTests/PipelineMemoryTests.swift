import MattePipeline
import Parameters
import Testing

struct PipelineMemoryTests {
  private func memory(_ preset: String, _ assignments: [String] = []) throws -> PipelineMemory {
    var parameters = try Preset.named(preset).parameters(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    return PipelineMemory(parameters)
  }

  @Test
  func `stages after the first with memory depend on earlier frames`() throws {
    func check(_ preset: String, _ assignments: [String], _ parameter: String?, _ stages: PipelineStages) throws {
      let memory = try memory(preset, assignments)
      #expect(memory.parameter == parameter, "\(preset) \(assignments)")
      #expect(memory.stages == stages, "\(preset) \(assignments)")
    }
    try check("desk", [], "mask.movement", [.mask, .matte, .composite])
    try check("truedepth-backdrop", ["mask.empty-start=true"], "mask.empty-start", [.mask, .matte, .composite])
    try check("video-depth-maps", ["mask.empty-start=true"], nil, [])
    try check("static-camera", [], "mask.plate-frames", [.mask, .matte, .composite])
    let read = ["mask.plate=x", "matte.still=0"]
    try check("static-camera", read, nil, [])
    try check("static-camera", read + ["mask.plate-renew=9"], "mask.plate-renew", [.mask, .matte, .composite])
    try check("video-depth-maps", [], nil, [])
    try check("video-depth-maps", ["depth.temporal=smooth"], "depth.temporal", [.depth, .mask, .matte, .composite])
    try check("video-depth-maps", ["matte.still=0.5"], "matte.still", [.matte, .composite])
    try check("video-depth-maps", ["composite.mix=0.5"], "composite.mix", [.composite])
    // A parameter of another kind of mask is no memory.
    try check("video-depth-maps", ["mask.movement=true"], nil, [])
  }

  @Test
  func `a change is remembered by the stages from it on`() throws {
    let memory = try memory("desk")
    #expect(memory.remembered(from: .composite) == [])
    #expect(memory.remembered(from: .matte) == [.matte, .composite])
    #expect(memory.remembered(from: .depth) == memory.stages)
  }
}
