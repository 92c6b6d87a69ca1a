import ArgumentParser
import CaptureDevices
import LiveSessions
import Support

/// `retake devices --probe`: what a camera delivers, and what it would cost to record it.
struct DeviceProbe: ParsableArguments {
  @Option(name: .customLong("probe"), help: "Stream from this device for a few seconds and report what it delivers.")
  var device: String?
  @Option(name: .customLong("seconds"), help: "With --probe, the time: 5s, 500ms. By default 3s.") var span: TimeSpan?
  @OptionGroup(title: "Options of the probed device") var flags: DeviceFlags

  mutating func validate() throws {
    if device == nil && (span != nil || !flags.isEmpty) {
      throw ValidationError("--seconds, --format, --size, --fps and --control need --probe DEVICE.")
    }
    if let span, !(100_000_000...3_600_000_000_000).contains(span.nanoseconds) {
      throw ValidationError("--seconds takes 100ms to 1h.")
    }
  }

  /// - Throws: the device's error if no frame came; an exit code if something was lost.
  func run(_ name: String, json: Bool) throws {
    let stop = StopSignal()
    let specification = try flags.specifications([name])[0]
    let device = try DeviceCatalog.open(specification.text)
    let nanoseconds = span?.nanoseconds ?? 3_000_000_000
    if Terminal.errorIsTerminal {
      Terminal.say("Streaming from \(specification.name) for \(Format.seconds(Double(nanoseconds) / 1e9)) …")
    }
    let result = try ProbeSession.run(device, nanoseconds: nanoseconds, stop.flag)
    let report = result.report
    let text = ProbeText(
      specification: specification, summary: device.summary, isLive: device.isLive,
      elapsedNanoseconds: result.elapsedNanoseconds, processCores: device.isLive ? result.processCores : nil,
      report: report)
    guard report.frameCount > 0 else {
      throw report.failure
        ?? RetakeError(
          .device,
          "\(specification.name) delivered no frame in \(Format.seconds(Double(result.elapsedNanoseconds) / 1e9)).",
          hint: "check its cable, and whether another program uses it")
    }
    if json { try print(text.json.versioned.text) } else { try printSentences(text.text) }
    if let failure = report.failure { Terminal.report(failure) }
    if report.lostCount > 0 || !report.silentStreams.isEmpty || report.failure != nil {
      throw ExitCode(ExitStatus.doneWithLoss.rawValue)
    }
  }
}
