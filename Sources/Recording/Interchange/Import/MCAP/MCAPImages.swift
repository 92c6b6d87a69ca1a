import FrameModel
import Support

/// The images of an MCAP file or a ROS bag, in file order. A message's stamp is the device tick. Its log time,
/// counted from the first image's, is the arrival, so that delays are removed as for a camera; see `LogPace` for files
/// where the stamp is the arrival too.
enum MCAPImages {
  private static let year2000Nanoseconds: Int64 = 946_684_800_000_000_000
  /// Topics use different clocks if their offsets between stamp and log time differ by more.
  private static let sameClockNanoseconds: Int64 = 1_000_000_000

  static func open(_ source: MessageSource, topics: [String], progress: ImportProgress) throws(RetakeError)
    -> ImportSource
  {
    let path = source.path
    let scan = try MCAPImageScan(source, topics: topics, progress: progress)
    let streams = try streams(of: scan, path: path)
    let delivery = MCAPImageDelivery(
      source: source, streams: streams,
      streamOfTopic: Dictionary(uniqueKeysWithValues: zip(scan.topics.map(\.topic.name), streams.indices)),
      clock: scan.clock, missingCounts: scan.missingCounts,
      videos: scan.topics.map(\.topic.video),
      faces: scan.faces)
    let device = ImportedDevice("\(source.name) \(path) with \(streams.count) image topics", streams) {
      sink, isStopping in
      delivery.run(to: sink, isStopping)
    }
    // Times are Unix time if the machine's clock was set; simulated time starts at zero.
    let isUnixTime = scan.clock.startNanoseconds >= year2000Nanoseconds
    return ImportSource(
      device: device, frameCount: scan.topics.reduce(0) { $0 + $1.topic.frameCount },
      wallClockNanoseconds: isUnixTime ? scan.clock.startNanoseconds : 0, remarks: scan.remarks,
      notes: scan.notes)
  }

  private static func streams(of scan: MCAPImageScan, path: String) throws(RetakeError) -> [StreamDescription] {
    let fileName = path.split(separator: "/").last.map(String.init) ?? path
    let firstOffset = scan.topics.lazy.compactMap(\.topic.clockOffset).first ?? 0
    var streams: [StreamDescription] = []
    for ((topic, kind, layout), calibration) in zip(scan.topics, scan.calibrations) {
      // Streams of one device and clock share one mapping to the host's clock.
      let isSameClock =
        scan.clock.isOfStamps || abs((topic.clockOffset ?? firstOffset) - firstOffset) <= sameClockNanoseconds
      let device = topic.original?.device ?? "mcap:\(fileName)" + (isSameClock ? "" : "#\(topic.name)")
      var settings = topic.original?.settings.filter { $0.name != "topic" } ?? []
      settings += topic.video?.settings ?? []
      if let unit = topic.depthUnit { settings.append(.init(StreamDescription.depthUnit, "\(unit)")) }
      try streams.append(
        named: topic.originalName, kind, layout, topic.nominalRate(), device: device,
        settings + calibration + [.init("topic", topic.name)])
    }
    return streams
  }

  /// - Returns: nil for a time that no recording can hold.
  static func logTime(_ message: ContainedMessage) -> Int64? {
    guard let time = Int64(exactly: message.logTime), time.isPlausibleTime else { return nil }
    return time
  }
}
