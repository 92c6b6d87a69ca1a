import Parameters

/// A stage that remembers something from frame to frame.
protocol ContinuedStage: AnyObject {
  /// After a change of parameters: takes over what the stage before it remembers and what still fits.
  func carryOn(from old: Self)
}

extension DepthStage: ContinuedStage {}
extension MaskStage: ContinuedStage {}
extension MatteStage: ContinuedStage {}
extension CompositeStage: ContinuedStage {}

/// The stage of one node, which is replaced when its parameters change.
///
/// A stage that the parameters do not need for a while is kept. When it is needed again it goes on; if its parameters have
/// changed by then, it hands over what it remembers: a learned plate, a face's distance, the last matte.
struct StageSlot<Stage: ContinuedStage, Input: Equatable> {
  private let group: String
  private var kept: (stage: Stage, parameters: ParameterSet, input: Input)?
  private var isActive = false

  /// - Parameter group: the parameters that the stage is made from, such as "depth".
  init(_ group: String) { self.group = group }

  /// Nil while the parameters do not need the stage.
  var stage: Stage? { isActive ? kept?.stage : nil }

  mutating func deactivate() { isActive = false }

  /// - Parameter input: what the stage is made from besides parameters: what the stage before it gives, or the stage after
  ///   it takes.
  /// - Returns: whether the stage was replaced; the frames that it holds must then pass through it again.
  /// - Throws: what `make` throws; nothing has changed then.
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
}
