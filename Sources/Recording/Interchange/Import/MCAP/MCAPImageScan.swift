import FrameModel
import Support

/// The first pass over a recording of messages, which determines its streams.
struct MCAPImageScan {
  /// The topics to import, in stream order.
  private(set) var topics: [(topic: ImageTopic, kind: StreamKind, layout: FrameLayout)] = []
  private(set) var remarks: [String] = []
  /// Counted from the first image message of those topics.
  private(set) var clock = ArrivalClock()
  /// For each topic, messages that the statistics count but that were not found.
  private(set) var missingCounts: [Int] = []

  /// Settings of each topic's stream that follow from the file's calibration.
  private(set) var calibrations: [[StreamDescription.Setting]] = []
  private(set) var faces = ImportedFaces()
  private(set) var notes = ExportedNotes()

  private struct Reading {
    var topics: [String: ImageTopic] = [:]
    var firstLogTimes: [(topic: String, time: Int64)] = []
    var seenCounts: [Int: Int] = [:]
    var (logOrder, stampOrder) = (MessageOrder(), MessageOrder())
    var sortedNames: [String] {
      topics.values.sorted {
        switch ($0.original, $1.original) {
        case (nil, nil): $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        case (nil, _): false
        case (_, nil): true
        default: $0.channel < $1.channel
        }
      }.map(\.name)
    }
    /// More topics than this indicate damage or a hostile file.
    static let topicLimit = 256
  }

  init(_ source: MessageSource, topics wanted: [String], progress: ImportProgress) throws(RetakeError) {
    let path = source.path
    let reader = try ImageMessageReader(source)
    reader.calibrations = CalibrationCollector()
    reader.faces = ImportedFaces()
    let reading = try Self.read(reader, wanted, path, progress)
    try choose(reading, wanted, reader, source, progress)
    let images = topics.map { topic, kind, layout in
      CalibrationCollector.ImageStream(
        topic: topic.name, frame: topic.frame, kind: kind, layout: layout, settings: topic.original?.settings ?? [])
    }
    if let found = reader.calibrations?.settings(for: images, namesUnused: wanted.isEmpty) {
      calibrations = found.settings
      remarks += found.remarks
    }
    let names = Set(topics.map(\.topic.name))
    clock.startNanoseconds = reading.firstLogTimes.first { names.contains($0.topic) }?.time ?? 0
    if let stamps = ArrivalClock(ofStampsIn: topics.map(\.topic)) {
      clock = stamps
      remarks.append(
        "times are the pictures' own, by one clock for all topics: the log's run at another pace, as when a recording was "
          + "played and recorded again")
    }
    clock.isOutOfStep = clock.isOfStamps ? reading.stampOrder.isOutOfStep : reading.logOrder.isOutOfStep
    notes = reader.notes.counted(from: clock.startNanoseconds)
    missingCounts = topics.map { entry in
      if let stated = source.topicCounts[entry.topic.name] {
        return min(1_000_000_000, max(0, stated - entry.topic.frameCount))
      }
      return reader.channels.filter { $0.value.topic == entry.topic.name && $0.value.kind != nil }
        .reduce(0) { sum, channel in
          let missing = (reader.countsInStatistics[channel.key] ?? 0) - (reading.seenCounts[channel.key] ?? 0)
          // Limited, so that a hostile file cannot overflow the sum.
          return sum + min(1_000_000_000, max(0, missing))
        }
    }
  }

  private static func read(
    _ reader: ImageMessageReader, _ wanted: [String], _ path: String, _ progress: ImportProgress
  ) throws(RetakeError) -> Reading {
    var reading = Reading()
    while let found = try reader.next() {
      guard progress(min(reader.position, reader.byteCount), reader.byteCount) else {
        throw .importStopped(path)
      }
      guard wanted.isEmpty || wanted.contains(found.topic) else { continue }
      reading.seenCounts[found.channel, default: 0] += 1
      guard reading.topics[found.topic] != nil || reading.topics.count < Reading.topicLimit else { continue }
      var topic =
        reading.topics.removeValue(forKey: found.topic)
        ?? ImageTopic(found.topic, channel: found.channel)
      if topic.original == nil { topic.original = reader.channels[found.channel]?.original }
      let logTime = MCAPImages.logTime(found.message)
      if let logTime, topic.frameCount == 0 { reading.firstLogTimes.append((found.topic, logTime)) }
      do throws(RetakeError) {
        guard let logTime else { throw RetakeError(.corrupt, "the time of its first message is out of range") }
        reading.logOrder.note(logTime)
        try found.read { image throws(RetakeError) in
          if let stamp = image.stamp(logTime: logTime) { reading.stampOrder.note(stamp) }
          try topic.note(image, logTime: logTime)
        }
      } catch {
        guard error.code != .inputOutput else { throw error }
        topic.note(error)
      }
      reading.topics[found.topic] = topic
    }
    return reading
  }

