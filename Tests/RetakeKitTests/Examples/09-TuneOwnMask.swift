import RetakeKit

/// Tries the own mask beside a built-in one, and thresholds of it, and chooses by a score.
func tuneBrightMask(_ recording: Recording, results: String) throws -> SweepResults.Setting {
  var sweep = Sweep([recording], from: try Parameters(preset: "truedepth-backdrop", stages: [BrightMask()]))
  sweep.values["mask.kind"] = ["cutoff", "bright"]
  sweep.values["mask.bright.threshold"] = ["20", "100", "250"]
  sweep.scores = ["area", "components"]
  return try sweep.run(results: results).best("area<0.5,max(area)")
}
