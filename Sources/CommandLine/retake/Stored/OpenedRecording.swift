import RecordingStore
import Support

extension Recording {
  /// Opens a recording for a command. Repairs it if its recorder was killed, and reports that.
  static func opened(_ path: String, isQuiet: Bool = false) throws(RetakeError) -> Recording {
    let bar = ProgressBar.repair(isQuiet: isQuiet)
    var isToldWhy = false
    let recording = try opening(
      path, onProgress: bar.update,
      onFailure: { error in
        // Also in quiet mode, since frames are missing from what follows.
        bar.end()
        Terminal.say(
          "\(path) is not closed, and could not be repaired: \(error.message) This is what its index contains.")
        isToldWhy = true
      },
      onRepair: { report in
        bar.end()
        for sentence in report.damage { Terminal.say(sentence) }
        guard !isQuiet else { return }
        let result = report.isLossless ? "nothing that had reached the disk was lost" : "some of it could not be read"
        Terminal.say(
          "\(path) had not been closed, or its index was gone; it was repaired, and \(result). Losses that its recorder "
            + "had not written yet are not counted.")
      })
    // Even in quiet mode, as above.
    if !recording.isClosed && !isToldWhy {
      Terminal.say("\(path) is not closed: it is still being recorded, or its folder is read-only.")
    }
    return recording
  }
}

extension Recording {
  /// What a replay cannot show, since it is not in the recording; nil if nothing is lost.
  func lossNote() throws(RetakeError) -> String? {
    let count = try summary().lostCount
    guard count > 0 else { return nil }
    let path = folder.path
    return
      "\(path) lacks \(Format.counted(count, "lost frame")); 'retake info \(ShellWord.quoted(path))' says of which "
      + "stream and why."
  }
}

extension ProgressBar {
  static func repair(isQuiet: Bool) -> ProgressBar {
    ProgressBar("repair", unit: "files", isQuiet: isQuiet, patienceSeconds: 1)
  }
}
