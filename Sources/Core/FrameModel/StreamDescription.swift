import Support

package enum StreamKind: String, CaseIterable, Hashable, Sendable {
  case color
  case depth
  case infrared
  /// The person's exact alpha: 0 background, 255 person. Only a simulated camera knows it.
  case alpha
  /// Accelerometer and tilt.
  case motion
}

/// One stream of a device, with the settings that the driver actually applied.
package struct StreamDescription: Hashable, Sendable {
  /// Unique in a recording: "color", "depth", "color-1".
  package var name: String
  package var kind: StreamKind
  package var layout: FrameLayout
  package var rate: FrameRate
  package var clock: TickClock
  /// Driver and device identity: "simulated", "freenect:A00364A08793107A", "v4l2:DRIVER:CARD:BUS".
  package var device: String
  /// Device facts that affect the pixels, such as calibration, exposure or scene seed, in order.
  package var settings: [Setting]

  /// Setting of a `grey16` depth stream: micrometres per count, such as "1000" or "100".
  package static let depthUnit = "depth-unit-micrometers"

  package struct Setting: Hashable, Sendable {
    package var name: String
    package var value: String
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// The stream's ticks are CLOCK_MONOTONIC of the recording host, in units of its `TickClock`.
    package static let hostMonotonicClock = Setting("timestamp-type", "monotonic")
  }

  /// Whether the device timestamps frames with the host's own clock, as most V4L2 drivers do.
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

extension [StreamDescription.Setting] {
  /// The first value of this name.
  package subscript(name: String) -> String? { first { $0.name == name }?.value }
}

/// Frames per second as a fraction, since 30000/1001 has no exact decimal form.
package struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  package let numerator: Int
  package let denominator: Int

  /// - Parameters: both 1 to 1,000,000,000.
  package init(_ numerator: Int, _ denominator: Int = 1) throws(RetakeError) {
    let range = 1...1_000_000_000
    guard range.contains(numerator), range.contains(denominator) else {
      throw RetakeError(.corrupt, "\(numerator)/\(denominator) is not a valid frame rate.")
    }
    self.numerator = numerator
    self.denominator = denominator
  }

  package static let thirty = FrameRate(whole: 30)
  private init(whole: Int) { (numerator, denominator) = (whole, 1) }

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
    // From a million on, thousandths exceed the numerator's range; whole numbers still fit.
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