  /// Chooses the topics to import, ordered by kind: colour is first, so that it is the master.
  /// Within a kind, they have the requested order, or else that of the recording that was exported, or are sorted by name.
  private mutating func choose(
    _ reading: Reading, _ wanted: [String], _ reader: ImageMessageReader, _ source: MessageSource,
    _ progress: ImportProgress
  ) throws(RetakeError) {
    let path = source.path
    for name in wanted where reading.topics[name] == nil { throw Self.noTopic(name, reader, path) }
    let names = wanted.isEmpty ? reading.sortedNames : wanted
    var leftOut: [String: String] = [:]
    for name in names {
      guard let topic = reading.topics[name], !topics.contains(where: { $0.topic.name == name }) else { continue }
      do throws(RetakeError) {
        var topic = topic
        if let packets = topic.packets { topic.video = try MessageVideo(packets, of: path, progress: progress) }
        let (kind, layout) = try topic.stream(depthUnits: reader.depthUnits)
        topics.append((topic, kind, layout))
      } catch {
        // A topic that was requested must not be left out.
        guard error.code != .inputOutput else { throw error }
        guard wanted.isEmpty else {
          throw RetakeError(
            error.code, "\(name) of \(path) cannot be imported: \(Self.reason(error)).", hint: error.hint)
        }
        leftOut[name] = error.hint.isEmpty ? Self.reason(error) : "\(Self.reason(error)) (\(error.hint))"
      }
    }
    let order = StreamKind.allCases
    topics = order.flatMap { kind in topics.filter { $0.kind == kind } }
    faces = reader.faces ?? faces
    faces.keep(topics.filter { $0.topic.original != nil && $0.kind == .color }.map(\.topic.name))
    // Picture topics in an unsupported encoding are reported.
    for channel in reader.channels.values where channel.kind == nil && wanted.isEmpty {
      guard ImageMessageKind.isPictureSchema(channel.schema), reading.topics[channel.topic] == nil,
        !faces.has(channel.topic)
      else { continue }
      leftOut[channel.topic] = "\(channel.schema) encoded as '\(channel.messageEncoding)' is not supported"
    }
    for channel in reader.channels.values where wanted.isEmpty && reading.topics[channel.topic] == nil {
      guard let kind = Self.otherData(channel.schema) else { continue }
      leftOut[channel.topic] = "it has \(kind) (\(channel.schema)), which a recording does not hold"
    }
    for (topic, count) in source.topicCounts where count > 0 && wanted.isEmpty && reading.topics[topic] == nil {
      leftOut[topic] = leftOut[topic] ?? "\(Rosbag2Metadata.fileName) lists \(count) messages, but none was found"
    }
    remarks = reader.remarks
    remarks += leftOut.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { "left out \($0.key): \($0.value)" }
    for (topic, _, _) in topics where !topic.leftOut.isEmpty {
      remarks.append("left out of the pictures of \(topic.name): \(topic.leftOut.joined(separator: ", "))")
    }
    remarks += faces.topics.map {
      "\($0): the boxes of faces; the file has neither their confidence and angles nor their detector"
    }
    for (topic, _, _) in topics where topic.backwardCount > 0 {
      remarks.append(
        "\(topic.name): \(topic.backwardCount) messages are out of order and are imported in the file's order; "
          + "'mcap sort' sorts them"
      )
    }
    for (topic, _, _) in topics { remarks += (topic.video?.remarks ?? []).map { "\(topic.name): \($0)" } }
    guard !topics.isEmpty else { throw Self.nothing(remarks, reader, path) }
  }

  /// Motion data and sound, by the names that ROS, Foxglove and RealSense's SDK use. Nil for other messages.
  private static func otherData(_ schema: String) -> String? {
    switch schema.split(whereSeparator: { $0 == "/" || $0 == "." }).last ?? "" {
    case "Imu", "ImuSample", "MagneticField": "motion data"
    case "AudioData", "AudioDataStamped", "Audio", "RawAudio": "sound"
    default: nil
    }
  }

  /// The message without its full stop, for use in a sentence.
  private static func reason(_ error: RetakeError) -> String {
    error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
  }

  private static func noTopic(_ name: String, _ reader: ImageMessageReader, _ path: String) -> RetakeError {
    let all = Set(reader.channels.values.filter { $0.kind != nil }.map(\.topic))
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return RetakeError(
      .notFound, "\(path) has no image on topic '\(name)'.",
      hint: all.isEmpty
        ? "it has no topics with images" : "its topics with images are \(all.prefix(20).joined(separator: ", "))")
  }

  private static func nothing(_ remarks: [String], _ reader: ImageMessageReader, _ path: String) -> RetakeError {
    if reader.channels.values.contains(where: { $0.schema == "retake.Frame" }) {
      return RetakeError(
        .unsupported, "\(path) is a chunk file of a Retake recording.",
        hint: "move it to FOLDER/chunks and run 'retake recover FOLDER'")
    }
    if let damage = reader.damage?.first {
      return RetakeError(
        .corrupt, "\(path) has no readable image: \(damage.message)", hint: "check where the file came from")
    }
    return RetakeError(
      .unsupported, "\(path) has no image that Retake can import.",
      hint: remarks.first
        ?? "supported are sensor_msgs/msg/Image, CompressedImage, foxglove.RawImage and foxglove.CompressedImage")
  }
}
