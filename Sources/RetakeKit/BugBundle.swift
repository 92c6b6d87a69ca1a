internal import BugBundles
internal import FrameModel
internal import RecordingStore
internal import Support

/// A bug report in one file, made by `retake bundle`: a part of a recording, its replay settings,
/// and the digests of the output.
///
///     let bundle = try BugBundle(path: "flicker.retake-bundle")
///     let result = try bundle.reproduce()
///     #expect(result.isReproduced, "\(result)")
///
/// A stranger's bundle is safe to open: lengths are checked before memory is allocated, it names no
/// file of this machine, and nothing in it is executed.
public struct BugBundle: Sendable {
  public let path: String
  /// The author's note; may be empty.
  public let note: String
  /// The version of Retake that made it.
  public let version: String
  public let preset: String
  /// All parameters in force at the first frame, by their dotted names.
  public let parameters: [String: String]
  /// Sentences about what was removed from the recording for privacy.
  public let removed: [String]
  /// The frame sets that it replays, numbered as in the original recording.
  public let frames: Range<Int>

  /// Reads the whole file once.
  /// - Throws: if the file is missing, damaged or truncated, or has the format of a later version.
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

  /// Replays the bundle and compares every stage of every frame with the expected digests. Unpacks
  /// into a temporary folder, which it removes.
  /// - Parameter threads: affects only the speed; nil for one per processor.
  /// - Throws: if the bundle's parts do not belong together, or this version cannot replay it.
  public func reproduce(threads: Int? = nil) throws(BundleError) -> ReproductionResult {
    try BundleError.publicly { () throws(RetakeError) in
      let scratch = try ScratchFolder(named: "retake-bundle")
      defer { withExtendedLifetime(scratch) {} }
      let bundle = try UnpackedBundle(path: path, into: scratch.path("bundle"))
      let threadCount = threads.map { min(max(1, $0), 256) } ?? ProcessorCount.usable
      return ReproductionResult(try Reproduction.run(bundle, threadCount: threadCount))
    }
  }

  /// Writes the recording, the parameters and the expected digests into a folder for `retake`.
  /// - Parameter folder: empty or not there yet; nothing is overwritten.
  /// - Throws: if the bundle is invalid, or on a file system error.
  public func unpack(into folder: String) throws(BundleError) {
    try BundleError.publicly { () throws(RetakeError) in _ = try UnpackedBundle(path: path, into: folder) }
  }
}
