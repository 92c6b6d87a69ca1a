import Parameters

/// What a replay feeds to the pipeline, as far as the recording has it: a pure function of this and the recording.
package struct ReplayPlan: Hashable, Sendable {
  package var delivery: DeliverySchedule
  package var order: PlayOrder
  /// What the recording's first frame set is called: in a part that was cut out of a longer recording, its number there, so that
  /// schedules, faults, changes and digests say what they say of the whole. `order` counts from 0 all the same.
  package var firstNumber = 0

  package var schedule: DepthSchedule { delivery.depth }

  /// Depth by a schedule, and nothing that goes wrong.
  package init(schedule: DepthSchedule, order: PlayOrder = .everything, firstNumber: Int = 0) {
    self.init(DeliverySchedule(depth: schedule), order: order, firstNumber: firstNumber)
  }

  package init(_ delivery: DeliverySchedule, order: PlayOrder = .everything, firstNumber: Int = 0) {
    self.delivery = delivery
    self.order = order
    self.firstNumber = firstNumber
  }

  package init(_ parameters: ParameterSet, order: PlayOrder = .everything, firstNumber: Int = 0) {
    self.init(DeliverySchedule(parameters), order: order, firstNumber: firstNumber)
  }
}
