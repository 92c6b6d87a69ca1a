internal import BugBundles
internal import FrameModel
internal import Parameters
internal import RecordingStore
internal import Replay
public import RetakeReader
internal import Support

/// A bug report in one file: a part of a recording, its replay settings, and the digests of the
/// output.
///
///     let bundle = try BugBundle(path: "flicker.retake-bundle")
///     let result = try bundle.reproduce()
///     #expect(result.isReproduced, "\(result)")
///
/// A stranger's bundle is safe to open: lengths are checked before memory is allocated, it names no
/// file of this machine, and nothing in it is executed.
public struct BugBundle: Sendable {
  /// A stage of another program, which `reproduce` needs.
  public struct Stage: Hashable, Sendable {
    public let name: String
    public let revision: Int
  }

  /// What is removed for privacy. Depth always stays, and shows the shape of people and rooms.
  public enum Redaction: String, CaseIterable, Hashable, Sendable {
    /// Colour becomes black.
    case dropColor = "drop-color"
    /// The surroundings of faces become coarse squares.
    case blurFaces = "blur-faces"
    /// The surroundings of faces become grey, and only the boxes of faces are kept.
    case facesOnlyBoxes = "faces-only-boxes"
    /// Serial numbers and bus places of devices are removed.
    case dropSerials = "drop-serials"
  }

  public let path: String
  /// The author's note; may be empty.
  public let note: String
  /// The version of Retake that made it.
  public let version: String
  public let preset: String
  /// All parameters in force at the first frame, by their dotted names.
  public let parameters: [String: String]
  /// Stages of another program that it was made with.
  public let stages: [Stage]
  /// Sentences about what was removed from the recording for privacy.
  public let removed: [String]
  /// The frame sets that it replays, numbered as in the original recording.
  public let frames: Range<Int>

  /// Reads the whole file once.
  /// - Throws: if the file is missing, damaged or truncated, or has the format of a later version.
  public init(path: String) throws(RetakeReader.RetakeError) {
    let description = try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      try BundleReader.read(try BundleReader.open(path), name: path) { _, _ in }
    }
    self.path = path
    note = description.note
    version = description.version
    preset = description.replay.preset
    parameters = Dictionary(description.replay.parameters.map { ($0.name, $0.value) }) { first, _ in first }
    stages = description.replay.stages.map { Stage(name: $0.name, revision: $0.revision) }
    removed = description.removed
    let order = description.replay.order.frames
    let first = description.replay.firstNumber
    frames = first + order.lowerBound..<first + order.upperBound
  }

  /// Makes a bundle of what a replay plays.
  /// - Parameters:
  ///   - path: a new file, named as in "hand.retake-bundle".
  ///   - note: what is wrong, for the reader; at most 64 KiB.
  ///   - removing: applied before the replay, so that the bundle still reproduces.
  /// - Throws: as `Replay.run`; `unsupported` for what no bundle can hold; file system errors.
  ///   Nothing is left behind then.
  public static func make(
    _ replay: RetakeKit.Replay, to path: String, note: String = "", removing: Set<Redaction> = []
  ) throws(RetakeReader.RetakeError) -> BugBundle {
    try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      var maker = BundleMaker()
      maker.note = note
      maker.threadCount = threadCount(replay.threads)
      maker.rules = try RedactionRules(names: removing.map(\.rawValue))
      _ = try maker.run(replay.recording.store, try replay.request(), to: path)
    }
    return try BugBundle(path: path)
  }

  /// Replays the bundle and compares every stage of every frame with the expected digests. Unpacks
  /// into a temporary folder, which it removes.
  /// - Parameters:
  ///   - stages: the caller's; those that the bundle was made with must be among them.
  ///   - threads: affects only the speed; nil for one per processor.
  /// - Throws: `unsupported` if this version cannot replay it, or naming a stage that is missing or has
  ///   another revision; `corrupt` if the bundle's parts do not belong together.
  public func reproduce(
    stages: [any MaskStage] = [], threads: Int? = nil
  ) throws(RetakeReader.RetakeError) -> ReproductionResult {
    let own = try stages.map { stage throws(RetakeReader.RetakeError) in try OutsideStage(stage) }
    return try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      let scratch = try ScratchFolder(named: "retake-bundle")
      defer { withExtendedLifetime(scratch) {} }
      let bundle = try UnpackedBundle(path: path, into: scratch.path("bundle"), stages: own)
      return ReproductionResult(try Reproduction.run(bundle, threadCount: threadCount(threads)))
    }
  }

  /// Writes the recording, the parameters and the expected digests into a folder for `retake`.
  /// - Parameters:
  ///   - folder: empty or not there yet; nothing is overwritten.
  ///   - stages: as of `reproduce`.
  /// - Throws: as `reproduce`, and on a file system error.
  public func unpack(into folder: String, stages: [any MaskStage] = []) throws(RetakeReader.RetakeError) {
    let own = try stages.map { stage throws(RetakeReader.RetakeError) in try OutsideStage(stage) }
    try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      _ = try UnpackedBundle(path: path, into: folder, stages: own)
    }
  }
}
