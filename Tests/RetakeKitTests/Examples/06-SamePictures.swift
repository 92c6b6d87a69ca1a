import RetakeKit

/// Whether a change of parameters changes any pixel of any stage.
func changesNothing(_ recording: Recording, _ name: String, to value: String, in folder: String) throws -> Bool {
  let parameters = try Parameters(preset: "truedepth-backdrop")
  let before = try Replay(recording, parameters).writeDigests(to: "\(folder)/before.jsonl")
  let after = try Replay(recording, parameters.setting(name, to: value)).writeDigests(to: "\(folder)/after.jsonl")
  // 'retake compare before.jsonl after.jsonl' names the first frame and stage that differ.
  return before == after
}
