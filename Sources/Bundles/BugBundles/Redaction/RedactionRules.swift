import Support

/// What is removed from a copy of a recording, so that people in it are not recognised.
///
/// No rule touches depth, a simulated person's alpha, or motion: **depth maps still show the shape
/// of people and rooms**, at millimetre resolution even the relief of a face. Times, numbers,
/// events, marks and lens calibrations stay too. All rules but `dropSerials` make infrared black:
/// it shows faces too, and the boxes are of another lens.
package struct RedactionRules: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Colour frames become black, with the same size and format. Boxes and angles of faces stay.
  package static let dropColor = RedactionRules(rawValue: 1)
  /// The surroundings of faces in colour become coarse squares (see `FaceSurroundings`). Clothes,
  /// hair far from the face, the room, and boxes and angles of faces stay.
  package static let blurFaces = RedactionRules(rawValue: 2)
  /// Like `blurFaces`, but the surroundings become mid grey, and only the boxes of faces are kept.
  package static let facesOnlyBoxes = RedactionRules(rawValue: 4)
  /// Devices are named by driver and number; settings with serial numbers or bus places are
  /// removed. Lens calibrations stay, and could tell two devices apart.
  package static let dropSerials = RedactionRules(rawValue: 8)

  /// Rules and the names that options and settings use, in the order of `names`.
  private static let all: [(rule: RedactionRules, name: String)] = [
    (.dropColor, "drop-color"), (.blurFaces, "blur-faces"), (.facesOnlyBoxes, "faces-only-boxes"),
    (.dropSerials, "drop-serials"),
  ]

  package var names: [String] { Self.all.filter { contains($0.rule) }.map(\.name) }

  /// - Throws: `.usage` for an unknown name.
  package init(names: [String]) throws(RetakeError) {
    self = []
    for name in names {
      guard let rule = Self.all.first(where: { $0.name == name })?.rule else {
        throw RetakeError(
          .usage, "There is no redaction rule '\(name)'.",
          hint: "there are \(Self.all.map(\.name).joined(separator: ", "))")
      }
      insert(rule)
    }
  }

  /// Whether face boxes are needed. Black frames show no faces.
  var needsFaces: Bool { !contains(.dropColor) && !isDisjoint(with: [.blurFaces, .facesOnlyBoxes]) }
  package var changesPixels: Bool { !isDisjoint(with: [.dropColor, .blurFaces, .facesOnlyBoxes]) }
}
