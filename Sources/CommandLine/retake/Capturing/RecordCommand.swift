import ArgumentParser
import CaptureDevices
import Foundation
import FrameModel
import Glibc
import Interchange
import Kernels
import LiveSessions
import RecordingStore
import Support

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Records cameras into a folder until Ctrl-C, a limit, or the end of their frames.",
    discussion: """
      retake record --device simulated --duration 5s
      retake record --device 'kinect:0?video=bayer' --output session.retake
      retake record --device tum:/data/rgbd_dataset_freiburg3_walking_xyz
      retake record --device v4l2:/dev/video0 --device v4l2:/dev/video2 \\
          --format YUYV --size 640x480
      retake record --device kinect:0 --ring 100GB --preroll 30s
      retake record --device kinect:0 --on-mark --preroll 10s --postroll 5s

      'retake devices' lists the devices. Return sets a mark, with any text typed before it as its label; so do the signal \
      USR1 and 'retake mark' on the folder. 'retake live --record' and 'retake studio --device' show the picture while \
      they record. Ctrl-C, SIGTERM and closing the terminal end the recording; started with \
      'nohup', it continues when the terminal is closed. Exits 3 when frames were lost; 'retake info' shows which.
      """)

  @Option(
    help: "The device to record: kind[:place][?option=value&…]. Repeat it for several cameras.", completion: .device)
  var device: [String] = []
  @OptionGroup(title: "Cameras") var deviceFlags: DeviceFlags

  @Option(help: "When a camera is unplugged or stalls: wait resumes when it returns, stop ends the recording.")
  var onDisconnect = SupervisionOptions.Policy.wait

  @OptionGroup(title: "Cameras") var stall: TimeoutFlag

  @Option(
    help: "Lenses and places of the cameras: a YAML file and others that 'retake calibrate' takes.",
    completion: .file())
  var calibration: String?

  @Option(
    name: [.short, .long], help: "The folder to create. By default Recordings/DATE-TIME.retake.", completion: .directory
  )
  var output: String?

  @OptionGroup(title: "Limits") var limits: RecordLimitFlags
  @OptionGroup(title: "Near marks") var marks: MarkWindowFlags

  @OptionGroup(title: "Limits") var reserve: KeepFreeFlag

  @Option(
    help: """
      Limit of the encoders' queue, in frames of live cameras; dropping starts at three quarters of it. The limits of 1 s \
      and 1 GiB (an eighth of memory below 8 GiB) always apply. By default only those. Example: --queue 200.
      """) var queue: Int?

  @OptionGroup var detection: FacesFlag

  @OptionGroup var sharing: SharingFlag
  @Flag(help: "Print a summary as JSON; with --split, a list.") var json = false
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if let queue, !(1...100_000).contains(queue) { throw ValidationError("--queue takes 1 to 100000 frames.") }
    try marks.validate(isRing: limits.ring != nil)
    if let output, output.isEmpty { throw ValidationError("--output is empty.") }
  }

  func run() throws {
    // Here, so that an unknown option is reported first.
    if device.isEmpty { throw DeviceFlags.noDevice(of: "record") }
    // A mark signal must not kill the process before there is a recorder.
    signal(SIGUSR1, SIG_IGN)
    let stop = StopSignal()
    let recorded = try DeviceSet(
      deviceFlags.specifications(device), supervision: stall.supervision(onDisconnect), onChange: messages.say)
    messages.say(recorded.devices.map(\.summary))
    let streams = try Self.calibrated(recorded.streams, by: calibration)
    var options = RecorderOptions()
    options.queueLimit = queue
    options.keepFreeByteCount = reserve.keepFree?.bytes
    options.durationNanoseconds = limits.duration?.nanoseconds
    options.largestByteCount = limits.maxSize?.bytes
    options.split = limits.split?.options
    options.markWindow = marks.window
    options.ring = limits.ring?.options(marks.span)
    if !recorded.isLive { options.makeReproducible(streams, wallClockNanoseconds: recorded.wallClockNanoseconds) }
    let faceChoice = try FaceChoice(detection.faces, recorded)
    let folder =
      if let output { RecordingFolder(path: output, isShared: sharing.shared) } else {
        try RecordingName.claimed(in: "Recordings", isSplit: limits.split != nil, isShared: sharing.shared)
      }
    let recorder = try Recorder(folder: folder, streams: streams, options: options, faces: faceChoice.recording)
    if !faceChoice.sentence.isEmpty { messages.say(faceChoice.sentence) }
    let forecast = SizeForecast(streams)
    let free = recorder.status.freeByteCount
    messages.say(
      marks.window.map(forecast.sentence(nearMarks:)) ?? forecast.sentence(freeByteCount: free, ring: options.ring))
    if let warning = options.ring.flatMap(forecast.sentence) { messages.say(warning) }
    let keys = MarkKeys(recorder, isQuiet: messages.quiet)
    if keys.hasTerminal {
      messages.say("Return sets a mark, with any text typed before it as its label; Ctrl-C ends the recording.")
    } else if marks.onMark && limits.split == nil {
      messages.say("No keyboard is read here; 'retake mark \(ShellWord.quoted(folder.path))' sets a mark.")
    }
    let result = try record(
      recorded, recorder, stop, hasKeyboard: keys.hasTerminal,
      isBounded: options.ring.map { forecast.fits($0, free) } ?? false)
    let (status, failure) = (result.status, result.failure)
    withExtendedLifetime(keys) {}
    if marks.onMark && status.markCount == 0 && failure == nil {
      recorder.removeIfEmpty()
      messages.say("No mark was set, so nothing was kept.")
      if json { try print(limits.split == nil ? "null" : "[]") }
      return
    }
    // At a full disk the failure tells it.
    let isFull = status.isFull && failure == nil
    if isFull {
      messages.say(
        options.ring == nil
          ? "The recording reached its maximum size."
          : "What the marks keep fills the ring, so the recording ended. Start another, or give a larger --ring.")
    }
    try RecordingReport.checkHasFrames(recorder, status, failure)
    try RecordingReport.conclude(
      recorder.streams, status, failure, json: json, isQuiet: messages.quiet, isSplit: limits.split != nil,
      faceAdvice: faceChoice.advice)
    if isFull && options.ring != nil { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  /// - Parameter file: lenses and places of the cameras; nil to keep what the devices report.
  private static func calibrated(
    _ streams: [StreamDescription], by file: String?
  ) throws(RetakeError) -> [StreamDescription] {
    guard let file else { return streams }
    return try CalibrationFile(path: file).calibrations(of: streams).applied(to: streams)
  }

  private func record(
    _ recorded: DeviceSet, _ recorder: Recorder, _ stop: StopSignal, hasKeyboard: Bool, isBounded: Bool
  ) throws(RetakeError) -> CaptureSession.Result {
    let line = LiveLine(
      recorder.streams, isShown: Terminal.redraws && !messages.quiet, waitsForMarks: marks.onMark,
      leavesRow: hasKeyboard, isBounded: isBounded)
    let sayFailure: @Sendable (RetakeError) -> Void = { [messages] error in
      messages.say("\(error.message) The recording continues without it.")
    }
    let result = try CaptureSession.run(
      recorded, recorder, stop.flag, durationNanoseconds: limits.duration?.nanoseconds,
      endsAtFailure: onDisconnect == .stop, onFailure: sayFailure
    ) { status in line.update(status, away: recorded.away.map { ($0.name, $0.since) }) }
    line.end(result.status)
    return result
  }
}
