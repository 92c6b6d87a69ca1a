import ArgumentParser
import CaptureDevices
import Foundation
import FrameModel
import Glibc
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
      retake record --device kinect:0 --on-mark --preroll 10s --postroll 5s

      'retake devices' lists the devices. Return sets a mark, with any text typed before it as its label; so do the signal \
      USR1 and 'retake mark' on the folder. Ctrl-C, SIGTERM and closing the terminal end the recording; started with \
      'nohup', it continues when the terminal is closed. Exits 3 when frames were lost; 'retake info' shows which.
      """)

  @Option(
    help: "The device to record: kind[:place][?option=value&…]. Repeat it for several cameras.", completion: .device)
  var device: [String] = []
  @OptionGroup var deviceFlags: DeviceFlags

  @Option(help: "When a camera is unplugged or stalls: wait resumes when it returns, stop ends the recording.")
  var onDisconnect = SupervisionOptions.Policy.wait

  @OptionGroup var stall: TimeoutFlag

  @Option(
    name: [.short, .long], help: "The folder to create. By default Recordings/DATE-TIME.retake.", completion: .directory
  )
  var output: String?

  @Option(
    name: [.long, .customLong("max-duration")],
    help: "End after this much recording time: 5s, 500ms, 2m, 1h.") var duration: TimeSpan?

  @Option(help: "End cleanly before the chunk files exceed this size: 500MB, 4GiB.") var maxSize: ByteCount?

  @Option(help: "Continue in a new recording (NAME-001.retake and so on) after this much time or data: 10m, 4GB.")
  var split: SplitSize?

  @Flag(help: "Store only frames near marks; until a mark is set, frames are kept in memory.") var onMark = false
  @Option(help: "With --on-mark, the time to keep before each mark. By default 10s.") var preroll: TimeSpan?
  @Option(help: "With --on-mark, the time to keep after each mark. By default 5s.") var postroll: TimeSpan?

  @OptionGroup var reserve: KeepFreeFlag

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
    if device.isEmpty {
      throw ValidationError("Name a camera with --device; 'retake devices' lists them.")
    }
    if let queue, !(1...100_000).contains(queue) { throw ValidationError("--queue takes 1 to 100000 frames.") }
    if !onMark && (preroll ?? postroll) != nil {
      throw ValidationError("--preroll and --postroll need --on-mark.")
    }
    if let output, output.isEmpty { throw ValidationError("--output is empty.") }
    if let duration, duration.nanoseconds == 0 {
      throw ValidationError("--duration takes more than 0: 5s, 500ms, 2m, 1h.")
    }
    if let maxSize, maxSize.bytes < 1 << 20 { throw ValidationError("--max-size takes 1MiB or more.") }
    if let split = split?.options,
      split.byteCount.map({ $0 < 1 << 20 }) ?? false || split.nanoseconds.map({ $0 < 1_000_000_000 }) ?? false
    {
      throw ValidationError("--split takes 1s or more, or 1MiB or more.")
    }
  }

  func run() throws {
    // A mark signal must not kill the process before there is a recorder.
    signal(SIGUSR1, SIG_IGN)
    let stop = StopSignal()
    let recorded = try DeviceSet(
      deviceFlags.specifications(device), supervision: stall.supervision(onDisconnect), onChange: messages.say)
    messages.say(recorded.devices.map(\.summary))
    let streams = recorded.streams
    var options = RecorderOptions()
    options.queueLimit = queue
    options.keepFreeByteCount = reserve.keepFree?.bytes
    options.durationNanoseconds = duration?.nanoseconds
    options.largestByteCount = maxSize?.bytes
    options.split = split?.options
    if onMark {
      options.markWindow = MarkWindowOptions(
        prerollNanoseconds: preroll?.nanoseconds ?? 10_000_000_000,
        postrollNanoseconds: postroll?.nanoseconds ?? 5_000_000_000)
    }
    if !recorded.isLive { options.makeReproducible(streams) }
    let folder = RecordingFolder(path: output ?? RecordingName.now(in: "Recordings"), isShared: sharing.shared)
    let faceChoice = try FaceChoice(detection.faces, recorded)
    let recorder = try Recorder(folder: folder, streams: streams, options: options, faces: faceChoice.recording)
    if !faceChoice.sentence.isEmpty { messages.say(faceChoice.sentence) }
    messages.say(SizeForecast(streams).sentence(freeByteCount: recorder.status.freeByteCount))
    let keys = MarkKeys(recorder, isQuiet: messages.quiet)
    if keys.hasTerminal {
      messages.say("Return sets a mark, with any text typed before it as its label; Ctrl-C ends the recording.")
    }
    let result = try record(recorded, recorder, stop, hasKeyboard: keys.hasTerminal)
    let (status, failure) = (result.status, result.failure)
    withExtendedLifetime(keys) {}
    if onMark && status.markCount == 0 && failure == nil {
      recorder.removeIfEmpty()
      messages.say("No mark was set, so nothing was kept.")
      if json { try print(split == nil ? "null" : "[]") }
      return
    }
    if status.isFull { messages.say("The recording reached its maximum size.") }
    try RecordingReport.conclude(
      recorder, status, failure, json: json, isQuiet: messages.quiet, isSplit: split != nil,
      faceAdvice: faceChoice.advice,
      ifEmpty: RetakeError(
        .device, "No camera delivered a frame.", hint: "check the cable and the output of 'retake devices'"))
  }

  private func record(
    _ recorded: DeviceSet, _ recorder: Recorder, _ stop: StopSignal, hasKeyboard: Bool
  ) throws(RetakeError) -> CaptureSession.Result {
    let line = LiveLine(
      recorder.streams, isShown: Terminal.errorIsTerminal && !messages.quiet, waitsForMarks: onMark,
      leavesRow: hasKeyboard)
    let sayFailure: @Sendable (RetakeError) -> Void = { [messages] error in
      messages.say("\(error.message) The recording continues without it.")
    }
    let result = try CaptureSession.run(
      recorded, recorder, stop.flag, durationNanoseconds: duration?.nanoseconds,
      endsAtFailure: onDisconnect == .stop, onFailure: sayFailure
    ) { status in line.update(status, away: recorded.away.map { ($0.name, $0.since) }) }
    line.end(result.status)
    return result
  }
}

/// Where to split: a time span or a number of bytes. Ambiguous text is a time: "90" is seconds.
struct SplitSize: ExpressibleByArgument {
  let options: SplitOptions

  init?(argument: String) {
    if let span = TimeSpan(argument: argument) {
      options = SplitOptions(nanoseconds: span.nanoseconds, byteCount: nil)
    } else if let count = ByteCount(argument: argument) {
      options = SplitOptions(nanoseconds: nil, byteCount: count.bytes)
    } else {
      return nil
    }
  }
}
