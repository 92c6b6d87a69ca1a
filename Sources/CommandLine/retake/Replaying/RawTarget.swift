import ArgumentParser
import Media
import RecordingStore
import Replay
import Support

/// `--raw STREAM=/dev/videoN`: a stream and the V4L2 output device that shows it.
struct RawTarget {
  let stream: String
  let path: String

  init(_ text: String) throws {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let path = halves.last.map { $0.hasPrefix("v4l2:") ? String($0.dropFirst("v4l2:".count)) : $0 } ?? ""
    guard halves.count == 2, !halves[0].isEmpty, path.hasPrefix("/") else {
      throw ValidationError("--raw takes a stream and a V4L2 device, as in --raw depth=/dev/video11.")
    }
    (self.stream, self.path) = (halves[0], path)
  }

  /// Opens the devices of all targets.
  /// - Throws: `.usage` for a stream or device that is named twice, `.notFound` for a stream that does not exist.
  static func open(
    _ targets: [RawTarget], of recording: Recording, patience: WritePatience
  ) throws(RetakeError) -> [RawOutput] {
    for (number, target) in targets.enumerated() {
      let isTwice = targets[..<number].contains { $0.path == target.path || $0.stream == target.stream }
      guard !isTwice else {
        throw RetakeError(
          .usage, "--raw names \(target.stream) or \(target.path) twice.", hint: "give each stream a device of its own")
      }
    }
    return try targets.map { target throws(RetakeError) in
      guard let stream = recording.streams.firstIndex(where: { $0.name == target.stream }) else {
        let names = recording.streams.map(\.name)
        throw RetakeError(
          .notFound, "\(recording.folder.path) has no stream '\(target.stream)'.",
          hint: "it has \(names.joined(separator: ", "))")
      }
      // A stream that no device can show is refused before a device is opened.
      _ = try RawOutput.samples(of: recording.streams[stream])
      return try RawOutput(
        recording.streams[stream], stream: stream, to: LinuxVideoOutput(path: target.path, patience: patience))
    }
  }
}
