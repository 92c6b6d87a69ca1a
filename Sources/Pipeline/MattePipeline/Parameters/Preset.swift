import FrameModel
import Parameters
import Support

/// A named starting point: assignments on top of the parameters' defaults (see SeedSystems.md).
package struct Preset: Hashable, Sendable {
  package let name: String
  package let help: String
  package let assignments: [String]

  package static let all = [
    Preset(
      name: "truedepth-backdrop",
      help: "everything farther than the face plus an offset is replaced by a picture", assignments: []),
    Preset(
      name: "virtual-background",
      help: "everything that a network does not take for a person is replaced by a picture",
      assignments: [
        "mask.kind=segmentation", "matte.blur=0", "matte.gamma=1", "matte.scale=nearest",
        "composite.without-background=video",
      ]),
    Preset(
      name: "video-depth-maps", help: "what lies beyond the disparity in focus becomes a comic",
      assignments: passes + ["mask.kind=high-pass", "composite.kind=comic"]),
    Preset(
      name: "video-depth-maps-green-screen", help: "what lies beyond the disparity in focus is replaced by a picture",
      assignments: passes + ["mask.kind=sharp-high-pass", "composite.fit=crop", "composite.without-background=video"]),
    Preset(
      name: "video-depth-maps-blur", help: "what lies before and behind the disparity in focus is blurred",
      assignments: passes + ["mask.kind=band-pass", "mask.focus=1", "composite.kind=blur"]),
    Preset(
      name: "matte-effects", help: "a person before a colour that the angles of the face make",
      assignments: [
        "mask.kind=segmentation", "mask.soft=true", "matte.blur=0", "matte.gamma=1", "matte.scale=bilinear",
        "composite.kind=face-color",
      ]),
    Preset(
      name: "avcam-filter", help: "the video without its green, mixed with depth in grey",
      assignments: [
        "composite.kind=filter", "composite.filter=rosy", "composite.mix=0.5", "composite.without-mask=video",
      ]),
  ]

  /// Shared by the presets of video-depth-maps.
  private static let passes = [
    "depth.scale-by=longer-side", "matte.blur=0", "matte.gamma=1", "composite.without-mask=video",
  ]

  /// - Throws: `.usage` naming the nearest preset.
  package static func named(_ name: String) throws(RetakeError) -> Preset {
    if let preset = all.first(where: { $0.name == name }) { return preset }
    let nearest = Spelling.nearest(to: name, in: all.map(\.name)) ?? ""
    throw RetakeError(
      .usage, "There is no preset '\(name)'.",
      hint: "did you mean \(nearest)? There are: \(all.map(\.name).joined(separator: ", "))")
  }

  package func parameters(_ declarations: [ParameterDeclaration]) throws(RetakeError) -> ParameterSet {
    var set = ParameterSet(declarations)
    for assignment in assignments { try set.set(assignment) }
    return set
  }
}
