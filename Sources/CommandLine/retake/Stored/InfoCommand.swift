import ArgumentParser
import FrameModel
import RecordingStore
import Replay
import Support

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Shows a recording's contents, and which frames are missing and why.",
    discussion: """
      retake info session.retake
      retake info session.retake --json
      """)

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @OptionGroup var output: JSONFlag

  func run() throws {
    let report = try InfoReport(Recording.opened(recording))
    try print(output.json ? report.json.versioned.text : report.text(columns: Terminal.outputColumns))
  }
}

struct InfoReport {
  private let recording: Recording
  private let summary: RecordingSummary

  private let marks: MarkList
  /// Why they may be others than those that were set.
  private let markProblem: RetakeError?
  private let damagedFiles: [String]
  private let missingFiles: [String]
  private let part: RecordingPart?
  private let alignment: ColorAlignment?
  private let tags: RecordingTags
  /// Why the tags cannot be read.
  private let tagProblem: RetakeError?
  /// Of a recording without a stored one, at a glance.
  private let glance: ColorAlignment?

  init(_ recording: Recording) throws(RetakeError) {
    self.recording = recording
    damagedFiles = try recording.damagedChunkFiles()
    // A recorder that runs may be about to write them.
    missingFiles = recording.isClosed ? try recording.missingChunkFiles() : []
    do throws(RetakeError) { (marks, markProblem) = (try MarkList(recording), nil) } catch {
      (marks, markProblem) = (try MarkList(recording, asSet: true), error)
    }
    summary = try recording.summary()
    part = try recording.part()
    alignment = try recording.alignment()
    do throws(RetakeError) { (tags, tagProblem) = (try recording.tags(), nil) } catch {
      (tags, tagProblem) = (RecordingTags(), error)
    }
    glance = alignment == nil ? Self.glance(recording) : nil
  }

  /// What a few frame sets tell of the alignment. Nil if that is nothing certain, or pictures are too
  /// large to decode in passing.
  private static func glance(_ recording: Recording) -> ColorAlignment? {
    let isSmall = recording.streams.allSatisfy { $0.layout.width * $0.layout.height <= largestGlancedPixelCount }
    guard isSmall else { return nil }
    return try? AlignmentEstimator(recording).run(frameLimit: AlignmentEstimator.glanceFrameLimit).alignment
  }

  /// Of a picture.
  private static let largestGlancedPixelCount = 1 << 20

  /// Columns of streams that a narrow terminal goes without.
  private static let leastWanted = ["RATIO", "BYTES", "DEVICE", "FPS", "FORMAT"]

