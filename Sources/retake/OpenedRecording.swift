import FrameModel
import RecordingStore

extension Recording {
  /// Opens a recording for a command, repairs it where its recorder was killed, and says so.
  static func opened(_ path: String, isQuiet: Bool = false) throws(RetakeError) -> Recording {
    let recording = try opening(path) { report in
      for sentence in report.damage { Terminal.say(sentence) }
      guard !isQuiet else { return }
      let result = report.isLossless ? "nothing that had reached the disk was lost" : "some of it could not be read"
      Terminal.say("\(path) was not closed: it was repaired, and \(result).")
    }
    if !recording.isClosed && !isQuiet {
      Terminal.say("\(path) is not closed: a recorder is at work on it, or it may not be repaired.")
    }
    return recording
  }
}
