/// What a pipeline is given for one video frame. It cannot tell whether a camera or a recording gave it.
package struct FrameSet: Sendable {
  /// Counts video frames from 0.
  package var index: Int
  package var color: Frame
  /// New depth; nil when the last one holds.
  package var depth: Frame?
  /// In the detector's order: the first counts.
  package var faces: [FaceObservation]

  package init(index: Int, color: Frame, depth: Frame?, faces: [FaceObservation]) {
    self.index = index
    self.color = color
    self.depth = depth
    self.faces = faces
  }
}
