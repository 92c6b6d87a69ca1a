import FrameModel
import Support

package struct ProbeReport: Sendable {
  package let streams: [ProbedStream]
  package let failure: RetakeError?

  package var frameCount: Int { streams.reduce(0) { $0 + $1.frameCount } }
  /// Frames that the camera took, but that did not arrive.
  package var lostCount: Int { streams.reduce(0) { $0 + $1.lostCount } }
  /// Streams that should deliver continuously, which motion need not, but delivered no frame.
  package var silentStreams: [ProbedStream] {
    streams.filter { $0.frameCount == 0 && $0.description.kind != .motion }
  }
}

struct ProbedFrameCost: Hashable, Sendable {
  var rawByteCount: Int
  var storedByteCount: Int
  /// CPU time for the checksum and encoding.
  var nanoseconds: Int64
}

package struct ProbedStream: Sendable {
  package let description: StreamDescription
  package let frameCount: Int
  package let lostCount: Int
  /// Problem counts, in the order of `FrameEvent.Reason.allCases`.
  package let events: [(reason: FrameEvent.Reason, count: Int)]
  package let firstFrameNanoseconds: Int64?
  package let framesPerSecond: Double?
  /// Median deviation of arrival intervals from their median, or from a multiple of it where frames
  /// are missing. `worstJitterNanoseconds` is the 99th percentile.
  package let medianJitterNanoseconds: Int64?
  package let worstJitterNanoseconds: Int64?
  /// Frame bytes per second before encoding; `storedBytesPerSecond` is after encoding.
  package let rawBytesPerSecond: Double?
  package let storedBytesPerSecond: Double?
  /// CPU cores that encoding takes at the measured frame rate.
  package let encodingCores: Double?

  init(_ description: StreamDescription, _ account: CaptureProbe.StreamAccount, _ costs: [ProbedFrameCost]) {
    self.description = description
    frameCount = account.arrivals.count
    lostCount = account.lostCount
    events = FrameEvent.Reason.allCases.compactMap { reason in account.events[reason].map { (reason, $0) } }
    firstFrameNanoseconds = account.firstFrameNanoseconds
    framesPerSecond = Self.rate(account.presentations)
    let intervals = zip(account.arrivals, account.arrivals.dropFirst()).map { $1 - $0 }.sorted()
    let median = Self.quantile(intervals, 1, of: 2)
    let deviations = intervals.map { Self.deviation($0, from: max(1, median ?? 1)) }.sorted()
    medianJitterNanoseconds = Self.quantile(deviations, 1, of: 2)
    worstJitterNanoseconds = Self.quantile(deviations, 99, of: 100)
    // Nil for a single frame, which has a cost but no frame rate.
    let rate = framesPerSecond
    rawBytesPerSecond = Self.perSecond(costs.map { Int64($0.rawByteCount) }, rate)
    storedBytesPerSecond = Self.perSecond(costs.map { Int64($0.storedByteCount) }, rate)
    // The median, because an encoder's first frames include its memory allocation.
    let cost = Self.quantile(costs.map(\.nanoseconds).sorted(), 1, of: 2)
    encodingCores = rate.flatMap { rate in cost.map { Double($0) / 1e9 * rate } }
  }

  private static func deviation(_ interval: Int64, from period: Int64) -> Int64 {
    abs(interval - max(1, (interval + period / 2) / period) * period)
  }

  private static func rate(_ times: [Int64]) -> Double? {
    guard let first = times.first, let last = times.last, last > first else { return nil }
    return Double(times.count - 1) / (Double(last - first) / 1e9)
  }

  private static func perSecond(_ values: [Int64], _ rate: Double?) -> Double? {
    guard let rate, !values.isEmpty else { return nil }
    return Double(values.reduce(0, +)) / Double(values.count) * rate
  }

  /// Nearest-rank quantile `part / whole` of sorted values.
  private static func quantile(_ sorted: [Int64], _ part: Int, of whole: Int) -> Int64? {
    guard !sorted.isEmpty else { return nil }
    return sorted[min(sorted.count - 1, max(0, (sorted.count * part + whole - 1) / whole - 1))]
  }
}