  /// - Parameter columns: the terminal's width; nil breaks no line.
  func text(columns: Int?) -> String {
    var lines = [
      "\(recording.folder.path.withoutLineFeeds)  \(Format.seconds(summary.durationSeconds)), "
        + "\([summary].sizeText), in \(Format.counted(summary.chunkFileCount, "chunk file"))",
      "id \(recording.identity.id)",
    ]
    if !tags.tags.isEmpty { lines.append("tags: " + tags.tags.map(\.text).joined(separator: ", ")) }
    if let tagProblem { lines.append("tags: \(tagProblem.message) \(tagProblem.hint)") }
    if let markProblem { lines.append("marks, as they were set: \(markProblem.message) \(markProblem.hint)") }
    if !tags.note.isEmpty { lines.append("note: " + tags.note) }
    if !recording.isClosed {
      lines.append("not closed: the recorder is still running or was killed; this is what its index contains")
    }
    if let ring = recording.recordedStreams.ring {
      let count = summary.notKeptCounts.max() ?? 0
      let limit = RingOptions(ring)
      let kept =
        limit?.byteCount.map { Format.bytes($0) } ?? limit?.nanoseconds.map { Format.seconds(Double($0) / 1e9) } ?? ring
      lines.append(
        "a ring of \(kept): "
          + (count == 0 ? "nothing let go of yet" : "let go of \(Format.counted(count, "frame set"))"))
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
    lines.append(Format.table(rows, without: Self.leastWanted, in: columns))
    lines += summary.streams.compactMap(timing)
    let faces =
      summary.faces.isEmpty
      ? "not searched for faces" : "\(Format.counted(summary.faceFrameCount, "frame")) with a face"
    lines.append("\(Format.counted(summary.frameSetCount, "frame set")), \(faces)")
    if let part {
      lines.append(
        "  numbered from \(part.firstNumber), as in the whole recording; by default a replay plays \(part.text)")
    }
    lines += summary.faces.map { faces in
      // A camera reports only the frames that have a face, so the others are no gap in a search.
      if summary.streams.indices.contains(faces.stream),
        case let stream = summary.streams[faces.stream], stream.description.device.hasPrefix(faces.detector)
      {
        return "  \(faces.detector): the camera's own, in \(faces.faceFrameCount) of \(stream.frameCount) frames of "
          + stream.description.name
      }
      let skipped = faces.skippedCount > 0 ? ", skipped \(faces.skippedCount)" : ""
      return "  \(faces.detector): searched \(faces.lookedCount) frames of \(streamName(faces.stream)), "
        + "\(faces.faceFrameCount) with a face\(skipped)"
    }
    lines += CalibrationText(recording).lines
    if let alignment {
      let isMoved = alignment.pixels.x != 0 || alignment.pixels.y != 0
      lines.append("alignment: \(alignment.sentence), which replays \(isMoved ? "correct" : "leave as it is")")
    } else if let glance, glance.isOff {
      lines.append(
        "alignment: \(glance.sentence); 'retake calibrate \(ShellWord.quoted(recording.folder.path))' measures and corrects it"
      )
    }
    if let last = missingFiles.last {
      let word = ShellWord.quoted(recording.folder.path)
      lines +=
        missingFiles.dropLast() + [
          recording.folder.hasChunks
            ? "\(last); 'retake verify \(word)' reads everything, 'retake recover \(word)' keeps what is whole"
            : "\(last); restore that folder from a copy"
        ]
    } else if summary.losses.isEmpty {
      lines.append(
        recording.isClosed
          ? "no frame was lost, late, damaged or unpaired when it was recorded"
          : "no frame known to be lost, late, damaged or unpaired; of the end, its recorder may not have written it")
    }
    if !summary.losses.isEmpty {
      lines.append("events:")
      lines.append(
        Format.table(
          summary.losses.map {
            let reason = FrameEvent.Reason(rawValue: $0.reason)
            let unit = reason == .lostPackets ? "packets" : "frames"
            return ["\($0.count)", "\(streamName($0.stream)) \(unit)", $0.reason, $0.stage, reason?.meaning ?? ""]
          }, indent: "  "))
    }
    lines += recording.keptMasks().map { masks in
      "masks of \(masks.stream.model), \(masks.stream.width)x\(masks.stream.height) \(masks.stream.answer): "
        + "\(masks.maskCount) kept in \(Format.bytes(masks.byteCount)) (\(masks.stream.key))"
    }
    lines += damagedFiles.map { "chunks/\($0) holds data that a repair could not read; 'retake recover' retries it" }
    if !marks.lines.isEmpty { lines.append("marks:") }
    lines += marks.lines.map { "  " + $0 }
    return Format.fitted(lines.joined(separator: "\n").printable, columns)
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
    JSONObject([
      "path": recording.folder.path,
      "id": recording.identity.id,
      "is_closed": recording.isClosed,
      "duration_seconds": summary.durationSeconds,
      "wall_clock_ns": Int(recording.identity.wallClockNanoseconds),
      "stored_bytes": summary.storedByteCount,
      "chunk_files": summary.chunkFileCount,
      "frame_sets": summary.frameSetCount,
      "ring": recording.recordedStreams.ring,
      "part": part?.json,
      "frames_with_face": summary.faceFrameCount,
      "faces": summary.faces.map { faces in
        JSONObject([
          "stream": streamName(faces.stream),
          "detector": faces.detector,
          "frames_looked_at": faces.lookedCount,
          "frames_with_face": faces.faceFrameCount,
          "frames_skipped": faces.skippedCount,
        ])
      },
      "calibration": CalibrationText(recording).json,
      "alignment": alignment?.json,
      "uncorrected_alignment": glance.flatMap { $0.isOff ? $0.json : nil },
      "streams": summary.streams.map(streamJSON),
      "events": summary.losses.map { loss in
        JSONObject([
          "stream": streamName(loss.stream),
          "stage": loss.stage,
          "reason": loss.reason,
          "count": loss.count,
        ])
      },
      "masks": recording.keptMasks().map { masks in
        JSONObject([
          "key": masks.stream.key,
          "model": masks.stream.model,
          "network": masks.stream.network,
          "answer": masks.stream.answer,
          "settings": masks.stream.settings,
          "width": masks.stream.width,
          "height": masks.stream.height,
          "count": masks.maskCount,
          "stored_bytes": masks.byteCount,
        ])
      },
      "damaged_files": damagedFiles,
      "missing_files": missingFiles,
      "marks": marks.json,
      "tags": JSONObject(pairs: tags.tags.map { ($0.name, $0.value) }),
      "note": tags.note,
    ])
  }

  private func streamJSON(_ stream: RecordingSummary.Stream) -> JSONObject {
    let description = stream.description
    let (delay, period) = (stream.clock.delay, stream.clock.period)
    return JSONObject(
      description,
      [
        "frames": stream.frameCount,
        "damaged": stream.damagedCount,
        "raw_bytes": stream.rawByteCount,
        "stored_bytes": stream.storedByteCount,
        "measured_fps": stream.measuredFramesPerSecond,
        "clock_offset_ns": stream.clock.offsetNanoseconds.map { Int($0) },
        "clock_drift_ppb": stream.clock.driftPartsPerBillion.map { Int($0) },
        "delay_median_ns": delay.map { Int($0.medianNanoseconds) },
        "delay_p99_ns": delay.map { Int($0.ninetyNinthNanoseconds) },
        "period_median_ns": period.map { Int($0.medianNanoseconds) },
        "period_p99_ns": period.map { Int($0.ninetyNinthNanoseconds) },
        "is_host_timed": description.isHostTimed,
        "device": description.device,
        "settings": JSONObject(description.settings),
      ])
  }
}
