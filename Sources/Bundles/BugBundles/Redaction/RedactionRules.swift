import FrameModel
import Support

/// What is taken away from a copy of a recording, so that people in it are not recognised.
///
/// None of them touches depth, the alpha of a simulated person, or motion: **depth maps go on showing the shape of people and
/// rooms**, and one of a millimetre's resolution shows the relief of a face. Times, numbers, events, the words of marks, and
/// the calibration of the lenses stay too. What infrared cameras saw is black under every rule but `dropSerials`: they show faces as
/// colour does, through another lens than the one that the boxes are of.
package struct RedactionRules: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Colour frames are black, of the same size and format. Boxes and angles of faces stay.
  package static let dropColor = RedactionRules(rawValue: 1)
  /// In colour, the surroundings of each face are coarse squares of one colour each (see `FaceSurroundings`). Clothes, hair
  /// far from the face, the room and what lies in it stay, and so do boxes and angles of faces.
  package static let blurFaces = RedactionRules(rawValue: 2)
  /// In colour, the surroundings of each face are one mid grey; of what is known of faces only the boxes stay. What else
  /// `blurFaces` leaves, this leaves too.
  package static let facesOnlyBoxes = RedactionRules(rawValue: 4)
  /// Devices are named by their driver and a number, and settings that hold a serial number or a place on a bus are left out.
  /// Lens calibrations stay, and could tell two devices apart.
  package static let dropSerials = RedactionRules(rawValue: 8)

  /// Rules and their names, in the order of `names`: as options and settings spell them.
  private static let all: [(rule: RedactionRules, name: String)] = [
    (.dropColor, "drop-color"), (.blurFaces, "blur-faces"), (.facesOnlyBoxes, "faces-only-boxes"),
    (.dropSerials, "drop-serials"),
  ]

  package var names: [String] { Self.all.filter { contains($0.rule) }.map(\.name) }

  /// The rules of these names.
  /// - Throws: `.usage` for a name that none has.
  package init(names: [String]) throws(RetakeError) {
    self = []
    for name in names {
      guard let rule = Self.all.first(where: { $0.name == name })?.rule else {
        throw RetakeError(
          .usage, "There is no rule of redaction '\(name)'.",
          hint: "there are \(Self.all.map(\.name).joined(separator: ", "))")
      }
      insert(rule)
    }
  }

  /// What faces must be known for: black frames show none.
  var needsFaces: Bool { !contains(.dropColor) && !isDisjoint(with: [.blurFaces, .facesOnlyBoxes]) }
  /// Whether pixels are changed.
  package var changesPixels: Bool { !isDisjoint(with: [.dropColor, .blurFaces, .facesOnlyBoxes]) }
}
