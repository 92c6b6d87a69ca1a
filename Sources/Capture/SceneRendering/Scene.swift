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
  /// The gesturing person; nil if there is a cast, and in an empty room.
  let person: Person?
  let cast: Cast?
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
    let geometry = SceneRoom(
      look: look, seed: options.seed,
      nearFurniture: options.effects.nearFurniture ? NearFurniture(options.scene) : .none,
      hasRug: options.effects.gloss == 0)
    room = RoomPicture(geometry, lens: colorLens)
    depthRoom = depthLens == colorLens ? room : RoomPicture(geometry, lens: depthLens)
    let finest = depthLens.focalX > colorLens.focalX ? depthLens : colorLens
    let isStaged = options.scene != .waving || options.effects.needsCast
    cast = options.person && isStaged ? Cast(options, lens: finest) : nil
    person = options.person && !isStaged ? Person(look: look, seed: options.seed, lens: finest) : nil
    noise = options.noise ? SensorNoise(seed: options.seed, grain: options.effects.grain) : nil
  }

  /// Seconds since the first person could come.
  func time(at instant: Int) -> Double {
    let instant = Double(instant - options.effects.emptyInstants)
    return instant * Double(options.rate.denominator) / Double(options.rate.numerator)
  }

  func isEmpty(at instant: Int) -> Bool { instant < options.effects.emptyInstants }

  func pose(at instant: Int) -> PersonPose { PersonPose(time: time(at: instant), seed: options.seed) }

  /// The nearest face in the colour frame; nil if there is none.
  package func face(at instant: Int) -> FaceObservation? {
    guard !isEmpty(at: instant) else { return nil }
    if let cast { return cast.figures(at: time(at: instant)).last { $0.face != nil }?.face?.observation(in: colorLens) }
    guard person != nil else { return nil }
    let pose = pose(at: instant)
    return Figure.Face(place: pose.head, roll: pose.roll, pitch: pose.pitch, yaw: pose.yaw).observation(in: colorLens)
  }
}
