import FrameModel
import Kernels
import RecordingStore
import Support

extension RedactionRules {
  /// What a bundle says was removed. Of rules for the same pixels, only the strongest is named.
  /// - Parameters:
  ///   - streams: those of the part.
  ///   - unchanged, covered: colour frames in which faces were to be covered and none is known, and those with one.
  ///   - assumed: of the covered ones, those in which none was seen, only shortly before or after.
  package func sentences(
    of streams: [StreamDescription], unchanged: Int = 0, covered: Int = 0, assumed: Int = 0
  ) -> [String] {
    var sentences: [String] = []
    let hasInfrared = streams.contains { $0.kind == .infrared }
    let infrared = hasInfrared ? ", and infrared is black" : ""
    let known = unchanged == 0 ? "" : " in \(covered) of \(covered + unchanged) frames, where one is known"
    let hasJPEG = streams.contains { $0.layout.format == .jpeg }
    if contains(.dropColor) {
      sentences.append(hasInfrared ? "Colour and infrared are black." : "Colour is black.")
    } else if contains(.facesOnlyBoxes) {
      sentences.append("Faces that were found in colour, and what is around them, are grey\(known)\(infrared).")
    } else if contains(.blurFaces) {
      sentences.append(
        "Faces that were found in colour, and what is around them, are coarse squares\(known)\(infrared).")
    }
    if needsFaces && assumed > 0 {
      sentences.append(
        "In \(assumed) of \(covered + unchanged) frames no face was seen: covered is where one was shortly before or after."
      )
    }
    if contains(.facesOnlyBoxes) { sentences.append("Nothing but their boxes is known of faces.") }
    if contains(.dropSerials) {
      sentences.append(
        "Serial numbers of cameras and the places that they were plugged in are left out"
          + (hasJPEG ? ", and of JPEG files all but the picture." : "."))
    }
    return sentences
  }

  /// What a bundle says remains in it.
  /// - Parameters:
  ///   - copy: the part in the bundle.
  ///   - unchanged: colour frames in which faces were to be covered and none is known.
  func remainder(
    in copy: Recording, unchanged: Int, tags: RecordingTags, note: String, hasBackground: Bool, hasPlate: Bool
  ) throws(RetakeError) -> String {
    let streams = copy.streams
    func has(_ kind: StreamKind) -> Bool { streams.contains { $0.kind == kind } }
    var left: [String] = []
    if has(.color) && !changesPixels { left.append("colour, with the people that it shows") }
    if unchanged > 0 { left.append("the whole colour of frames in which no face is known: \(unchanged)") }
    if has(.color) && changesPixels && !contains(.dropColor) {
      left.append("colour away from the faces that were found, with any that was not found, clothes and the room")
    }
    if isEmpty && streams.contains(where: { $0.layout.format == .jpeg }) {
      left.append("what its JPEG files say of cameras, places and people")
    }
    if has(.infrared) && !changesPixels { left.append("infrared, with the people that it shows") }
    if has(.depth) { left.append("depth, which shows the shape of faces, bodies and rooms") }
    if has(.alpha) || copy.keptMasks().count > 0 { left.append("outlines of people") }
    if try copy.summary().faceFrameCount > 0 {
      left.append(contains(.facesOnlyBoxes) ? "boxes of faces" : "boxes and angles of faces")
    }
    left.append(has(.motion) ? "motion, times, marks and events" : "times, marks and events")
    if !contains(.dropSerials) && streams.contains(where: { $0.device.contains(":") }) {
      left.append("serial numbers or ports of cameras")
    }
    if streams.contains(where: { (try? CameraIntrinsics($0)) != nil }) { left.append("calibrations of lenses") }
    left.append("the recording's id")
    left.append("versions of Retake, system, kernel and compiler, and the processor's name")
    if hasBackground { left.append(isEmpty ? "the background, with all that its file says" : "the background") }
    if hasPlate { left.append("depth and colours of the empty room") }
    if !tags.tags.isEmpty { left.append("tags") }
    if !tags.note.isEmpty { left.append("the recording's note") }
    if !note.isEmpty { left.append("the bundle's note") }
    return left.joined(separator: "; ") + "."
  }
}
