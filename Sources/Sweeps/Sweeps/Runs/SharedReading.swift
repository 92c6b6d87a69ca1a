import Kernels
import RecordingStore
import Replay
import Scores
import Support

/// What batches over one recording share: decoded frames, and scenes with the features of the truth. What is no longer
/// kept is made again, so this affects only speed. Serves one thread.
package final class SharedReading {
  let decoded: DecodedFrames
  private struct Key: Hashable {
    let stream: SceneStream.Key
    let scores: Set<ScoreKind>
  }
  private let source: SweepSource
  /// Bytes for scenes that no maker has yet.
  private var sceneBytesLeft: Int
  private var hasTruth: Bool?
  private var makers: [Key: SceneMaker] = [:]

  /// Bytes of a kept scene for each pixel of the picture: its copy, the truth and its features.
  private static let sceneByteCount = 16
  private static let leastSceneCount = 4

  /// - Parameters:
  ///   - idleByteLimit: for decoded frames that no cursor has asked for.
  ///   - sceneByteLimit: for scenes; each stream keeps a few regardless of size, until its batch ends.
  init(
    _ source: SweepSource, threadCount: Int, idleByteLimit: Int, sceneByteLimit: Int = 0
  ) throws(RetakeError) {
    (self.source, sceneBytesLeft) = (source, sceneByteLimit)
    decoded = try DecodedFrames(source.recording, threadCount: threadCount, idleByteLimit: idleByteLimit)
  }

  /// Whether any frame of the recording has truth that one of the scores uses.
  func hasTruth(_ scores: Set<ScoreKind>) throws(RetakeError) -> Bool {
    guard scores.contains(where: \.usesTruth) else { return false }
    if let hasTruth { return hasTruth }
    let found = try source.hasTruth()
    hasTruth = found
    return found
  }

  /// The maker of scenes for streams that show the same pictures.
  func sceneMaker(
    _ stream: SceneStream.Key, _ scores: Set<ScoreKind>, depth: DepthGrid?
  ) throws(RetakeError) -> SceneMaker {
    // Only the order differs between parts of a recording: equal numbers are equal pictures.
    let key = Key(stream: stream.everything, scores: scores)
    if let known = makers[key] { return known }
    let layout = try source.colorStream().layout
    // Faults may make many streams, of which the first have the most settings. With depth nothing is kept: a frame whose
    // own depth is missing has the one in force if a pass begins there, and otherwise none.
    let part = depth == nil ? sceneBytesLeft / 2 : 0
    let count = part / max(1, Self.sceneByteCount * layout.width * layout.height)
    let made = SceneMaker(
      scores: scores, width: layout.width, height: layout.height, tolerance: source.boundaryTolerance,
      hasTruth: try hasTruth(scores), depth: depth,
      keeping: max(Self.leastSceneCount, count))
    if count > Self.leastSceneCount {
      sceneBytesLeft -= part
      makers[key] = made
    }
    return made
  }
}

/// The reading of each recording of a search, begun when it is needed.
package final class SharedReadings {
  private let sources: [SweepSource]
  private let threadCount: Int
  /// In all, half of it for decoded frames and half for scenes.
  let byteLimit: Int
  private var readings: [Int: SharedReading] = [:]
  private var orders: [Int: (order: PlayOrder, firstNumber: Int)] = [:]

  init(_ sources: [SweepSource], threadCount: Int, memoryLimit: Int) {
    (self.sources, self.threadCount) = (sources, threadCount)
    byteLimit = min(memoryLimit / 4, 512 << 20)
  }

  /// Frames decoded so far, of all streams.
  package var decodedCount: Int { readings.values.reduce(0) { $0 + $1.decoded.decodedCount } }

  /// What is played of a recording, and the number of its first frame set.
  func order(_ recording: Int) throws(RetakeError) -> (order: PlayOrder, firstNumber: Int) {
    if let known = orders[recording] { return known }
    let source = sources[recording]
    let found = (order: try source.playedOrder(), firstNumber: try source.recording.firstNumber())
    orders[recording] = found
    return found
  }

  func reading(_ recording: Int) throws(RetakeError) -> SharedReading {
    if let known = readings[recording] { return known }
    let part = byteLimit / 2 / max(1, sources.count)
    let made = try SharedReading(
      sources[recording], threadCount: threadCount, idleByteLimit: part, sceneByteLimit: part)
    readings[recording] = made
    return made
  }
}
