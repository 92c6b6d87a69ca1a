import RecordingRedaction

extension RedactionRules {
  /// What a bundle says of what was taken out of it.
  var sentences: [String] {
    names.map { name in
      switch RedactionRules.rule(name) {
      case .dropColor: "Colour is black."
      case .blurFaces: "Faces and what is around them are coarse squares."
      case .facesOnlyBoxes: "Faces and what is around them are grey, and nothing but their boxes is known of them."
      case .dropSerials: "Serial numbers of cameras and the places that they were plugged in are left out."
      default: "\(name)."
      }
    }
  }

  private static func rule(_ name: String) -> RedactionRules? { try? RedactionRules(names: [name]) }
}
