import Support

/// The people of a scene at any time.
struct Cast: Sendable {
  private let scripts: [Script]
  private let bodies: [Body]
  private let isMirrored: Bool
  /// The gesturing person of `SceneName.waving`.
  private let waving: Body?
  private let seed: UInt64

  init(_ options: SceneOptions, lens: Pinhole) {
    seed = options.seed
    let effects = options.effects
    scripts = Script.people(of: options.scene, effects)
    isMirrored = SeededGenerator.hash(seed, 0x4D49_5252) & 1 == 1
    func seeds(_ i: Int) -> UInt64 { i == 0 ? options.seed : SeededGenerator.hash(options.seed, UInt64(i)) }
    bodies = scripts.enumerated().map { Body($1, seed: seeds($0), lens: lens) }
    guard options.scene == .waving else {
      waving = nil
      return
    }
    var script = Script(keys: [], period: 1)
    (script.looseHair, script.looseCloth, script.blackCloth) = (effects.looseHair, false, effects.blackCloth)
    waving = Body(script, seed: options.seed, lens: lens)
  }

  /// From far to near.
  func figures(at time: Double) -> [Figure] {
    var figures: [Figure] = []
    if let waving, time >= 0 { figures.append(waving.figure(PersonPose(time: time, seed: seed))) }
    for (script, body) in zip(scripts, bodies) {
      if let stance = script.stance(at: time, mirrored: isMirrored) { figures.append(body.figure(stance)) }
    }
    // Insertion keeps the order of equal distances.
    for i in figures.indices.dropFirst() {
      var j = i
      while j > 0, figures[j - 1].distance < figures[j].distance {
        figures.swapAt(j - 1, j)
        j -= 1
      }
    }
    return figures
  }
}

extension Body {
  /// The gesturing person, from the front.
  func figure(_ pose: PersonPose) -> Figure {
    var parts = person.parts(pose)
    if let hairFront {
      var place = pose.head
      place.origin += Vector3(0, 0, 0.030)
      parts.insert(Figure.Part(map: hairFront, place: place), at: 1)
    }
    return Figure(
      parts: parts, distance: pose.torso.origin.z,
      face: Figure.Face(place: pose.head, roll: pose.roll, pitch: pose.pitch, yaw: pose.yaw))
  }
}
