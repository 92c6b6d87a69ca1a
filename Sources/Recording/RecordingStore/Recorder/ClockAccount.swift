import FrameModel
import FrameSync

/// What the recorded frames tell of their clocks: kept beside a recorder's files and when an index is made again, with
/// the same result.
struct ClockAccount {
  private var clocks: StreamClocks
  private var delays: [DurationHistogram]
  private var periods: [DurationHistogram]
  /// Of each stream, the latest frame that was not sent twice.
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

  /// Of each stream, as it stands.
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
