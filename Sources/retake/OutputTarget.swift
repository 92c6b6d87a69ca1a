import FrameModel
import MattePipeline
import Parameters
import Rendering

/// What `replay --output kind:path` names.
struct OutputTarget {
  private enum Kind: String, CaseIterable {
    case png, sheet, mp4, y4m, digests, none
  }

  let text: String
  private let kind: Kind
  private let path: String

  /// - Throws: `.usage` for an unknown kind, a missing path, or binary output to a terminal.
  init(_ text: String) throws(RetakeError) {
    self.text = text
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let kind = Kind(rawValue: halves[0]) else {
      let kinds = Kind.allCases.map(\.rawValue)
      throw RetakeError(
        .usage, "There is no output '\(halves[0])'.",
        hint: "did you mean \(Spelling.nearest(to: halves[0], in: kinds) ?? "png")? There are "
          + "png:FOLDER, sheet:FILE.png, mp4:FILE, y4m:FILE, digests:FILE and none")
    }
    self.kind = kind
    path = halves.count == 2 ? halves[1] : ""
    guard kind == .none || !path.isEmpty else {
      throw RetakeError(.usage, "Output '\(text)' names no file.", hint: "write \(kind.rawValue):PATH")
    }
    if path == "-" {
      guard kind == .y4m || kind == .digests else {
        throw RetakeError(
          .usage, "\(kind.rawValue) cannot go to standard output.", hint: "y4m and digests can; name a file")
      }
      guard kind == .digests || !Terminal.outputIsTerminal else {
        throw RetakeError(
          .usage, "Video is not for a terminal.", hint: "pipe it: … --output y4m:- | ffplay -")
      }
    }
  }

  var isStandardOutput: Bool { path == "-" }

  func open(
    tap: Tap, sizes: PipelineSizes, rate: FrameRate, frames: Range<Int>, identity: ReplayIdentity
  ) throws(RetakeError) -> (any RenderSink)? {
    switch kind {
    case .png: try PNGFolderSink(path: path, tap: tap)
    case .sheet: try ContactSheetSink(path: path, sizes: sizes, frames: frames)
    case .mp4: try VideoSink(path: path, tap: tap, sizes: sizes, rate: rate)
    case .y4m: try Y4MSink(path: path, tap: tap, sizes: sizes, rate: rate)
    case .digests: try DigestSink(path: path, identity: identity)
    case .none: nil
    }
  }
}
