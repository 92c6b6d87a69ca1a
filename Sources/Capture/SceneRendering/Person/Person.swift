struct Person: Sendable {
  let head: ReliefMap
  let torso: ReliefMap
  let upperArm: ReliefMap
  let forearm: ReliefMap
  let hand: ReliefMap

  /// Metres of a texel. Three texels per two pixels at arm's length: finer would alias, coarser would blur.
  static func texel(_ lens: Pinhole) -> Float { (0.6 / max(lens.focalX, lens.focalY)).clamped(0.000_5, 0.02) }

  /// - Parameter lens: the finest resolution to draw at.
  init(look: SceneLook, seed: UInt64, lens: Pinhole) {
    let texel = Self.texel(lens)
    let noise = ValueNoise(seed: seed ^ 0x5045_5253)
    head = HeadPainter(look: look, noise: noise, texel: texel).map(seed: seed)
    // Knitwear is soft, so a coarser map looks the same and fits the processor's cache.
    let clothes = ClothesPainter(look: look, noise: noise, texel: texel * 1.6)
    torso = clothes.torso()
    upperArm = clothes.upperArm()
    forearm = clothes.forearm()
    hand = HandPainter(look: look, noise: noise, texel: texel).map()
  }

  /// The parts in a pose, from far to near.
  func parts(_ pose: PersonPose) -> [Figure.Part] {
    var parts = [Figure.Part(map: torso, place: pose.torso)]
    for place in pose.upperArms { parts.append(Figure.Part(map: upperArm, place: place)) }
    parts.append(Figure.Part(map: head, place: pose.head, refinements: 2))
    // The cuff lies over the wrist.
    for place in pose.hands { parts.append(Figure.Part(map: hand, place: place)) }
    for place in pose.forearms { parts.append(Figure.Part(map: forearm, place: place)) }
    return parts
  }
}
