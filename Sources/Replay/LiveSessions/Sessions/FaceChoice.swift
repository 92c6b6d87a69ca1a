import CaptureDevices
import FaceDetection
import FrameModel
import RecordingStore
import Support

/// The source of faces for the `--faces` option.
package struct FaceChoice {
  package let recording: FaceRecording
  /// A message to the user about the choice; may be empty.
  package let sentence: String

  /// - Parameter text: as of `--faces`. For streams that are not live, `auto` leaves faces to
  ///   'retake faces'.
  /// - Throws: `.usage` for invalid text, `.notFound` and `.corrupt` for a detector's files,
  ///   `.unsupported` without a colour stream.
  package init(_ text: String, _ devices: DeviceSet) throws(RetakeError) {
    let streams = devices.streams
    let specification = try FaceDetectorSpecification(text)
    let color = streams.faceStream
    switch specification.kind {
    case .none: (recording, sentence) = (.none, "")
    case .recorded: (recording, sentence) = (.device, "")
    case .auto:
      let hasOwn = color.map { streams[$0].settings.contains(StreamDescription.Setting("faces", "1")) } ?? true
      guard let color, !hasOwn, devices.areLive[color], Self.isVisible(streams[color]) else {
        (recording, sentence) = (.device, "")
        return
      }
      if let missing = FaceDetectorSpecification.missing {
        (recording, sentence) = (.device, "Faces are not detected: \(missing), or use --faces none.")
        return
      }
      recording = try Self.looking(FaceDetectorSpecification("lbp"), color, streams)
      sentence = "Faces are detected during the recording (turn this off with --faces none)."
    case .lbp, .haar, .yunet:
      guard let color else {
        throw RetakeError(
          .unsupported, "There is no colour stream in which to detect faces.",
          hint: "leave out --faces, or use --faces none")
      }
      recording = try Self.looking(specification, color, streams)
      sentence = ""
    }
  }

  /// What to try if most searched frames had no face; nil otherwise. Only for a recording that has ended.
  package var advice: String? {
    guard case .detector(let observer, _, _) = recording, let finder = observer as? FaceFinder else { return nil }
    return finder.advice(option: "--faces")
  }

  private static func isVisible(_ stream: StreamDescription) -> Bool {
    (try? GreyImage(stream.layout, usefulSide: 320)) != nil
  }

  private static func looking(
    _ specification: FaceDetectorSpecification, _ color: Int, _ streams: [StreamDescription]
  ) throws(RetakeError) -> FaceRecording {
    guard let detector = try specification.detector() else { return .device }
    let depth = streams.faceDepthStream(of: color)
    let finder = try FaceFinder(detector, color: streams[color], depth: depth.map { streams[$0] })
    return .detector(finder, stream: color, depthStream: depth)
  }
}
