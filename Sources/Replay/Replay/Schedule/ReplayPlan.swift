import Parameters

/// What a replay delivers to the pipeline. The result depends only on this and the recording.
package struct ReplayPlan: Hashable, Sendable {
  package var delivery: DeliverySchedule
  package var order: PlayOrder
  /// Number of the recording's first frame set. For a part cut out of a longer recording it is the
  /// number there, so that schedules, faults, changes and digests match. `order` still counts from
  /// 0.
  package var firstNumber = 0

  package var schedule: DepthSchedule { delivery.depth }

  /// Depth by a schedule, without faults.
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
