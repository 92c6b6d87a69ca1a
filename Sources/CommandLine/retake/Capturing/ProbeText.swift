import CaptureDevices
import FrameModel
import RecordingStore
import Support

struct ProbeText {
  let specification: DeviceSpecification
  let summary: String
  let isLive: Bool
  let elapsedNanoseconds: Int64
  /// Processor cores that the program used; nil unless live, since other sources run at full speed.
  let processCores: Double?
  let report: ProbeReport

  var text: String {
    var lines = ["\(specification.text): \(summary)"]
    var rows = [["STREAM", "FORMAT", "SIZE", "FRAMES", "FPS", "JITTER P50", "P99", "MB/S", "CORE"]]
    for stream in report.streams {
      let layout = stream.description.layout
      rows.append([
        stream.description.name, layout.format.rawValue, "\(layout.width)x\(layout.height)", "\(stream.frameCount)",
        "\(stream.framesPerSecond.map { Format.decimals($0, 2) } ?? "-") of \(stream.description.rate)",
        milliseconds(stream.medianJitterNanoseconds), milliseconds(stream.worstJitterNanoseconds),
        stream.storedBytesPerSecond.map { Format.decimals($0 / 1e6, 1) } ?? "-",
        stream.encodingCores.map { Format.decimals($0, 2) } ?? "-",
      ])
    }
    lines.append(Format.table(rows))
    for stream in report.streams {
      lines.append(
        "\(stream.description.name): first frame after \(milliseconds(stream.firstFrameNanoseconds)), clock of "
          + clock(stream.description))
    }
    for stream in report.silentStreams { lines.append("\(stream.description.name) delivered nothing") }
    for stream in report.streams {
      lines += stream.events.map { "\($0.count) \(stream.description.name) frames \($0.reason.rawValue)" }
    }
    if report.streams.allSatisfy({ $0.events.isEmpty }) { lines.append("no frame lost, late or damaged") }
    // Streams of one device often have equal settings, which are shown once.
    let described = report.streams.map(\.description).filter { !$0.settings.isEmpty }
    for (settings, names) in described.grouped(by: \.settings, \.name) {
      lines.append(
        "\(names.joined(separator: ", ")): \(settings.map { "\($0.name)=\($0.value)" }.joined(separator: " "))")
    }
    lines.append(cost)
    return lines.joined(separator: "\n")
  }

  /// "Recording this device takes about 22.4 MB a second (of 46.1 MB delivered) and 0.31 of a core …"
  private var cost: String {
    let (stored, raw) = (sum(\.storedBytesPerSecond), sum(\.rawBytesPerSecond))
    var text =
      "Recording this device takes about \(Format.bytes(Int(stored))) a second (of \(Format.bytes(Int(raw))) delivered) "
      + "and \(Format.decimals(sum(\.encodingCores), 2)) of a core for encoding"
    if let processCores { text += "; this probe used \(Format.decimals(processCores, 2)) of a core in total" }
    return text + "."
  }

  private func sum(_ value: (ProbedStream) -> Double?) -> Double {
    report.streams.reduce(0) { $0 + (value($1) ?? 0) }
  }

  private func milliseconds(_ nanoseconds: Int64?) -> String {
    nanoseconds.map { Format.decimals(Double($0) / 1e6, 1) + " ms" } ?? "-"
  }

  private func clock(_ stream: StreamDescription) -> String {
    let hertz = Double(stream.clock.hertz)
    let rate =
      hertz >= 1e6 ? "\(Format.decimals(hertz / 1e6, 0)) MHz" : "\(Format.decimals(hertz, 0)) Hz"
    return "\(rate), \(stream.clock.bits) bits"
  }

  var json: JSONObject {
    JSONObject([
      "device": specification.text,
      "summary": summary,
      "is_live": isLive,
      "seconds": Double(elapsedNanoseconds) / 1e9,
      "stored_bytes_per_second": sum(\.storedBytesPerSecond),
      "raw_bytes_per_second": sum(\.rawBytesPerSecond),
      "encoding_cores": sum(\.encodingCores),
      "process_cores": processCores,
      "lost_frames": report.lostCount,
      "failure": report.failure?.message,
      "streams": report.streams.map(json),
    ])
  }

  private func json(_ stream: ProbedStream) -> JSONObject {
    let description = stream.description
    func milliseconds(_ nanoseconds: Int64?) -> Double? { nanoseconds.map { Double($0) / 1e6 } }
    return JSONObject(
      description,
      [
        "device": description.device,
        "clock_hertz": Int(description.clock.hertz),
        "clock_bits": description.clock.bits,
        "frames": stream.frameCount,
        "measured_fps": stream.framesPerSecond,
        "jitter_median_ms": milliseconds(stream.medianJitterNanoseconds),
        "jitter_p99_ms": milliseconds(stream.worstJitterNanoseconds),
        "first_frame_ms": milliseconds(stream.firstFrameNanoseconds),
        "raw_bytes_per_second": stream.rawBytesPerSecond,
        "stored_bytes_per_second": stream.storedBytesPerSecond,
        "encoding_cores": stream.encodingCores,
        "events": stream.events.map { JSONObject(["reason": $0.reason.rawValue, "count": $0.count]) },
        "settings": JSONObject(description.settings),
      ])
  }
}
