/// The pipeline's input for one video frame; the same from a camera and from a recording.
package struct FrameSet: Sendable {
  /// Counts video frames from 0.
  package var index: Int
  package var color: Frame
  /// A new depth frame; nil while the previous one stays in use.
  package var depth: Frame?
  /// In the detector's order. The pipeline uses the first.
  package var faces: [FaceObservation]

  package init(index: Int, color: Frame, depth: Frame?, faces: [FaceObservation]) {
    self.index = index
    self.color = color
    self.depth = depth
    self.faces = faces
  }
}
