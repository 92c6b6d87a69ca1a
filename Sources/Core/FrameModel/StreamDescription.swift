import Support

/// What a stream shows.
package enum StreamKind: String, CaseIterable, Hashable, Sendable {
  case color
  case depth
  case infrared
  /// The exact alpha of the person: 0 background, 255 person. Only a simulated camera knows it.
  case alpha
  /// Accelerometer and tilt.
  case motion
}

/// One stream of a device, as the driver really set it.
package struct StreamDescription: Hashable, Sendable {
  /// Unique in a recording: "color", "depth", "color-1".
  package var name: String
  package var kind: StreamKind
  package var layout: FrameLayout
  package var rate: FrameRate
  package var clock: TickClock
  /// Driver, model and serial: "simulated", "freenect:A00364A08793107A".
  package var device: String
  /// Facts of the device that pixels depend on (calibration, exposure, the simulated scene's seed), in order.
  package var settings: [Setting]

  /// Name of the setting of a `grey16` depth stream that says how many micrometres one count is: "1000", "100".
  package static let depthUnit = "depth-unit-micrometers"

  package struct Setting: Hashable, Sendable {
    package var name: String
    package var value: String
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Says that the stream's ticks are CLOCK_MONOTONIC of the host that recorded it, in the units of its `TickClock`.
    package static let hostMonotonicClock = Setting("timestamp-type", "monotonic")
  }

  /// Whether the device stamps its frames with the host's own clock, as most V4L2 drivers do.
  package var isHostTimed: Bool { settings.contains(.hostMonotonicClock) }

  package init(
    name: String, kind: StreamKind, layout: FrameLayout, rate: FrameRate, clock: TickClock, device: String,
    settings: [Setting] = []
  ) {
    self.name = name
    self.kind = kind
    self.layout = layout
    self.rate = rate
    self.clock = clock
    self.device = device
    self.settings = settings
  }
}

/// Frames per second as a fraction, since 30000/1001 has no end as a decimal.
package struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  package let numerator: Int
  package let denominator: Int

  /// - Parameters: both 1 to 1,000,000,000.
  package init(_ numerator: Int, _ denominator: Int = 1) throws(RetakeError) {
    let range = 1...1_000_000_000
    guard range.contains(numerator), range.contains(denominator) else {
      throw RetakeError(.corrupt, "\(numerator)/\(denominator) is not a frame rate.")
    }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// "30", "30000/1001", "14.5" (up to three decimals).
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, let n = Int(parts[0]), let d = Int(parts[1]), let rate = try? FrameRate(n, d) {
      self = rate
      return
    }
    let decimal = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = Int(decimal[0]), whole >= 0 else { return nil }
    var thousandths = 0
    if decimal.count == 2 {
      let digits = decimal[1]
      guard (1...3).contains(digits.count), digits.allSatisfy(\.isNumber), let value = Int(digits) else {
        return nil
      }
      thousandths = value * [100, 10, 1][digits.count - 1]
    }
    // Beyond a million there is no room for thousandths; a whole number is what `description` may have written.
    guard thousandths == 0 || whole < 1_000_000 else { return nil }
    let rate =
      thousandths == 0 ? try? FrameRate(whole) : try? FrameRate(whole * 1000 + thousandths, 1000)
    guard let rate else { return nil }
    self = rate
  }

  package var framesPerSecond: Double { Double(numerator) / Double(denominator) }
  /// Rounded to the nearest nanosecond.
  package var periodNanoseconds: Int64 {
    (Int64(denominator) * 1_000_000_000 + Int64(numerator) / 2) / Int64(numerator)
  }
  package var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
