/// What makes a scene hard. Every value at its default leaves frames as they are.
package struct SceneEffects: Hashable, Sendable {
  /// Long loose hair with single strands.
  package var looseHair = false
  /// A scarf and a skirt of sheer cloth with a fringe.
  package var looseCloth = false
  /// Black clothes, which reflect little of the projector's light.
  package var blackCloth = false
  /// Exposure time, which blurs movement in colour and alpha.
  package var blurMilliseconds = 0.0
  /// From the exposure of the first row to that of the last.
  package var rollingMilliseconds = 0.0
  /// Share of the light.
  package var light = 1.0
  /// Factor of the colour camera's noise.
  package var grain = 1.0
  /// By how many depth pixels the registration is off.
  package var shiftX = 0
  package var shiftY = 0
  /// Shadows on both sides, and far pixels lost beside a near surface.
  package var shadows = false
  /// Share of pixels at steps of depth that lie in between.
  package var flying = 0.0
  /// Standard deviation, in pixels, by which edges of depth wander.
  package var ragged = 0.0
  /// Factor of the share of pixels without depth on hair and dark cloth.
  package var holes = 0.0
  /// Share of light that the floor mirrors; it takes depth with it.
  package var gloss = 0.0
  /// Furniture as near as people, and before them.
  package var nearFurniture = false
  /// Instants before the first person comes.
  package var emptyInstants = 0

  package init() {}

  /// - Returns: What a scene has if no option says otherwise.
  package init(_ scene: SceneName) {
    guard scene != .waving else { return }
    (blurMilliseconds, rollingMilliseconds) = (12, 18)
    (shadows, flying, ragged, holes) = (true, 0.07, 0.9, 1)
    nearFurniture = true
    looseHair = scene != .crossing
    looseCloth = scene == .walk || scene == .crossing
    gloss = scene == .crossing ? 0.25 : 0
    if scene == .hard {
      (light, grain, gloss) = (0.4, 2, 0.25)
      (shiftX, shiftY) = (-2, -3)
      blurMilliseconds = 25
    }
  }

  /// Whether depth needs the model with ragged edges and holes.
  var isDepthRough: Bool { shadows || flying > 0 || ragged > 0 || holes > 0 || gloss > 0 || shiftX != 0 || shiftY != 0 }
  /// Whether people are drawn by `Cast`.
  var needsCast: Bool {
    looseHair || looseCloth || blackCloth || blurMilliseconds > 0 || rollingMilliseconds > 0 || isDepthRough
  }
}
