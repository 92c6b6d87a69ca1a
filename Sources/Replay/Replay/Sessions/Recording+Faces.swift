import FrameModel
import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Support

extension Recording {
  /// What to do before a replay whose mask knows people by faces, where none is known; nil otherwise.
  package func faceAdvice(_ parameters: ParameterSet) -> String? {
    guard isClosed, firstStream(.color) != nil, PipelineNeeds(parameters).maskKinds.contains(.face),
      let counts = try? faceCounts(), counts.allSatisfy({ $0.faceFrameCount == 0 })
    else { return nil }
    let (path, command) = (folder.path, "'retake faces \(ShellWord.quoted(folder.path))")
    guard let detector = counts.first?.detector else {
      return "\(path) was never searched for faces, by which mask.kind=face finds people; \(command)' does that"
    }
    return "no face was found in \(path) by \(detector), and mask.kind=face finds people by faces; \(command) "
      + "\(Self.otherDetector(than: detector)) --replace' searches with another detector, and mask.kind=cutoff "
      + "needs none"
  }

  /// The option of `retake faces` that finds faces which a detector did not.
  package static func otherDetector(than name: String?) -> String {
    name?.hasPrefix("haar") == true ? "--detector yunet:FILE.onnx" : "--detector haar"
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
