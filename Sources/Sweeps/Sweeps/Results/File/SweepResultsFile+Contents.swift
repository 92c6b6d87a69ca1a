import FrameModel
import Kernels
import Scores
import Support

extension SweepResultsFile {
  /// All results as lines in a fixed order: equal texts mean results that are equal to the bit.
  /// Leaves out costs, which are measured, the command line and paths.
  package func contentText() throws(RetakeError) -> String {
    var text = ""
    try contents { text += $0 }
    return text
  }

  /// XXH3-128 of `contentText`, 32 hexadecimal digits.
  package func contentDigest() throws(RetakeError) -> String {
    let checksum = RunningChecksum()
    try contents { line in Array(line.utf8).withUnsafeBytes { checksum.add($0) } }
    return checksum.hex
  }

  private func contents(_ line: (String) -> Void) throws(RetakeError) {
    line("sweep \(identity.digest)\n")
    for key in try finishedRuns().sorted() {
      guard let run = try run(key) else { continue }
      let name = "\(key.setting) \(key.recording)"
      switch run.outcome {
      case .failed(let error): line("failed \(name) \(JSONObject(["error": error]).text)\n")
      case .scored(let recording):
        line("scored \(name)\(values(recording.summary))\n")
        for frame in recording.frames {
          line("frame \(name) \(frame.number) \(frame.hasMatte)\(values(frame.scores))\n")
        }
      }
    }
  }

  /// Swift prints a double with enough digits to restore its bits.
  private func values(_ row: ScoreRow) -> String {
    identity.scores.map { " \($0.name)=\(row[$0].map { "\($0)" } ?? "none")" }.joined()
  }
}
