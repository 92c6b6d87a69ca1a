import FrameModel

/// One person at one moment.
struct Figure {
  struct Part {
    let map: ReliefMap
    let place: PartPlacement
    /// How often the relief's height corrects where a ray meets it.
    var refinements = 0
  }

  /// From far to near.
  var parts: [Part]
  /// Metres from the camera to the middle of the body.
  var distance: Float
  /// The face's place and angles if it can be seen.
  var face: Face?

  struct Face {
    let place: PartPlacement
    let roll: Double
    let pitch: Double
    let yaw: Double

    func observation(in lens: Pinhole) -> FaceObservation {
      FaceObservation(
        box: PersonPose.faceBox(of: place, in: lens), confidence: 1, roll: roll, pitch: pitch, yaw: yaw,
        detector: "simulated")
    }
  }
}
