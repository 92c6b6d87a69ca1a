struct Person: Sendable {
  let head: ReliefMap
  let torso: ReliefMap
  let upperArm: ReliefMap
  let forearm: ReliefMap
  let hand: ReliefMap

  /// - Parameter lens: the finest resolution to draw at.
  init(look: SceneLook, seed: UInt64, lens: Pinhole) {
    // Three texels per two pixels at arm's length: finer would alias, coarser would blur.
    let texel = (0.6 / max(lens.focalX, lens.focalY)).clamped(0.000_5, 0.02)
    let noise = ValueNoise(seed: seed ^ 0x5045_5253)
    head = HeadPainter(look: look, noise: noise, texel: texel).map(seed: seed)
    // Knitwear is soft, so a coarser map looks the same and fits the processor's cache.
    let clothes = ClothesPainter(look: look, noise: noise, texel: texel * 1.6)
    torso = clothes.torso()
    upperArm = clothes.upperArm()
    forearm = clothes.forearm()
    hand = HandPainter(look: look, noise: noise, texel: texel).map()
  }
}
