import SceneRendering

extension KinectDepthModel {
  /// The nearest raw value, or 2047 out of range.
  static func raw(meters: Float) -> UInt16 {
    guard meters >= nearest, meters <= farthest else { return noRaw }
    return UInt16(rawValue(meters).rounded(.toNearestOrEven))
  }
}
