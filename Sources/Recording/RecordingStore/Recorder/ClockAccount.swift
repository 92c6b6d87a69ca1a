import FrameModel
import FrameSync

/// Collects clock statistics of recorded frames. Rebuilding an index gives the same result as
/// recording.
struct ClockAccount {
  private var clocks: StreamClocks
  private var delays: [DurationHistogram]
  private var periods: [DurationHistogram]
  /// By stream, time of the latest frame that is not a duplicate.
  private var latest: [PresentationTime?]

  init(streams: [StreamDescription]) {
    clocks = StreamClocks(streams: streams)
    delays = streams.map { _ in DurationHistogram() }
    periods = delays
    latest = streams.map { _ in nil }
  }

  mutating func add(stream: Int, timestamps: FrameTimestamps, flags: FrameFlags) {
    let reading = clocks.read(
      stream: stream, tick: timestamps.unwrappedTick, arrival: timestamps.arrival, flags: flags)
    guard !flags.contains(.duplicate) else { return }
    if timestamps.unwrappedTick != nil, !reading.isWrong {
      delays[stream].add(nanoseconds: timestamps.arrival.nanoseconds &- reading.time.nanoseconds)
    }
    if let last = latest[stream], !flags.contains(.restarted) {
      periods[stream].add(nanoseconds: timestamps.presentation.nanoseconds &- last.nanoseconds)
    }
    latest[stream] = timestamps.presentation
  }

  var facts: [ClockFacts] {
    latest.indices.map { stream in
      var facts = ClockFacts()
      facts.offsetNanoseconds = clocks.offsetNanoseconds(stream: stream)
      facts.driftPartsPerBillion = clocks.driftPartsPerBillion(stream: stream)
      facts.delay = delays[stream].spread
      facts.period = periods[stream].spread
      return facts
    }
  }
}
