import FrameModel
import Scores
import Support
import Sweeps

extension SweepResultsFile {
  /// All results as lines in a fixed order: equal texts mean results that are equal to the bit.
  /// Leaves out costs, which are measured, the command line and paths.
  func contentText() throws(RetakeError) -> String {
    var text = "sweep \(identity.digest)\n"
    for key in try finishedRuns().sorted() {
      guard let run = try run(key) else { continue }
      let name = "\(key.setting) \(key.recording)"
      switch run.outcome {
      case .failed(let error): text += "failed \(name) \(JSONObject(["error": error]).text)\n"
      case .scored(let recording):
        text += "scored \(name)\(values(recording.summary))\n"
        for frame in recording.frames {
          text += "frame \(name) \(frame.number) \(frame.hasMatte)\(values(frame.scores))\n"
        }
      }
    }
    return text
  }

  /// Swift prints a double with enough digits to restore its bits.
  private func values(_ row: ScoreRow) -> String {
    identity.scores.map { " \($0.name)=\(row[$0].map { "\($0)" } ?? "none")" }.joined()
  }
}
