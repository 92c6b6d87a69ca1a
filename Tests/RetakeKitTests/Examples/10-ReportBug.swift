import RetakeKit

/// Packs a few frames and what they look like now, and checks later whether they still do.
func reportBug(_ recording: Recording, to path: String) throws -> BugBundle {
  var parameters = try Parameters(preset: "truedepth-backdrop", stages: [BrightMask()])
  try parameters.set("mask.kind", to: "bright")
  return try BugBundle.make(
    Replay(recording, parameters, frames: 2..<6), to: path, note: "the disc's rim is missing", removing: [.dropSerials])
}

func stillLooksTheSame(_ path: String) throws -> Bool {
  // The bundle names the stage; a program without it gets an error that does so too.
  try BugBundle(path: path).reproduce(stages: [BrightMask()]).isReproduced
}
