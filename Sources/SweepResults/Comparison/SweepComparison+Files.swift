import FrameModel
import MatteScoring

extension SweepComparison {
  /// Settings are matched by their parameters, those that only one file knows aside; recordings by their ids.
  package init(_ first: SweepResultsFile, _ second: SweepResultsFile) throws(RetakeError) {
    throw RetakeError(.unsupported, "not there yet")
  }
}
