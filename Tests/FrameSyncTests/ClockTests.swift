import FrameModel
import PortableMath
import Testing

@testable import FrameSync

@Suite struct TickUnwrapperTests {
  @Test(arguments: [8, 16, 24, 32, 48, 63, 64])
  func `any number of wraps is undone, and small steps back too`(bits: Int) {
    var generator = SeededGenerator(seed: UInt64(bits))
    var unwrapper = TickUnwrapper(bits: bits)
    let mask: UInt64 = bits == 64 ? .max : 1 << UInt64(bits) - 1
    var truth: Int64 = 7
    let reach = Int(min(1 << 40, Int64(mask >> 2)))
    for step in 0..<2000 {
      if step > 0 { truth += Int64(generator.next(below: reach)) - Int64(reach / 8) * (truth > 1 << 20 ? 1 : 0) }
      #expect(unwrapper.unwrap(UInt64(bitPattern: truth) & mask) == truth)
    }
  }

  @Test func `a Kinect's tick goes on after 71 point 6 seconds`() {
    var unwrapper = TickUnwrapper(bits: 32)
    #expect(unwrapper.unwrap(4_294_967_000) == 4_294_967_000)
    #expect(unwrapper.unwrap(704) == 4_294_968_000)
  }
}

@Suite struct ClockMapperTests {
  @Test func `ticks become nanoseconds without loss over a year`() throws {
    let clock = TickClock.kinect
    #expect(ClockMapper.nanoseconds(ticks: 60_000_000 * 86_400 * 366, clock: clock) == 31_622_400_000_000_000)
    #expect(ClockMapper.nanoseconds(ticks: 1, clock: clock) == 16)
    #expect(ClockMapper.nanoseconds(ticks: -1, clock: clock) == -16)
    #expect(ClockMapper.nanoseconds(ticks: 3, clock: try TickClock(hertz: 1_000_000_000_000, bits: 64)) == 0)
  }

  @Test func `delay is never taken for time: the fastest frame sets the offset`() {
    var generator = SeededGenerator(seed: 5)
    var mapper = ClockMapper(clock: .microseconds)
    let offset: Int64 = 77_000_000_000
    var worst: Int64 = 0
    for frame in 0..<600 {
      let tick = Int64(frame) * 33_333
      let delay = 500_000 + Int64(generator.next(below: 20_000_000))
      let host = mapper.hostTime(
        ofTick: tick, arrival: MonotonicTime(nanoseconds: tick * 1000 + offset + delay))
      if frame >= 150 { worst = max(worst, abs(host.nanoseconds - (tick * 1000 + offset + 500_000))) }
    }
    // After five seconds the least of 150 delays, uniform up to 20 ms, is expected within 20/150 ms of the least.
    #expect(worst < 1_000_000)
  }

  @Test(arguments: [-200.0, -50, 50, 200])
  func `drift is followed within what the window allows`(partsPerMillion: Double) {
    var mapper = ClockMapper(clock: .microseconds)
    var worst: Int64 = 0
    for frame in 0..<9000 {
      let truth = Int64(frame) * 33_333_333
      let tick = Int64((Double(truth) * (1 + partsPerMillion * 1e-6) / 1000).rounded())
      let host = mapper.hostTime(ofTick: tick, arrival: MonotonicTime(nanoseconds: truth))
      worst = max(worst, abs(host.nanoseconds - truth))
    }
    #expect(worst <= Int64(200e-6 * Double(ClockMapper.windowNanoseconds)) + 2000)
  }
}

extension ClockMapperTests {
  @Test(arguments: [-3600, -2, 2, 3600])
  func `a device clock that is set leaves the frames where they were taken`(seconds: Int64) {
    var mapper = ClockMapper(clock: .microseconds)
    for frame in 0..<300 {
      let truth = Int64(frame) * 33_333_000
      let tick = truth / 1000 + 7_000_000_000 + (frame >= 150 ? seconds * 1_000_000 : 0)
      // Two streams share the clock, half a frame apart and out of order.
      for lag in [Int64(0), 16_000] {
        let host = mapper.hostTime(ofTick: tick - lag, arrival: MonotonicTime(nanoseconds: truth + 5_000_000))
        #expect(abs(host.nanoseconds - (truth + 5_000_000 - lag * 1000)) < 17_000_000, "frame \(frame)")
      }
    }
  }
}

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
    #expect(jump.events.map(\.reason) == [.dropped])
    let after = ledger.admit(
      sequence: .max, tick: nil, flags: [], accountedLosses: 0, time: time(2), arrival: time(2))
    #expect(after.flags == .duplicate)
  }
}
