import CaptureDevices
import FrameModel
import RecordingStore
import Support

extension LiveSession {
  /// The recorder, if requested, and the source of faces for displayed frames.
  static func recorder(
    _ command: LiveCommand, _ cameras: RecordedDevices, _ streams: [StreamDescription]
  ) throws(RetakeError) -> (Recorder?, LiveFaces) {
    let isLive = cameras.devices.flatMap { device in device.streams.map { _ in device.isLive } }
    let choice = try FaceChoice(command.faces, streams: streams) { isLive[$0] }
    if !command.quiet && !choice.sentence.isEmpty { Terminal.say(choice.sentence) }
    guard let path = command.record else { return (nil, .own(choice.recording)) }
    var options = RecorderOptions()
    if !cameras.isLive {
      options.wallClockNanoseconds = 0
      options.id = Recorder.id(of: streams)
      options.durationNanoseconds = command.duration?.nanoseconds
    }
    var (recorded, shown) = (choice.recording, LiveFaces.own(choice.recording))
    if case .detector(let observer, let stream, let depthStream) = choice.recording {
      if cameras.isLive {
        let relay = FaceRelay(observer)
        recorded = .detector(relay, stream: stream, depthStream: depthStream)
        shown = .shared(relay)
      } else {
        // Without a clock both examine every frame. Detectors have state, so each gets its own.
        shown = .own(try FaceChoice(command.faces, streams: streams) { isLive[$0] }.recording)
      }
    }
    return (
      try Recorder(
        folder: RecordingFolder(path: path, isShared: command.sharing.shared), streams: streams, options: options,
        faces: recorded), shown
    )
  }
}
