import ArgumentParser
import CaptureDevices
import FrameModel
import Glibc
import RecordingStore
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
  func run(_ text: String, json: Bool) throws {
    let stop = StopSignal()
    let specification = try flags.specifications([text])[0]
    let device = try DeviceCatalog.open(specification.text)
    let probe = try CaptureProbe(device.streams)
    let nanoseconds = span?.nanoseconds ?? 3_000_000_000
    if Terminal.errorIsTerminal {
      Terminal.say("Streaming from \(specification.name) for \(Format.seconds(Double(nanoseconds) / 1e9)) …")
    }
    let start = MonotonicTime.now().nanoseconds
    let startCPU = Self.processNanoseconds()
    try device.start(delivering: probe.sink(isLive: device.isLive))
    while !stop.isSet, !probe.isFinished, MonotonicTime.now().nanoseconds - start < nanoseconds {
      usleep(10_000)
    }
    let elapsed = MonotonicTime.now().nanoseconds - start
    let cores = Double(Self.processNanoseconds() - startCPU) / Double(max(1, elapsed))
    // Lets go of a device that waits for room. Frames that the probe does not take are no loss.
    device.stop()
    let report = ProbeText(
      specification: specification, summary: device.summary, isLive: device.isLive, elapsedNanoseconds: elapsed,
      processCores: device.isLive ? cores : nil, report: probe.finish())
    guard report.report.frameCount > 0 else {
      throw report.report.failure
        ?? RetakeError(
          .device, "\(specification.name) delivered no frame in \(Format.seconds(Double(elapsed) / 1e9)).",
          hint: "check its cable, and whether another program uses it")
    }
    try print(json ? report.json.text : report.text.printable)
    if let failure = report.report.failure { Terminal.report(failure) }
    if report.report.lostCount > 0 || !report.report.silentStreams.isEmpty || report.report.failure != nil {
      throw ExitCode(ExitStatus.doneWithLoss.rawValue)
    }
  }

  /// CPU time of this process.
  private static func processNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
