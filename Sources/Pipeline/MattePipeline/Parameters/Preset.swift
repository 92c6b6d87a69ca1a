import Parameters
import Support

/// A named starting point: assignments on top of the parameters' defaults (see SeedSystems.md).
package struct Preset: Hashable, Sendable {
  package let name: String
  package let help: String
  package let assignments: [String]

  /// Retake's own, the default first; then those of the seed systems.
  package static let all = [
    Preset(
      name: "desk",
      help:
        "replaces what is behind people with a picture, by faces, depth and movement, and by the empty room if a "
        + "recording begins with it; the camera stands still",
      assignments: nearest + still + [
        "mask.movement=true", "mask.empty-start=true", "mask.plate-frames=15", "mask.plate-doubt=0.15",
        "mask.plate-color=true",
      ]),
    Preset(
      name: "static-camera",
      help: "replaces the room behind people with a picture; begins with 30 depth frames of the empty room",
      assignments: edges + still + [
        "mask.kind=plate", "mask.plate-doubt=0.15", "mask.plate-color=true", "mask.pieces=large", "mask.fill=0.01",
        "matte.refine-inside=3", "matte.refine-outside=4", "matte.refine-doubt=1",
      ]),
    Preset(
      name: "handheld", help: "replaces what is behind people with a picture, by faces and depth; the camera may move",
      assignments: nearest),
    Preset(
      name: "truedepth-backdrop",
      help: "replaces everything farther than the face plus an offset with a picture", assignments: []),
    Preset(
      name: "virtual-background",
      help: "replaces everything that a network does not classify as a person with a picture",
      assignments: [
        "mask.kind=segmentation", "matte.blur=0", "matte.gamma=1", "matte.scale=nearest",
        "composite.without-background=video",
      ]),
    Preset(
      name: "video-depth-maps", help: "turns everything beyond the disparity in focus into a comic",
      assignments: passes + ["mask.kind=high-pass", "composite.kind=comic"]),
    Preset(
      name: "video-depth-maps-green-screen", help: "replaces everything beyond the disparity in focus with a picture",
      assignments: passes + ["mask.kind=sharp-high-pass", "composite.fit=crop", "composite.without-background=video"]),
    Preset(
      name: "video-depth-maps-blur", help: "blurs everything in front of and behind the disparity in focus",
      assignments: passes + ["mask.kind=band-pass", "mask.focus=1", "composite.kind=blur"]),
    Preset(
      name: "matte-effects", help: "shows the person in front of a colour computed from the face's angles",
      assignments: [
        "mask.kind=segmentation", "mask.soft=true", "matte.blur=0", "matte.gamma=1", "matte.scale=bilinear",
        "composite.kind=face-color",
      ]),
    Preset(
      name: "avcam-filter", help: "removes green from the video and mixes in depth as grey",
      assignments: [
        "composite.kind=filter", "composite.filter=rosy", "composite.mix=0.5", "composite.without-mask=video",
      ]),
  ]

  /// What commands start from without --preset.
  package static var standard: Preset { all[0] }

  /// Shared by presets of Retake's own.
  private static let edges = ["matte.blur=1.5", "matte.gamma=1", "matte.refine=color", "composite.foreground=estimate"]

  /// Of cameras that stand still.
  private static let still = ["matte.still=0.6"]

  /// Of people nearer than what is behind them.
  private static let nearest =
    edges + [
      "mask.offset=0.35", "mask.without-face=nearest", "mask.pieces=face", "mask.fill=0.01",
      "matte.refine-inside=2", "matte.refine-outside=6", "matte.refine-doubt=1",
    ]

  /// Shared by the presets of video-depth-maps.
  private static let passes = [
    "depth.scale-by=longer-side", "matte.blur=0", "matte.gamma=1", "composite.without-mask=video",
  ]

  /// - Throws: `.usage` naming the nearest preset.
  package static func named(_ name: String) throws(RetakeError) -> Preset {
    if let preset = all.first(where: { $0.name == name }) { return preset }
    let names = all.map(\.name)
    throw RetakeError(
      .usage, "There is no preset '\(name)'.",
      hint: "\(Spelling.guess(name, in: names))There are: \(names.joined(separator: ", "))")
  }

  package func parameters(_ declarations: [ParameterDeclaration]) throws(RetakeError) -> ParameterSet {
    var set = ParameterSet(declarations)
    for assignment in assignments { try set.set(assignment) }
    return set
  }
}
