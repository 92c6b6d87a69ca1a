// Written by PipelineDigestTests: a digest of all stages of all frames for each preset and shape.
let pipelineGoldens: [String: String] = [:]
