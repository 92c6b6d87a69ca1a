import RetakeKit

/// How well presets do on a recording, by the scores that need no true matte.
func compare(presets: [String], on recording: Recording) throws -> [String: [String: Double]] {
  var found: [String: [String: Double]] = [:]
  for preset in presets {
    var sweep = Sweep([recording], from: try Parameters(preset: preset))
    sweep.scores = ["soft", "components", "area"]
    found[preset] = try sweep.score()
  }
  return found
}
