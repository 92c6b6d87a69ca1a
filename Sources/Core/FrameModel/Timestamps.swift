import Support

/// Host time: nanoseconds of CLOCK_MONOTONIC, which is also V4L2's clock.
package struct MonotonicTime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Reads the host's clock. For cameras and recorders; replay and pipeline never read a clock.
  package static func now() -> MonotonicTime {
    let (seconds, attoseconds) = SuspendingClock().systemEpoch.duration(to: .now).components
    return MonotonicTime(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}

/// Nanoseconds from the recording's start. Slightly negative if an exposure began before that.
package struct PresentationTime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

  package var seconds: Double { Double(nanoseconds) / 1e9 }
}

/// The frequency of a device's timestamp counter, and the number of bits after which it wraps.
package struct TickClock: Hashable, Sendable {
  package let hertz: Int64
  package let bits: Int

  /// - Parameters: hertz: 1 to 10¹². bits: 8 to 64.
  package init(hertz: Int64, bits: Int) throws(RetakeError) {
    guard (1...1_000_000_000_000).contains(hertz), (8...64).contains(bits) else {
      throw RetakeError(.corrupt, "A device clock of \(hertz) Hz and \(bits) bits is out of range.")
    }
    self.hertz = hertz
    self.bits = bits
  }

  private init(uncheckedHertz hertz: Int64, bits: Int) {
    self.hertz = hertz
    self.bits = bits
  }

  /// V4L2 and data sets: microseconds that never wrap.
  package static let microseconds = TickClock(uncheckedHertz: 1_000_000, bits: 64)
  /// Kinect v1: 60 MHz in 32 bits, which wrap every 71.6 s.
  package static let kinect = TickClock(uncheckedHertz: 60_000_000, bits: 32)
}

extension Int64 {
  /// Whether a recording can hold this time or tick. The limit, 73 years of nanoseconds either way,
  /// keeps sums and differences of two from overflowing. A larger value in a file is damage.
  package var isPlausibleTime: Bool { self.magnitude <= 1 << 61 }
}

package struct FrameTimestamps: Hashable, Sendable {
  /// The device's raw counter in the stream's `TickClock`; nil if the device has none.
  package var deviceTick: UInt64?
  /// The counter without its wraps: grows for as long as the recording runs.
  package var unwrappedTick: Int64?
  /// When the frame reached this host.
  package var arrival: MonotonicTime
  /// When the frame was taken, on the recording's time line.
  package var presentation: PresentationTime

  package init(
    deviceTick: UInt64?, unwrappedTick: Int64?, arrival: MonotonicTime, presentation: PresentationTime
  ) {
    self.deviceTick = deviceTick
    self.unwrappedTick = unwrappedTick
    self.arrival = arrival
    self.presentation = presentation
  }

  /// - Throws: `.corrupt` for implausible times.
  package func check() throws(RetakeError) {
    guard arrival.nanoseconds.isPlausibleTime, presentation.nanoseconds.isPlausibleTime,
      unwrappedTick?.isPlausibleTime ?? true
    else { throw RetakeError(.corrupt, "A frame's timestamp is out of range.") }
  }
}
