import Parameters

/// A stage with state between frames.
protocol ContinuedStage: AnyObject {
  /// Takes over the state of the replaced stage that still fits, after a parameter change.
  func carryOn(from old: Self)

  /// Forgets all frames.
  /// - Returns: false if the stage cannot; it is then to be made again.
  func restart() -> Bool
}

extension ContinuedStage {
  func restart() -> Bool { false }
}

extension DepthStage: ContinuedStage {}
extension MaskStage: ContinuedStage {}
extension MatteStage: ContinuedStage {}
extension CompositeStage: ContinuedStage {}

/// The stage of one node, replaced when its parameters change.
///
/// A stage that is not needed is kept. When needed again, it continues or, if its parameters
/// changed, hands its state to a new stage: a learned plate, a face's distance, the last matte.
struct StageSlot<Stage: ContinuedStage, Input: Equatable> {
  private let group: String
  private var kept: (stage: Stage, parameters: ParameterSet, input: Input)?
  private var isActive = false

  /// - Parameter group: the parameters that the stage is made from, such as "depth".
  init(_ group: String) { self.group = group }

  /// Nil while the stage is not needed.
  var stage: Stage? { isActive ? kept?.stage : nil }

  mutating func deactivate() { isActive = false }

  /// - Parameter input: what the stage is made from besides parameters: the output of the stage
  ///   before it, or the input of the stage after it.
  /// - Returns: whether the stage was replaced; held frames must then pass through it again.
  /// - Throws: the errors of `make`; the slot is then unchanged.
  mutating func activate<Failure>(
    _ parameters: ParameterSet, _ input: Input, make: () throws(Failure) -> Stage
  ) throws(Failure) -> Bool {
    if let kept, kept.input == input, !parameters.groupsThatDiffer(from: kept.parameters).contains(group) {
      isActive = true
      return false
    }
    let stage = try make()
    if let kept { stage.carryOn(from: kept.stage) }
    kept = (stage, parameters, input)
    isActive = true
    return true
  }

  /// Lets the stage forget all frames, or makes it again.
  /// - Throws: the errors of `make`.
  mutating func restart<Failure>(make: (ParameterSet) throws(Failure) -> Stage) throws(Failure) {
    guard let kept, !kept.stage.restart() else { return }
    self.kept = (try make(kept.parameters), kept.parameters, kept.input)
  }
}
