import FrameModel
import Support

/// A person in a furnished room, as a camera and a depth sensor with the same viewpoint see it.
/// Instants are counted in colour frames.
package struct Scene: Sendable {
  package let options: SceneOptions
  package let colorLayout: FrameLayout
  package let depthLayout: FrameLayout
  package let colorLens: Pinhole
  package let depthLens: Pinhole
  let room: RoomPicture
  /// The room at the depth stream's resolution; the same as `room` if the resolutions match.
  let depthRoom: RoomPicture
  let person: Person?
  let noise: SensorNoise?

  /// - Throws: `.corrupt` for impossible sizes.
  package init(_ options: SceneOptions) throws(RetakeError) {
    let (size, depthSize) = (options.size, options.depthSize)
    self.options = options
    colorLayout = try FrameLayout(options.colorFormat, width: size.width, height: size.height)
    depthLayout = try FrameLayout(options.depthFormat, width: depthSize.width, height: depthSize.height)
    colorLens = Pinhole(width: size.width, height: size.height)
    depthLens = Pinhole(colorLens, width: depthSize.width, height: depthSize.height)
    let look = SceneLook(seed: options.seed)
    let geometry = SceneRoom(look: look, seed: options.seed)
    room = RoomPicture(geometry, lens: colorLens)
    depthRoom = depthLens == colorLens ? room : RoomPicture(geometry, lens: depthLens)
    let finest = depthLens.focalX > colorLens.focalX ? depthLens : colorLens
    person = options.person ? Person(look: look, seed: options.seed, lens: finest) : nil
    noise = options.noise ? SensorNoise(seed: options.seed) : nil
  }

  func pose(at instant: Int) -> PersonPose {
    let time = Double(instant) * Double(options.rate.denominator) / Double(options.rate.numerator)
    return PersonPose(time: time, seed: options.seed)
  }

  /// The person's face in the colour frame; nil in an empty room.
  package func face(at instant: Int) -> FaceObservation? {
    guard options.person else { return nil }
    let pose = pose(at: instant)
    return FaceObservation(
      box: pose.faceBox(in: colorLens), confidence: 1, roll: pose.roll, pitch: pose.pitch, yaw: pose.yaw,
      detector: "simulated")
  }
}
