import FrameModel
import Support

package enum FaceSearch {
  case everywhere
  /// Everywhere, but only faces of the widths that depth allows at each place.
  case sized(FaceSizes)
  /// Around a known face and at about its size, in pixels of the searched picture; much faster.
  case near(FaceObservation.Box)
}

/// A face, in pixels of the searched picture.
package struct DetectedFace: Hashable, Sendable {
  package var box: FaceObservation.Box
  /// 0 to 1.
  package var confidence: Double
  /// Radians, clockwise in the picture, from the line between the eyes; nil if not found.
  package var roll: Double?

  package init(box: FaceObservation.Box, confidence: Double, roll: Double? = nil) {
    (self.box, self.confidence, self.roll) = (box, confidence, roll)
  }
}

/// Finds faces in a grey picture. The result depends only on the picture and the search.
package protocol FaceDetector: AnyObject {
  /// Name, version and parameters, stored with the results.
  var name: String { get }
  /// The shorter side that the detector needs, in pixels; larger pictures are reduced.
  var usefulSide: Int { get }

  /// Does slow set-up work for pictures of this size.
  /// - Throws: `.corrupt` for a detector file that is not made for it.
  func prepare(for picture: GreyImage) throws(RetakeError)
  /// - Returns: faces, the most confident first.
  /// - Throws: `.device` when the detector fails; it would fail again.
  func faces(in picture: GreyImage, _ search: FaceSearch) throws(RetakeError) -> [DetectedFace]
  /// The roll of a detected head, possibly the detection's own; nil if unknown.
  func roll(in picture: GreyImage, of face: DetectedFace) throws(RetakeError) -> Double?
  /// What may find faces that this detector misses; empty if nothing may.
  func remedies(in picture: GreyImage, hasDepth: Bool) -> [FaceRemedy]
}

/// Another detector or option, as `FaceDetectorSpecification` reads it, and what it does.
package struct FaceRemedy: Hashable {
  package var specification: String
  package var effect: String
}

extension FaceDetector {
  package func prepare(for picture: GreyImage) throws(RetakeError) {}
}
