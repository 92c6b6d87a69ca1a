import Parameters
import SceneRendering

extension SceneName: ParameterChoice {}

/// The options of a simulated camera that make its scene hard. Without them, `scene` decides.
package struct SceneParameters: ParameterGroup {
  package enum Hair: String, ParameterChoice {
    case short
    case loose
  }

  package enum Cloth: String, ParameterChoice {
    case plain
    case loose
    case black
  }

  let scene = Parameter<SceneName>(
    "scene",
    help: "waving: one person with short hair in even light; desk, walk, crossing, hard: people as hard as real ones")
  let hair = Parameter<Hair?>(
    "hair", ifGiven: .choice(Hair.allCases.map(\.rawValue)),
    help: "loose: long hair with single strands; by default as the scene has it")
  let cloth = Parameter<Cloth?>(
    "cloth", ifGiven: .choice(Cloth.allCases.map(\.rawValue)),
    help: "loose: sheer cloth with a fringe; black: reflects little to the depth sensor; by default as the scene has it"
  )
  let blur = Parameter<Double?>(
    "blur", unit: "ms", ifGiven: .real(0...100),
    help: "exposure time, which blurs movement; 0, and in hard scenes 12 or 25")
  let rolling = Parameter<Double?>(
    "rolling", unit: "ms", ifGiven: .real(0...100),
    help: "time from the first row's exposure to the last row's; 0, and in hard scenes 18")
  let light = Parameter<Double?>(
    "light", ifGiven: .real(0.02...1), help: "share of the light; 1, and 0.4 in scene=hard")
  let grain = Parameter<Double?>(
    "grain", ifGiven: .real(0...10), help: "factor of the colour camera's noise; 1, and 2 in scene=hard")
  let shiftX = Parameter<Int?>(
    "shift-x", unit: "px", ifGiven: .integer(-64...64),
    help: "registration error of depth, to the right; 0, and -2 in scene=hard")
  let shiftY = Parameter<Int?>(
    "shift-y", unit: "px", ifGiven: .integer(-64...64),
    help: "registration error of depth, downwards; 0, and -3 in scene=hard")
  let shadows = Parameter<Bool?>(
    "shadows", ifGiven: .flag, help: "depth shadows on both sides of people; false, and true in hard scenes")
  let flying = Parameter<Double?>(
    "flying", ifGiven: .real(0...1),
    help: "share of pixels at steps of depth that lie in between; 0, and 0.07 in hard scenes")
  let ragged = Parameter<Double?>(
    "ragged", unit: "px", ifGiven: .real(0...8), help: "by how much edges of depth wander; 0, and 0.9 in hard scenes")
  let holes = Parameter<Double?>(
    "holes", ifGiven: .real(0...8),
    help: "factor of how much depth is lost on hair and dark cloth; 0, and 1 in hard scenes")
  let gloss = Parameter<Double?>(
    "gloss", ifGiven: .real(0...1),
    help: "share of light that the floor mirrors, where depth is missing or wrong; 0, and 0.25 in crossing and hard")
  let furniture = Parameter<Bool?>(
    "furniture", ifGiven: .flag, help: "furniture as near as people; false, and true in hard scenes")
  let empty = Parameter<Int>(
    "empty", unit: "frames", 0...1_000_000, default: 0, help: "colour frames before the first person comes")

  /// The scene's effects, changed as the options say.
  func effects(_ values: ParameterSet) -> SceneEffects {
    var effects = SceneEffects(values[scene])
    if let value = values[hair] { effects.looseHair = value == .loose }
    if let value = values[cloth] { (effects.looseCloth, effects.blackCloth) = (value == .loose, value == .black) }
    if let value = values[blur] { effects.blurMilliseconds = value }
    if let value = values[rolling] { effects.rollingMilliseconds = value }
    if let value = values[light] { effects.light = value }
    if let value = values[grain] { effects.grain = value }
    if let value = values[shiftX] { effects.shiftX = value }
    if let value = values[shiftY] { effects.shiftY = value }
    if let value = values[shadows] { effects.shadows = value }
    if let value = values[flying] { effects.flying = value }
    if let value = values[ragged] { effects.ragged = value }
    if let value = values[holes] { effects.holes = value }
    if let value = values[gloss] { effects.gloss = value }
    if let value = values[furniture] { effects.nearFurniture = value }
    effects.emptyInstants = values[empty]
    return effects
  }
}
