import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Shows a recording's contents, and which frames are missing and why.")

  @Argument(help: "The recording's folder.") var recording: String
  @OptionGroup var output: JSONFlag

  func run() throws {
    let report = try InfoReport(Recording.opened(recording))
    try print(output.json ? report.json.text : report.text.printable)
  }
}

struct InfoReport {
  private let recording: Recording
  private let summary: RecordingSummary

  private let marks: MarkList
  private let damagedFiles: [String]
  private let part: RecordingPart?

  init(_ recording: Recording) throws(RetakeError) {
    self.recording = recording
    damagedFiles = try recording.damagedChunkFiles()
    marks = try MarkList(recording)
    summary = try recording.summary()
    part = try recording.part()
  }

  var text: String {
    let raw = summary.streams.reduce(0) { $0 + $1.rawByteCount }
    let ratio = Double(raw) / Double(max(1, summary.storedByteCount))
    var lines = [
      "\(recording.folder.path)  \(Format.seconds(summary.durationSeconds)), "
        + "\(Format.bytes(summary.storedByteCount)) in \(summary.chunkFileCount) chunk files "
        + "(\(Format.decimals(ratio, 2)):1)",
      "id \(recording.identity.id)",
    ]
    if !recording.isClosed {
      lines.append("not closed: the recorder is still running or was killed; this is what its index contains")
    }
    var rows = [["STREAM", "FORMAT", "SIZE", "FRAMES", "FPS", "BYTES", "RATIO", "DEVICE"]]
    for stream in summary.streams {
      let layout = stream.description.layout
      rows.append([
        stream.description.name, layout.format.rawValue, "\(layout.width)x\(layout.height)",
        "\(stream.frameCount)", stream.measuredFramesPerSecond.map { Format.decimals($0, 2) } ?? "-",
        Format.bytes(stream.storedByteCount),
        Format.decimals(Double(stream.rawByteCount) / Double(max(1, stream.storedByteCount)), 2),
        stream.description.device,
      ])
    }
    lines.append(Format.table(rows))
    lines += summary.streams.compactMap(timing)
    lines.append("\(summary.frameSetCount) frame sets, \(summary.faceFrameCount) frames with a face")
    if let part {
      lines.append(
        "  numbered from \(part.firstNumber), as in the whole recording; by default a replay plays \(part.text)")
    }
    lines += summary.faces.map { faces in
      let skipped = faces.skippedCount > 0 ? ", skipped \(faces.skippedCount)" : ""
      return "  \(faces.detector): searched \(faces.lookedCount) frames of \(streamName(faces.stream)), "
        + "\(faces.faceFrameCount) with a face\(skipped)"
    }
    if summary.losses.isEmpty {
      lines.append("no frame lost, late, damaged or unpaired")
    } else {
      lines.append("events:")
      lines.append(
        Format.table(
          summary.losses.map {
            ["\($0.count)", "\(streamName($0.stream)) frames", $0.reason, "(\($0.stage))"]
          }, indent: "  "))
    }
    lines += recording.keptMasks().map { masks in
      "masks of \(masks.stream.model), \(masks.stream.width)x\(masks.stream.height) \(masks.stream.answer): "
        + "\(masks.maskCount) kept in \(Format.bytes(masks.byteCount)) (\(masks.stream.key))"
    }
    lines += damagedFiles.map { "chunks/\($0) holds data that a repair could not read; 'retake recover' retries it" }
    if !marks.lines.isEmpty { lines.append("marks:") }
    lines += marks.lines.map { "  " + $0 }
    return lines.joined(separator: "\n")
  }

