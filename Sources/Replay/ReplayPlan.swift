import Parameters

/// What a replay feeds to the pipeline, as far as the recording has it: a pure function of this and the recording.
package struct ReplayPlan: Hashable, Sendable {
  package var schedule: DepthSchedule
  package var order: PlayOrder
  /// What the recording's first frame set is called: in a part that was cut out of a longer recording, its number there, so that
  /// schedules, faults, changes and digests say what they say of the whole. `order` counts from 0 all the same.
  package var firstNumber = 0

  package init(schedule: DepthSchedule, order: PlayOrder = .everything, firstNumber: Int = 0) {
    self.schedule = schedule
    self.order = order
    self.firstNumber = firstNumber
  }

  package init(_ parameters: ParameterSet, order: PlayOrder = .everything, firstNumber: Int = 0) {
    self.init(schedule: DepthSchedule(parameters), order: order, firstNumber: firstNumber)
  }
}
