// What stages that are made anew while frames run take over from those before them. These remember nothing yet.

extension DepthStage {
  func carryOn(from old: DepthStage) {}
}

extension MatteStage {
  func carryOn(from old: MatteStage) {}
}