  /// "color: a frame every 33.3 ms (99 % within 34.1), 1.2 ms on its way (99 % within 9.8)"
  private func timing(_ stream: RecordingSummary.Stream) -> String? {
    func milliseconds(_ nanoseconds: Int64) -> String { Format.decimals(Double(nanoseconds) / 1e6, 1) }
    var parts: [String] = []
    if let period = stream.clock.period {
      parts.append(
        "a frame every \(milliseconds(period.medianNanoseconds)) ms (99 % within "
          + "\(milliseconds(period.ninetyNinthNanoseconds)))")
    }
    if let delay = stream.clock.delay {
      parts.append(
        "\(milliseconds(delay.medianNanoseconds)) ms on its way (99 % within "
          + "\(milliseconds(delay.ninetyNinthNanoseconds)))")
    }
    if stream.description.isHostTimed {
      parts.append("stamped by this host's clock")
    } else if let drift = stream.clock.driftPartsPerBillion {
      let speed = Double(drift.magnitude) / 1e3
      parts.append(
        speed < 0.5
          ? "its clock is accurate" : "its clock \(Format.decimals(speed, 0)) ppm \(drift > 0 ? "fast" : "slow")")
    }
    return parts.isEmpty ? nil : "\(stream.description.name): " + parts.joined(separator: ", ")
  }

  private func streamName(_ id: Int) -> String {
    recording.streams.indices.contains(id) ? recording.streams[id].name : "stream \(id)"
  }

  var json: JSONObject {
    var object = JSONObject()
    object.add("path", recording.folder.path)
    object.add("id", recording.identity.id)
    object.add("is_closed", recording.isClosed)
    object.add("duration_seconds", summary.durationSeconds)
    object.add("wall_clock_ns", Int(recording.identity.wallClockNanoseconds))
    object.add("stored_bytes", summary.storedByteCount)
    object.add("chunk_files", summary.chunkFileCount)
    object.add("frame_sets", summary.frameSetCount)
    if let part { object.add("part", part.json) }
    object.add("frames_with_face", summary.faceFrameCount)
    object.add(
      "faces",
      summary.faces.map { faces in
        var entry = JSONObject()
        entry.add("stream", streamName(faces.stream))
        entry.add("detector", faces.detector)
        entry.add("frames_looked_at", faces.lookedCount)
        entry.add("frames_with_face", faces.faceFrameCount)
        entry.add("frames_skipped", faces.skippedCount)
        return entry
      })
    object.add("streams", summary.streams.map(streamJSON))
    object.add(
      "events",
      summary.losses.map { loss in
        var entry = JSONObject()
        entry.add("stream", streamName(loss.stream))
        entry.add("stage", loss.stage)
        entry.add("reason", loss.reason)
        entry.add("count", loss.count)
        return entry
      })
    object.add(
      "masks",
      recording.keptMasks().map { masks in
        var entry = JSONObject()
        entry.add("key", masks.stream.key)
        entry.add("model", masks.stream.model)
        entry.add("network", masks.stream.network)
        entry.add("answer", masks.stream.answer)
        entry.add("settings", masks.stream.settings)
        entry.add("width", masks.stream.width)
        entry.add("height", masks.stream.height)
        entry.add("count", masks.maskCount)
        entry.add("stored_bytes", masks.byteCount)
        return entry
      })
    object.add("damaged_files", damagedFiles)
    object.add("marks", marks.json)
    return object
  }

  private func streamJSON(_ stream: RecordingSummary.Stream) -> JSONObject {
    let description = stream.description
    var entry = JSONObject(description)
    entry.add("frames", stream.frameCount)
    entry.add("damaged", stream.damagedCount)
    entry.add("raw_bytes", stream.rawByteCount)
    entry.add("stored_bytes", stream.storedByteCount)
    if let rate = stream.measuredFramesPerSecond { entry.add("measured_fps", rate) }
    if let offset = stream.clock.offsetNanoseconds { entry.add("clock_offset_ns", Int(offset)) }
    if let drift = stream.clock.driftPartsPerBillion { entry.add("clock_drift_ppb", Int(drift)) }
    for (name, spread) in [("delay", stream.clock.delay), ("period", stream.clock.period)] {
      guard let spread else { continue }
      entry.add("\(name)_median_ns", Int(spread.medianNanoseconds))
      entry.add("\(name)_p99_ns", Int(spread.ninetyNinthNanoseconds))
    }
    entry.add("is_host_timed", description.isHostTimed)
    entry.add("device", description.device)
    var settings = JSONObject()
    for setting in description.settings { settings.add(setting.name, setting.value) }
    entry.add("settings", settings)
    return entry
  }
}
