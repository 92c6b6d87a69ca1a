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

  /// What is missed by a replay from a later frame on, where the empty scene that the recording begins with would tell
  /// furniture from people; nil otherwise.
  /// - Parameters:
  ///   - first: the first frame set that is played, from 0.
  ///   - mayKeepPlate: whether a file that shows the room may be used.
  package func emptyStartAdvice(
    _ parameters: ParameterSet, from first: Int, mayKeepPlate: Bool = true
  ) throws(RetakeError) -> String? {
    let mask = PipelineParameters.mask
    guard isClosed, first > 0, parameters[mask.emptyStart], PipelineNeeds(parameters).maskKinds.contains(.face),
      try faceCounts().contains(where: { $0.faceFrameCount > 0 })
    else { return nil }
    let pages = FrameSetPages(self)
    var emptyCount = 0
    let limit = min(try pages.count(), first + Self.usefulEmptyCount, Self.longestEmptyStart)
    while emptyCount < limit, try pages.entry(emptyCount)?.faces.isEmpty ?? true { emptyCount += 1 }
    guard emptyCount >= Self.usefulEmptyCount, emptyCount - first < Self.usefulEmptyCount else { return nil }
    let (path, number) = (folder.path, try firstNumber())
    let last = number + min(emptyCount, first) - 1
    return
      "\(path) begins with the empty scene, frames \(number) to \(last), by which \(mask.emptyStart.declaration.name) "
      + "tells furniture from people. They are not played, so furniture may count as a person. "
      + (mayKeepPlate
        ? "To use them all the same: 'retake plate \(ShellWord.quoted(path)) --to \(last) -o room.plate', then "
          + "'--preset static-camera --set mask.plate=room.plate'" : "To use them, begin with them: --from \(number)")
  }

  /// Frames that `EmptyStartMask` learns from where depth comes with each, and frames that are looked through for its end.
  private static let (usefulEmptyCount, longestEmptyStart) = (15, 10_000)

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
