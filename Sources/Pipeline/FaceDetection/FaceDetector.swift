import FrameModel
import Support

/// Where in a picture faces are looked for.
package enum FaceSearch: Hashable, Sendable {
  case everywhere
  /// Around where one was, and of about its size: a small part of the work. In pixels of the picture that is searched.
  case near(FaceObservation.Box)
}

/// What a detector sees, in pixels of the picture that is searched.
package struct DetectedFace: Hashable, Sendable {
  package var box: FaceObservation.Box
  /// 0 to 1.
  package var confidence: Double
  /// Radians, clockwise as seen, from the line between the eyes; nil where they were not found.
  package var roll: Double?

  package init(box: FaceObservation.Box, confidence: Double, roll: Double? = nil) {
    self.box = box
    self.confidence = confidence
    self.roll = roll
  }
}

/// Finds faces in one grey picture. What it finds depends on that picture alone.
package protocol FaceDetector: AnyObject {
  /// Name, version and parameters, as they are stored with what it sees.
  var name: String { get }
  /// Pixels of the shorter side that it needs; larger pictures are made smaller for it.
  var usefulSide: Int { get }

  /// Whatever takes long, or may not work at this picture's size, is done here.
  /// - Throws: `.corrupt` for a detector's file that is not made for it.
  func prepare(for picture: GreyImage) throws(RetakeError)
  /// - Returns: faces, the one it is surest of first.
  /// - Throws: `.device` when the detector fails: it will fail again.
  func faces(in picture: GreyImage, _ search: FaceSearch) throws(RetakeError) -> [DetectedFace]
  /// The lean of a head whose box was found, with the roll that was found with it; nil where it is not known.
  func roll(in picture: GreyImage, of face: DetectedFace) throws(RetakeError) -> Double?
}

extension FaceDetector {
  package func prepare(for picture: GreyImage) throws(RetakeError) {}
}
