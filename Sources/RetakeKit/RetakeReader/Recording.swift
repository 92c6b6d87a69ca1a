internal import FrameModel
package import RecordingStore

/// A recording on disk, opened for reading.
///
///     let recording = try Recording(path: "session.retake")
///     let frames = try recording.frames(of: recording.stream(.depth))
///     while let frame = try frames.next() { print(frame.number, frame.image.width) }
///
/// A stranger's recording is safe to open: sizes are checked before memory is allocated, and frames
/// are checked against their checksums.
public struct Recording: Sendable {
  public let path: String
  /// 32 hexadecimal digits, equal for copies of the same recording.
  public let id: String
  public let streams: [RecordedStream]
  /// False while it is being recorded, and after its recorder was killed: the last seconds are
  /// missing. `retake recover` or `retake info` repair it.
  public let isComplete: Bool
  /// Number of frame sets, one for each video frame.
  public let frameSetCount: Int
  /// Number of the first frame set: 0, or that in the original of a part that was cut out.
  public let firstFrameSet: Int
  package let store: RecordingStore.Recording

  /// Opens a recording's folder. Changes nothing in it.
  /// - Throws: `notFound` if it is missing or holds no frame, `corrupt` if it is no recording or its
  ///   index is damaged, `unsupported` for the format of a later version.
  public init(path: String) throws(RetakeError) {
    let store = try RetakeError.publicly { () throws(InsideError) in try RecordingStore.Recording(path: path) }
    try self.init(store)
  }

  package init(_ store: RecordingStore.Recording) throws(RetakeError) {
    self.store = store
    (path, id, isComplete) = (store.folder.path, store.identity.id, store.isClosed)
    streams = store.streams.enumerated().map { RecordedStream($1, id: $0) }
    (frameSetCount, firstFrameSet) = try RetakeError.publicly { () throws(InsideError) in
      (try store.frameSetCount(), try store.firstNumber())
    }
  }

  /// The first stream of a kind.
  /// - Throws: `notFound`, naming the streams that there are.
  public func stream(_ kind: RecordedStream.Kind) throws(RetakeError) -> RecordedStream {
    if let stream = streams.first(where: { $0.kind == kind }) { return stream }
    throw RetakeError(
      .notFound, "\(path) has no \(kind) stream.",
      hint: "its streams are \(streams.map(\.name).joined(separator: ", "))")
  }

  /// A stream's frames in order.
  /// - Parameter number: of the first frame wanted.
  public func frames(of stream: RecordedStream, from number: Int = 0) throws(RetakeError) -> FrameCursor {
    try FrameCursor(self, try checked(stream), from: number)
  }

  /// One frame, read at once.
  /// - Returns: nil if the stream has no frame of this number.
  /// - Throws: `corrupt` for a damaged frame, `inputOutput` where it cannot be read.
  public func frame(_ number: Int, of stream: RecordedStream) throws(RetakeError) -> Frame? {
    let cursor = try frames(of: stream, from: number)
    guard let frame = try cursor.next(), frame.number == number else { return nil }
    return frame
  }

  /// Frame sets in order, with their faces.
  /// - Parameters:
  ///   - range: numbers of frame sets; those that do not exist are left out. Nil for all.
  ///   - streams: whose frames to read; nil for all.
  public func frameSets(_ range: Range<Int>? = nil, streams: [RecordedStream]? = nil) throws(RetakeError)
    -> FrameSetCursor
  {
    var wanted: Set<Int> = []
    for stream in streams ?? self.streams { wanted.insert(try checked(stream)) }
    return try FrameSetCursor(self, range, streams: wanted)
  }

  /// Irregularities, in order of time.
  public func events() throws(RetakeError) -> [Event] {
    try RetakeError.publicly { () throws(InsideError) in try store.events() }.map { Event($0) }
  }

  /// Marks, in order of time.
  public func marks() throws(RetakeError) -> [Mark] {
    try RetakeError.publicly { () throws(InsideError) in try store.marks() }.map { Mark($0) }
  }

  /// How depth is aligned with colour, as `retake calibrate` estimated it; nil if it did not. Other
  /// calibration is in the streams' settings.
  public func alignment() throws(RetakeError) -> Alignment? {
    try RetakeError.publicly { () throws(InsideError) in try store.alignment() }.map { Alignment($0) }
  }

  /// Counts, times and sizes. Reads the index only.
  public func summary() throws(RetakeError) -> Summary {
    Summary(try RetakeError.publicly { () throws(InsideError) in try store.summary() })
  }

  private func checked(_ stream: RecordedStream) throws(RetakeError) -> Int {
    guard streams.indices.contains(stream.id), streams[stream.id] == stream else {
      throw RetakeError(
        .usage, "Stream '\(stream.name)' is not one of \(path).", hint: "take it from the recording's streams")
    }
    return stream.id
  }
}

/// What a recording holds.
public struct Summary: Hashable, Sendable {
  public struct StreamSummary: Hashable, Sendable {
    public let frameCount: Int
    public let damagedFrameCount: Int
    /// Nil for less than two frames.
    public let measuredFramesPerSecond: Double?
    /// Bytes before and after encoding.
    public let rawByteCount: Int
    public let storedByteCount: Int
  }

  /// In the order of the recording's streams.
  public let streams: [StreamSummary]
  /// From the first frame to the end of the last frame's period.
  public let durationSeconds: Double
  /// Bytes of all chunk files.
  public let storedByteCount: Int
  /// Frames with at least one face.
  public let faceFrameCount: Int

  package init(_ summary: RecordingSummary) {
    streams = summary.streams.map {
      StreamSummary(
        frameCount: $0.frameCount, damagedFrameCount: $0.damagedCount,
        measuredFramesPerSecond: $0.measuredFramesPerSecond, rawByteCount: $0.rawByteCount,
        storedByteCount: $0.storedByteCount)
    }
    (durationSeconds, storedByteCount) = (summary.durationSeconds, summary.storedByteCount)
    faceFrameCount = summary.faceFrameCount
  }
}
