/// A stream's clock and timing at the end of a recording, derived from the recorded frames alone.
package struct ClockFacts: Hashable, Sendable {
  /// Host minus device clock at the end; nil without ticks.
  package var offsetNanoseconds: Int64?
  /// By how much the device's clock is faster than the host's, parts per 10⁹. Nil without ticks or
  /// in a short recording.
  package var driftPartsPerBillion: Int64?
  /// Time from capture to arrival, less the smallest delay of the stream.
  package var delay: Spread?
  /// Time from a frame to the next, on the recording's time line.
  package var period: Spread?

  /// The median and the 99th percentile.
  package struct Spread: Hashable, Sendable {
    package var medianNanoseconds: Int64
    package var ninetyNinthNanoseconds: Int64
    package init(medianNanoseconds: Int64, ninetyNinthNanoseconds: Int64) {
      self.medianNanoseconds = medianNanoseconds
      self.ninetyNinthNanoseconds = ninetyNinthNanoseconds
    }
  }

  package init() {}
}
