extension RedactionRules {
  /// What a bundle says was removed. Of rules for the same pixels, only the strongest is named.
  var sentences: [String] {
    var sentences: [String] = []
    if contains(.dropColor) {
      sentences.append("Colour and infrared are black.")
    } else if contains(.facesOnlyBoxes) {
      sentences.append("Faces in colour and what is around them are grey, and infrared is black.")
    } else if contains(.blurFaces) {
      sentences.append("Faces in colour and what is around them are coarse squares, and infrared is black.")
    }
    if contains(.facesOnlyBoxes) { sentences.append("Nothing but their boxes is known of faces.") }
    if contains(.dropSerials) {
      sentences.append("Serial numbers of cameras and the places that they were plugged in are left out.")
    }
    return sentences
  }

  /// What a bundle says remains in it.
  func remainder(hasBackground: Bool) -> String {
    var left: [String] = []
    if !changesPixels {
      left.append("colour and infrared, with the people that they show")
    } else if !contains(.dropColor) {
      left.append("colour away from faces, with clothes and the room")
    }
    left.append("depth, which shows the shape of faces, bodies and rooms")
    left.append("outlines of people, where the recording or a network has them")
    left.append(contains(.facesOnlyBoxes) ? "boxes of faces" : "boxes and angles of faces")
    left.append("motion, times, marks and events")
    if !contains(.dropSerials) { left.append("serial numbers of cameras") }
    left.append("calibrations of lenses")
    if hasBackground { left.append("the background") }
    if isEmpty { left.append("tags") }
    return "\(left.joined(separator: "; ")); and the note."
  }
}
