internal import BugBundles
internal import FrameModel
internal import RecordingStore
internal import Support

/// A bug report as one file, that `retake bundle` made: a part of a recording, what it was replayed with, and the digests of what
/// came out.
///
///     let bundle = try BugBundle(path: "flicker.retake-bundle")
///     let result = try bundle.reproduce()
///     #expect(result.isReproduced, "\(result)")
///
/// A bundle may come from a stranger: every length in it is held against what the file has before memory is taken, it names no
/// file of this machine, and nothing in it is executed.
public struct BugBundle: Sendable {
  /// Of the file.
  public let path: String
  /// What the person says who made it; may be empty.
  public let note: String
  /// The version of Retake that made it.
  public let version: String
  /// The preset that its parameters start from.
  public let preset: String
  /// All parameters that were in force at its first frame, by their dotted names.
  public let parameters: [String: String]
  /// What was taken out of the recording for the sake of somebody's privacy, in sentences.
  public let removed: [String]
  /// Numbers of its frame sets, as in the recording that it was cut out of.
  public let frames: Range<Int>

  /// Reads the file once, to its end.
  /// - Parameter path: of the bundle.
  /// - Throws: when there is no such file, when it is damaged or cut off, and when a later version of Retake made it.
  public init(path: String) throws(BundleError) {
    let description = try BundleError.publicly { () throws(RetakeError) in
      try BundleReader.read(try BundleReader.open(path), name: path) { _, _ in }
    }
    self.path = path
    note = description.note
    version = description.version
    preset = description.replay.preset
    parameters = Dictionary(description.replay.parameters.map { ($0.name, $0.value) }) { first, _ in first }
    removed = description.removed
    let order = description.replay.order.frames
    let first = description.replay.firstNumber
    frames = first + order.lowerBound..<first + order.upperBound
  }

  /// Replays the bundle and holds every stage of every frame against what it expects. It is unpacked into a temporary folder,
  /// which is gone afterwards.
  /// - Parameter threads: changes the time it takes and nothing else; nil for one for each processor.
  /// - Returns: whether the output is as expected, and where it is not.
  /// - Throws: when the bundle's parts do not belong together, and when this version cannot replay it.
  public func reproduce(threads: Int? = nil) throws(BundleError) -> ReproductionResult {
    try BundleError.publicly { () throws(RetakeError) in
      let scratch = try ScratchFolder(named: "retake-bundle")
      defer { withExtendedLifetime(scratch) {} }
      let bundle = try UnpackedBundle(path: path, into: scratch.path("bundle"))
      return ReproductionResult(try Reproduction.run(bundle, threadCount: threads.map { min(max(1, $0), 256) }))
    }
  }

  /// Puts the recording, the parameters and what is expected of them into a folder, for the `retake` command to look at.
  /// - Parameter folder: an empty one, or none yet.
  /// - Throws: what the disk refuses; nothing is ever written over.
  public func unpack(into folder: String) throws(BundleError) {
    try BundleError.publicly { () throws(RetakeError) in _ = try UnpackedBundle(path: path, into: folder) }
  }
}
