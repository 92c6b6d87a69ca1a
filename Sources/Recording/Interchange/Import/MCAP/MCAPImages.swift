import CaptureDevices
import ChunkFormat
import FrameModel
import Support

/// The images of an MCAP file as a capture device, in file order, at the recorder's pace. A
/// message's stamp is the device tick. Its log time, counted from the first image's, is the
/// arrival, so that delays are removed as for a camera.
package final class MCAPImages: CaptureDevice {
  package let summary: String
  package let streams: [StreamDescription]
  package let isLive = false

  private let path: String
  private let streamOfTopic: [String: Int]
  private let startNanoseconds: Int64
  private let missingCounts: [Int]
  private let only = SingleDelivery()

  static func open(_ path: String, topics: [String], progress: ImportProgress) throws(RetakeError) -> ImportSource {
    let scan = try MCAPImageScan(path: path, topics: topics, progress: progress)
    let device = try MCAPImages(path: path, scan)
    // Log times are Unix time if the machine's clock was set; simulated time starts at zero.
    let isUnixTime = scan.startNanoseconds >= Self.year2000Nanoseconds
    return ImportSource(
      device: device, frameCount: scan.topics.reduce(0) { $0 + $1.topic.frameCount },
      wallClockNanoseconds: isUnixTime ? scan.startNanoseconds : 0, remarks: scan.remarks)
  }

  private static let year2000Nanoseconds: Int64 = 946_684_800_000_000_000
  /// Topics use different clocks if their offsets between stamp and log time differ by more.
  private static let sameClockNanoseconds: Int64 = 1_000_000_000
  private static let nanosecondClock: Result<TickClock, RetakeError> = Result { () throws(RetakeError) in
    try TickClock(hertz: 1_000_000_000, bits: 64)
  }

  private init(path: String, _ scan: MCAPImageScan) throws(RetakeError) {
    self.path = path
    startNanoseconds = scan.startNanoseconds
    missingCounts = scan.missingCounts
    let fileName = path.split(separator: "/").last.map(String.init) ?? path
    let firstOffset = scan.topics.lazy.compactMap(\.topic.clockOffset).first ?? 0
    var streams: [StreamDescription] = []
    var streamOfTopic: [String: Int] = [:]
    for (topic, kind) in scan.topics {
      guard let coding = topic.coding else { continue }
      let sameKindCount = streams.count { $0.kind == kind }
      // Streams of one device and clock share one mapping to the host's clock.
      let isSameClock = abs((topic.clockOffset ?? firstOffset) - firstOffset) <= Self.sameClockNanoseconds
      var stream = StreamDescription(
        name: sameKindCount == 0 ? kind.rawValue : "\(kind.rawValue)-\(sameKindCount)", kind: kind,
        layout: coding.layout, rate: try topic.nominalRate(), clock: try Self.nanosecondClock.get(),
        device: "mcap:\(fileName)" + (isSameClock ? "" : "#\(topic.name)"), settings: [.init("topic", topic.name)])
      if let original = topic.original {
        stream.device = original.device
        stream.settings = original.settings.filter { $0.name != "topic" } + stream.settings
      }
      streamOfTopic[topic.name] = streams.count
      streams.append(stream)
    }
    self.streams = streams
    self.streamOfTopic = streamOfTopic
    summary = "MCAP file \(path) with \(streams.count) image topics"
  }

  deinit { stop() }

  /// - Returns: nil for a time that no recording can hold.
  static func logTime(_ message: MCAPMessage) -> Int64? {
    guard let time = Int64(exactly: message.logTime), time.isPlausibleTime else { return nil }
    return time
  }

  package func start(delivering sink: any CaptureSink) throws(RetakeError) {
    let delivery = MCAPImageDelivery(
      path: path, streams: streams, streamOfTopic: streamOfTopic, startNanoseconds: startNanoseconds,
      missingCounts: missingCounts, sink: sink)
    try only.start { isStopping in delivery.run(isStopping) }
  }

  package func stop() { only.stop() }
}
