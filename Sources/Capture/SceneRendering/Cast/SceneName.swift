/// What a simulated camera shows. All but `waving` are hard in the ways that real recordings are.
package enum SceneName: String, CaseIterable, Hashable, Sendable {
  /// One person at arm's length who gestures, with short hair, in even light.
  case waving
  /// One person with loose hair on a chair at a desk, who turns away, comes and goes.
  case desk
  /// One person in loose cloth who walks up from 5 m, turns away and leaves.
  case walk
  /// People who cross, one in black, one close by and cropped; furniture before them, a glossy floor.
  case crossing
  /// Loose hair near the camera and a person behind it, in dim light, with depth off by pixels.
  case hard
}
