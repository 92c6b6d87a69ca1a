// What stages that are made anew while frames run take over from those before them.

extension DepthStage {
  /// Nothing: filters that were set otherwise would go on from values that they would never have had.
  func carryOn(from old: DepthStage) {}
}
