import FrameModel
import SweepReports
import SweepResults

struct SweepPictures {
  init(_ identity: SweepIdentity, _ summaries: [RunSummary], resultsPath: String, recordings: [String], isQuiet: Bool) {
  }
  func make(_ wanted: [(role: ReportPicture.Role, setting: Int)], threadCount: Int) throws(RetakeError)
    -> [ReportPicture]
  { [] }
}
