import FrameModel
import FrameSync
import Support
import Testing

@Suite struct TickUnwrapperTests {
  @Test(arguments: [8, 16, 24, 32, 48, 63, 64])
  func `any number of wraps is undone, and small steps back too`(bits: Int) throws {
    var generator = SeededGenerator(seed: UInt64(bits))
    var unwrapper = TickUnwrapper(clock: try TickClock(hertz: 1_000_000, bits: bits))
    let mask: UInt64 = bits == 64 ? .max : 1 << UInt64(bits) - 1
    var truth: Int64 = 7
    let reach = Int(min(1 << 40, Int64(mask >> 2)))
    for step in 0..<2000 {
      if step > 0 { truth += Int64(generator.next(below: reach)) - Int64(reach / 8) * (truth > 1 << 20 ? 1 : 0) }
      // Nothing passes on the host's clock: the ticks alone tell.
      let unwrapped = unwrapper.unwrap(UInt64(bitPattern: truth) & mask, arrival: MonotonicTime(nanoseconds: 5))
      #expect(unwrapped == truth)
    }
  }

  @Test func `a Kinect's tick goes on after 71 point 6 seconds, and after a gap of any length`() {
    var unwrapper = TickUnwrapper(clock: .kinect)
    var truth: Int64 = 4_294_967_000
    var arrival = MonotonicTime(nanoseconds: 0)
    for seconds in [0, 0.03, 40, 71, 72, 300, 3600, 86_400, 0.03] {
      truth += Int64(seconds * 60_000_000)
      // Up to a second late, and the device's clock off by 100 ppm.
      arrival.nanoseconds += Int64(seconds * 1_000_100_000) + (seconds > 50 ? 900_000_000 : 0)
      #expect(unwrapper.unwrap(UInt64(truth) & 0xFFFF_FFFF, arrival: arrival) == truth, "after \(seconds) s")
    }
  }

  @Test func `a stray tick does not lose count`() {
    for stray in stride(from: UInt64(0), to: 1 << 32, by: 1 << 27) {
      var unwrapper = TickUnwrapper(clock: .kinect)
      for frame in 0..<300 {
        let truth = 1_000_000_000 + Int64(frame) * 2_000_000
        let arrival = MonotonicTime(nanoseconds: Int64(frame) * 33_333_333)
        let unwrapped = unwrapper.unwrap(frame == 100 ? stray : UInt64(truth), arrival: arrival)
        if frame != 100 { #expect(unwrapped == truth, "frame \(frame) with stray \(stray)") }
      }
    }
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func `arrivals that no clock gives stop nothing`(arrival: Int64) throws {
    for bits in [8, 33, 63, 64] {
      var unwrapper = TickUnwrapper(clock: try TickClock(hertz: 1_000_000_000_000, bits: bits))
      for tick in [UInt64.min, .max, 1 << 63] {
        let unwrapped = unwrapper.unwrap(tick, arrival: MonotonicTime(nanoseconds: arrival))
        #expect(UInt64(bitPattern: unwrapped &- Int64(bitPattern: tick)) << UInt64(64 - bits) == 0)
      }
    }
  }
}

@Suite struct DurationHistogramTests {
  @Test(arguments: [1_000, 33_333, 100_000_000, 3_600_000_000] as [Int64])
  func `durations of microseconds to hours are told to 0.4 %`(microseconds: Int64) throws {
    var histogram = DurationHistogram()
    for _ in 0..<9 { histogram.add(nanoseconds: microseconds * 1000) }
    let told = try #require(histogram.spread).medianNanoseconds
    #expect((told - microseconds * 1000).magnitude <= UInt64(microseconds * 4))
  }
}
