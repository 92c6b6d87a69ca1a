import FrameModel
import Support

/// Capture and arrival times of frames, as a pure function of their number.
struct FrameTimetable: Sendable {
  private let options: SimulationOptions
  private let firstTick: UInt64

  init(_ options: SimulationOptions) {
    self.options = options
    // When opened, a device has been running for up to an hour.
    let uptime = SeededGenerator.hash(options.scene.seed, 0x5449_434B).multipliedFullWidth(by: 3600).high
    firstTick = uptime * UInt64(options.clock.hertz)
  }

  private var rate: FrameRate { options.scene.rate }

  /// The device's counter at an instant, wrapped to its bits. Its clock runs fast by the drift.
  func tick(_ instant: Int) -> UInt64 {
    let billion: UInt128 = 1_000_000_000
    let clock = options.clock
    let speed = UInt128(Int64(1_000_000_000) + options.driftPartsPerBillion)
    let cycles = UInt128(instant) * UInt128(rate.denominator) * UInt128(clock.hertz) * speed
    let elapsed = cycles / (UInt128(rate.numerator) * billion)
    let tick = UInt64(truncatingIfNeeded: UInt128(firstTick) + elapsed)
    return clock.bits == 64 ? tick : tick & (1 << UInt64(clock.bits) - 1)
  }

  /// Nanoseconds of the host's clock from the first instant to this one.
  private func captured(_ instant: Int) -> Int64 {
    let nanoseconds = UInt128(instant) * UInt128(rate.denominator) * 1_000_000_000 / UInt128(rate.numerator)
    return Int64(clamping: nanoseconds)
  }

  /// Nanoseconds from the first instant to the frame's arrival: a transfer of a third of a period,
  /// plus jitter and lateness. The caller keeps frames of one stream in order.
  func arrival(_ instant: Int, stream: Int, periodsLate: Double) -> Int64 {
    let draw = SeededGenerator.hash(options.scene.seed, 0x4A49_5454, UInt64(stream), UInt64(instant))
    let jitter = draw.multipliedFullWidth(by: UInt64(options.jitterMicroseconds) * 1000).high
    let late = Int64((periodsLate * Double(rate.periodNanoseconds)).rounded(.toNearestOrEven))
    return earliestArrival(instant) + Int64(jitter) + late
  }

  func earliestArrival(_ instant: Int) -> Int64 { captured(instant) + rate.periodNanoseconds / 3 }

  var duplicateDelay: Int64 { rate.periodNanoseconds / 4 }
}
