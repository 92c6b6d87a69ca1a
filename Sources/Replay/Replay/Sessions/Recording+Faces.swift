import FrameModel
import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Support

extension Recording {
  /// What to do before a replay whose mask knows people by faces, where none was ever looked for; nil otherwise.
  package func faceAdvice(_ parameters: ParameterSet) -> String? {
    guard isClosed, firstStream(.color) != nil, PipelineNeeds(parameters).maskKinds.contains(.face),
      (try? faceCounts())?.isEmpty == true
    else { return nil }
    let path = folder.path
    return "\(path) was never searched for faces, by which mask.kind=face finds people; 'retake faces "
      + "\(ShellWord.quoted(path))' does that"
  }

  /// Changes when other faces are stored; nil without any. A detector gives the same faces for the same frames and
  /// options, so its name, which has them, and its counts are enough.
  package func facesKey() throws(RetakeError) -> String? {
    let lines = try faceCounts().map {
      "\($0.stream) \($0.lookedCount) \($0.faceFrameCount) \($0.skippedCount) \($0.detector)"
    }.sorted()
    guard !lines.isEmpty else { return nil }
    return Array(lines.joined(separator: "\n").utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }
}
