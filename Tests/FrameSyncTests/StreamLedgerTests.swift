import FrameModel
import FrameSync
import Support
import Testing

@Suite struct StreamLedgerTests {
  private func time(_ frame: Int) -> PresentationTime { PresentationTime(nanoseconds: Int64(frame) * 33_333_333) }

  @Test func `a gap in the sequence is a loss at the device, less what is accounted for`() throws {
    var ledger = StreamLedger(stream: 3, rate: try FrameRate(30))
    _ = ledger.admit(sequence: 10, tick: 0, flags: [], accountedLosses: 0, time: time(0), arrival: time(0))
    let gap = ledger.admit(sequence: 16, tick: 1, flags: [], accountedLosses: 2, time: time(6), arrival: time(6))
    #expect(gap.number == 1)
    #expect(
      gap.events == [
        FrameEvent(stream: 3, stage: .device, reason: .dropped, frameNumber: 1, count: 3, presentation: time(6))
      ])
    let whole = ledger.admit(sequence: 20, tick: 2, flags: [], accountedLosses: 3, time: time(10), arrival: time(10))
    #expect(whole.events.isEmpty)
  }

  @Test func `a frame that comes twice is flagged and keeps the order of times`() throws {
    var ledger = StreamLedger(stream: 0, rate: try FrameRate(30))
    _ = ledger.admit(sequence: 4, tick: 9, flags: [], accountedLosses: 0, time: time(1), arrival: time(1))
    let again = ledger.admit(sequence: 4, tick: 9, flags: [], accountedLosses: 0, time: time(1), arrival: time(1))
    #expect(again.flags == .duplicate)
    #expect(again.presentation > time(1))
    #expect(again.events.map(\.reason) == [.duplicate])
  }

  @Test func `late and damaged frames are kept and noted`() throws {
    var ledger = StreamLedger(stream: 0, rate: try FrameRate(30))
    let frame = ledger.admit(
      sequence: nil, tick: nil, flags: .damaged, accountedLosses: 0, time: time(0), arrival: time(2))
    #expect(frame.flags == [.damaged, .late])
    #expect(frame.events.map(\.reason) == [.damaged, .late])
  }

  @Test func `sequence numbers that jump to the end of their range do not overflow`() throws {
    var ledger = StreamLedger(stream: 0, rate: try FrameRate(30))
    _ = ledger.admit(sequence: 0, tick: nil, flags: [], accountedLosses: 0, time: time(0), arrival: time(0))
    let jump = ledger.admit(
      sequence: .max, tick: nil, flags: [], accountedLosses: 0, time: time(1), arrival: time(1))
    #expect(jump.events.map(\.reason) == [.wrongSequence])
    let after = ledger.admit(
      sequence: .max, tick: nil, flags: [], accountedLosses: 0, time: time(2), arrival: time(2))
    #expect(after.flags == .duplicate)
  }

  private func reasons(_ sequences: [UInt64], flags: [Int: FrameFlags] = [:]) throws -> [[FrameEvent.Reason]] {
    var ledger = StreamLedger(stream: 0, rate: try FrameRate(30))
    return sequences.enumerated().map { index, sequence in
      ledger.admit(
        sequence: sequence, tick: nil, flags: flags[index] ?? [], accountedLosses: 0, time: time(index),
        arrival: time(index)
      ).events.map(\.reason)
    }
  }

  @Test func `a 32-bit counter that wraps is said, and loses nothing but what is missing`() throws {
    #expect(try reasons([0xFFFF_FFFE, 0xFFFF_FFFF, 0, 1]) == [[], [], [.wrapped], []])
    #expect(try reasons([0xFFFF_FFFE, 2]) == [[], [.wrapped, .dropped]])
    // A device with counters of 64 bits has not wrapped there.
    #expect(try reasons([0x1_FFFF_FFFE, 2]) == [[], [.wrongSequence]])
  }

  @Test func `a number that goes back is said once, and counting goes on from it`() throws {
    #expect(try reasons([500, 501, 0, 1, 3]) == [[], [], [.wrongSequence], [], [.dropped]])
    #expect(try reasons([3_000_000_000, 0, 1]) == [[], [.wrongSequence], []])
  }

  @Test func `a number further on than there was time for is no loss`() throws {
    #expect(try reasons([10, 4_000_000_000, 11]) == [[], [.wrongSequence], [.wrongSequence]])
    // Ten minutes without a frame explain what is missing.
    var ledger = StreamLedger(stream: 0, rate: try FrameRate(30))
    _ = ledger.admit(sequence: 5, tick: nil, flags: [], accountedLosses: 0, time: time(0), arrival: time(0))
    let later = ledger.admit(
      sequence: 18_006, tick: nil, flags: [], accountedLosses: 0, time: time(18_000), arrival: time(18_000))
    #expect(later.events.map(\.count) == [18_000])
  }

  @Test func `a device that was opened again counts anew, and presentation time still grows`() throws {
    let sequences: [UInt64] = [100, 101, 0, 1]
    #expect(try reasons(sequences, flags: [2: .restarted]) == [[], [], [], []])
    var ledger = StreamLedger(stream: 0, rate: try FrameRate(30))
    let first = ledger.admit(sequence: 7, tick: 9, flags: [], accountedLosses: 0, time: time(5), arrival: time(5))
    let again = ledger.admit(
      sequence: 7, tick: 9, flags: .restarted, accountedLosses: 0, time: time(2), arrival: time(6))
    #expect(!again.flags.contains(.duplicate))
    #expect(again.presentation > first.presentation)
  }

  @Test func `wrong stamps in a row are one event, when the row ends or nothing more comes`() throws {
    var ledger = StreamLedger(stream: 2, rate: try FrameRate(30))
    var events: [FrameEvent] = []
    for index in 0..<10 {
      events +=
        ledger.admit(
          sequence: nil, tick: nil, flags: [], accountedLosses: 0, time: time(index), arrival: time(index),
          isTimeWrong: (2...4).contains(index) || index > 7
        ).events
    }
    events += ledger.finish()
    #expect(events.map(\.reason) == [.wrongTimestamp, .wrongTimestamp])
    #expect(events.map(\.count) == [3, 2])
    #expect(events.map(\.frameNumber) == [2, 8])
    #expect(ledger.finish().isEmpty)
  }
}

extension StreamLedger {
  /// Admits a frame that waited from `time` to `arrival`.
  fileprivate mutating func admit(
    sequence: UInt64?, tick: Int64?, flags: FrameFlags, accountedLosses: Int, time: PresentationTime,
    arrival: PresentationTime, isTimeWrong: Bool = false
  ) -> (number: Int, flags: FrameFlags, presentation: PresentationTime, events: [FrameEvent]) {
    admit(
      sequence: sequence, tick: tick, flags: flags, accountedLosses: accountedLosses, time: time, arrival: arrival,
      isTimeWrong: isTimeWrong, waitedNanoseconds: arrival.nanoseconds - time.nanoseconds)
  }
}
