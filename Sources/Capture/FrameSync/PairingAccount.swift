import FrameModel

/// Reports unpaired frames, and why, in as few events as possible. Consecutive frames whose partner
/// was due form one event. Others follow from the streams' rates, and form one event in all.
package struct PairingAccount: Sendable {
  private var unpaired: EventRun
  private var noMaster: EventRun
  private var notDue: EventRun
  private var surplus: EventRun

  package init(stream: Int) {
    func run(_ reason: FrameEvent.Reason) -> EventRun { EventRun(stream: stream, stage: .pairing, reason: reason) }
    unpaired = run(.unpaired)
    noMaster = run(.noMaster)
    notDue = run(.notDue)
    surplus = run(.surplus)
  }

  /// - Returns: the events that this decision ends.
  package mutating func note(_ decision: FramePairing.Decision) -> [FrameEvent] {
    if decision.partner != nil { return [unpaired.close(), noMaster.close()].compactMap(\.self) }
    if decision.wasDue { unpaired.note(decision.master) } else { notDue.note(decision.master) }
    return []
  }

  package mutating func note(_ leftover: FramePairing.Leftover) {
    if leftover.wasDue { noMaster.note(leftover.partner) } else { surplus.note(leftover.partner) }
  }

  /// Returns the open events. Call after the last frame.
  package mutating func finish() -> [FrameEvent] {
    [unpaired.close(), noMaster.close(), notDue.close(), surplus.close()].compactMap(\.self)
  }
}

extension EventRun {
  fileprivate mutating func note(_ frame: FramePairing.Entry) { note(frameNumber: frame.number, at: frame.time) }
}
