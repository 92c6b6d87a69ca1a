import FrameModel
import RecordingStore

/// The whole frames of some of a recording's streams, in the order of their times. Frames that are not whole are passed
/// over and counted.
final class ExportFrames {
  let recording: Recording
  let clock: ExportClock
  /// Frames of the streams that are exported, whole or not, and how many of them were met.
  let frameCount: Int
  private(set) var metCount = 0
  var report: ExportReport

  /// A stream with the next page of its index: memory does not grow with the recording.
  private struct Lane {
    let stream: Int
    var page: ArraySlice<FrameRow> = []
    var nextNumber = 0
    var isAtEnd = false
    var lastMicroseconds: Int64 = -1
  }

  struct Key: Hashable {
    var stream: Int
    var number: Int
  }

  private let needsDistinctTimes: Bool
  /// Whether a detector saw a face in any frame.
  let hasFaces: Bool
  private var lanes: [Lane]
  private let reader: FrameReader
  private var leftOut: Set<Key> = []
  private static let pageLength = 256

  /// - Parameters:
  ///   - streams: those that the format has a place for.
  ///   - needsDistinctTimes: the format names frames by their microsecond.
  init(_ recording: Recording, streams: [Int], needsDistinctTimes: Bool) throws(RetakeError) {
    self.recording = recording
    self.needsDistinctTimes = needsDistinctTimes
    let summary = try recording.summary()
    hasFaces = summary.faceFrameCount > 0
    clock = ExportClock(recording, summary)
    reader = try FrameReader(recording)
    lanes = streams.map { Lane(stream: $0) }
    frameCount = streams.reduce(0) { $0 + summary.streams[$1].frameCount }
    report = ExportReport(
      streams: streams.map { ExportReport.Stream(name: recording.streams[$0].name) },
      leftOutStreams: recording.streams.indices.filter { !streams.contains($0) }.map { recording.streams[$0].name })
    report.addedSeconds = clock.addedSeconds
  }

  /// The next whole frame with its time in microseconds; nil at the end. Distinct times grow along a stream.
  func next() throws(RetakeError) -> (frame: Frame, microseconds: Int64)? {
    while let (lane, row) = try nextRow() {
      metCount += 1
      let microseconds = clock.microseconds(row.timestamps.presentation)
      guard !needsDistinctTimes || microseconds > lanes[lane].lastMicroseconds else {
        report.sameTimeCount += 1
        leftOut.insert(Key(stream: row.stream, number: row.number))
        continue
      }
      guard let frame = try wholeFrame(row) else {
        report.damagedCount += 1
        leftOut.insert(Key(stream: row.stream, number: row.number))
        continue
      }
      lanes[lane].lastMicroseconds = microseconds
      report.streams[lane].frameCount += 1
      return (frame, microseconds)
    }
    return nil
  }

  /// For a frame that was given out and turned out to be damaged after all: a JPEG that no decoder reads.
  func leaveOut(_ frame: Frame) {
    report.damagedCount += 1
    leftOut.insert(Key(stream: frame.stream, number: frame.number))
    guard let lane = lanes.firstIndex(where: { $0.stream == frame.stream }) else { return }
    report.streams[lane].frameCount -= 1
  }

  /// Whether the frame was met and given out. For frames that were met.
  func isExported(_ row: FrameRow) -> Bool { !leftOut.contains(Key(stream: row.stream, number: row.number)) }

  private func wholeFrame(_ row: FrameRow) throws(RetakeError) -> Frame? {
    let layout = recording.streams[row.stream].layout.packed
    guard !row.flags.contains(.damaged), layout.format == .jpeg || row.byteCount == layout.byteCount else { return nil }
    do throws(RetakeError) {
      return try reader.frame(row)
    } catch {
      // Damage costs one frame; a disk that cannot be read ends the export.
      guard error.code == .corrupt else { throw error }
      return nil
    }
  }

  /// The earliest of the streams' next rows; of equals, that of the first stream.
  private func nextRow() throws(RetakeError) -> (lane: Int, row: FrameRow)? {
    var earliest: (lane: Int, row: FrameRow)?
    for lane in lanes.indices {
      guard let row = try head(lane) else { continue }
      if let found = earliest, found.row.timestamps.presentation <= row.timestamps.presentation { continue }
      earliest = (lane, row)
    }
    if let earliest { lanes[earliest.lane].page.removeFirst() }
    return earliest
  }

  private func head(_ lane: Int) throws(RetakeError) -> FrameRow? {
    if let row = lanes[lane].page.first { return row }
    guard !lanes[lane].isAtEnd else { return nil }
    let rows = try recording.frameRows(
      stream: lanes[lane].stream, from: lanes[lane].nextNumber, limit: Self.pageLength)
    lanes[lane].page = ArraySlice(rows)
    lanes[lane].isAtEnd = rows.count < Self.pageLength
    if let last = rows.last { lanes[lane].nextNumber = last.number + 1 }
    return rows.first
  }
}
