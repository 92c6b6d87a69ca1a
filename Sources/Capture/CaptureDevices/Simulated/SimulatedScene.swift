import FrameModel

package struct SimulatedScene: Sendable {
  package let options: SimulationOptions
  package let colorLens: Pinhole
  package let depthLens: Pinhole
  let room: RoomPicture
  /// The room at the depth stream's resolution; the same as `room` if the resolutions match.
  let depthRoom: RoomPicture
  let person: Person?
  let noise: SensorNoise?

  package init(_ options: SimulationOptions) {
    let look = SceneLook(seed: options.seed)
    let colorLens = Pinhole(width: options.width, height: options.height)
    let depthLens = Pinhole(colorLens, width: options.depthWidth, height: options.depthHeight)
    let geometry = SceneRoom(look: look, seed: options.seed)
    let room = RoomPicture(geometry, lens: colorLens)
    self.options = options
    self.colorLens = colorLens
    self.depthLens = depthLens
    self.room = room
    depthRoom = depthLens == colorLens ? room : RoomPicture(geometry, lens: depthLens)
    let finest = depthLens.focalX > colorLens.focalX ? depthLens : colorLens
    person = options.person ? Person(look: look, seed: options.seed, lens: finest) : nil
    noise = options.noise ? SensorNoise(seed: options.seed) : nil
  }

  /// The pose at an instant, counted in colour frames.
  package func pose(at instant: Int) -> PersonPose {
    let time = Double(instant) * Double(options.rate.denominator) / Double(options.rate.numerator)
    return PersonPose(time: time, seed: options.seed)
  }

  package func faces(at instant: Int, _ pose: PersonPose) -> [FaceObservation] {
    guard options.person, options.faces, options.faceLost?.contains(instant) != true else { return [] }
    return [
      FaceObservation(
        box: pose.faceBox(in: colorLens), confidence: 1, roll: pose.roll, pitch: pose.pitch, yaw: pose.yaw,
        detector: "simulated")
    ]
  }
}
