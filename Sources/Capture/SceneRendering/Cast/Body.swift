/// The painted parts of a person who can be seen from every side.
struct Body: Sendable {
  let person: Person
  let profile: ReliefMap
  let back: ReliefMap
  let thigh: ReliefMap
  let shin: ReliefMap
  let shoe: ReliefMap
  /// Nil with short hair.
  private(set) var hairFront: ReliefMap?
  private(set) var hairBack: ReliefMap?
  /// Nil with plain clothes.
  private(set) var scarf: ReliefMap?
  private(set) var skirt: ReliefMap?

  /// - Parameter lens: the finest resolution to draw at.
  init(_ script: Script, seed: UInt64, lens: Pinhole) {
    var look = SceneLook(seed: seed)
    let trousers =
      script.blackCloth
      ? Vector3(0.060, 0.058, 0.064)
      : [Vector3(0.16, 0.20, 0.30), Vector3(0.30, 0.28, 0.26), Vector3(0.42, 0.36, 0.27)][Int(seed >> 7 % 3)]
    if script.blackCloth {
      look.cloth = Vector3(0.055, 0.055, 0.062)
      look.stripe = Vector3(0.075, 0.072, 0.080)
    }
    if script.looseHair { look.hair = look.hair * 1.25 }
    person = Person(look: look, seed: seed, lens: lens)
    let texel = Person.texel(lens)
    let noise = ValueNoise(seed: seed ^ 0x5045_5253)
    profile = ProfilePainter(look: look, noise: noise, texel: texel).map(seed: seed)
    back = HeadPainter(look: look, noise: noise, texel: texel).back(seed: seed)
    let legs = LegPainter(color: trousers, noise: noise, texel: texel * 1.6)
    (thigh, shin, shoe) = (legs.thigh(), legs.shin(), legs.shoe())
    if script.looseHair {
      let painter = LooseHairPainter(look: look, noise: noise, texel: texel)
      hairFront = painter.map(seed: seed, isOpen: true)
      hairBack = painter.map(seed: seed ^ 1, isOpen: false)
    }
    if script.looseCloth {
      scarf = ClothPanelPainter(
        color: look.stripe * 0.9, noise: noise, texel: texel * 1.2, upper: 0.075, lower: 0.10, length: 0.42,
        opacity: 0.35
      ).map(seed: seed)
      skirt = ClothPanelPainter(
        color: look.cloth * 0.8, noise: noise, texel: texel * 1.2, upper: 0.175, lower: 0.31, length: 0.52,
        opacity: 0.45
      ).map(seed: seed ^ 2)
    }
  }

  func figure(_ stance: Stance) -> Figure { FigurePose(self, stance).figure }
}
