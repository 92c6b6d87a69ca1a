/// What is known of a stream's clock and timing at the end of a recording. All of it follows from the recorded frames.
package struct ClockFacts: Hashable, Sendable {
  /// Host minus device clock at the end, nanoseconds. Nil without ticks.
  package var offsetNanoseconds: Int64?
  /// How much faster than the host's the device's clock runs, parts per 10⁹. Nil without ticks, and before there was time
  /// enough to tell.
  package var driftPartsPerBillion: Int64?
  /// From when a frame was taken, less the least delay that there is, to its arrival.
  package var delay: Spread?
  /// From a frame to the next, on the recording's time line.
  package var period: Spread?

  /// Half of the values lie below the median, 99 of 100 below `ninetyNinth`.
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
