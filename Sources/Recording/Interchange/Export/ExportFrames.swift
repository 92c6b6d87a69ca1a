import FrameModel
import Kernels
import RecordingStore
import Support

/// Iterates over the whole frames of selected streams, in order of time. Damaged frames are skipped
/// and listed in the report.
final class ExportFrames {
  let recording: Recording
  let clock: ExportClock
  /// Frames to export, whole or not; `metCount` of them have been visited.
  let frameCount: Int
  private(set) var metCount = 0
  var report: ExportReport

  /// A visited frame, which may be damaged.
  struct Met {
    let row: FrameRow
    /// Nil for a frame that is left out.
    let frame: Frame?
    let microseconds: Int64
  }

  private struct Lane {
    let stream: Int
    let numbers: Range<Int>
    var lastMicroseconds: Int64 = -1
  }

  struct Key: Hashable {
    var stream: Int
    var number: Int
  }

  private let needsDistinctTimes: Bool
  let hasFaces: Bool
  let hasLosses: Bool
  /// Of the exported part.
  let marks: [Mark]
  /// Converters to millimetres by stream index, for depth exported in millimetres.
  let converters: [Int: DepthConverter]
  let matrices: [ColorMatrix]
  /// Presentation time at which the export begins, the same for all streams.
  let start: PresentationTime
  private var lanes: [Lane]
  private var rows: TimeOrderedRows
  private let reader: FrameReader
  private var leftOut: Set<Key> = []

  /// - Parameters:
  ///   - part: nil for all frames, including those without a frame set.
  ///   - color: a stream to register depth to, if the calibration allows; nil for depth's own view.
  ///   - keepsCounts: leaves 16-bit counts of unknown unit unchanged, instead of throwing.
  ///   - needsDistinctTimes: whether the format names frames by their microsecond.
  /// - Throws: `.unsupported` and `.corrupt` for depth that cannot be converted to millimetres.
  init(
    _ recording: Recording, streams: [Int], part: FrameSelection?, depth: DepthSamples = .millimeters,
    color: Int? = nil, keepsCounts: Bool = false, needsDistinctTimes: Bool
  ) throws(RetakeError) {
    self.recording = recording
    var converters: [Int: DepthConverter] = [:]
    for stream in streams where depth == .millimeters && DepthConverter.isDepth(recording.streams[stream]) {
      if keepsCounts && Self.isCounts(recording.streams[stream]) { continue }
      converters[stream] = try DepthConverter(
        recording.streams[stream], color: color.map { recording.streams[$0] }, viewpoint: color == nil ? .none : .auto)
    }
    self.converters = converters
    matrices = recording.streams.map { ColorMatrix($0.settings) }
    self.needsDistinctTimes = needsDistinctTimes
    let summary = try recording.summary()
    hasFaces = summary.faceFrameCount > 0
    hasLosses = summary.lostCount > 0
    marks = try recording.marks().filter { part?.span.contains($0.presentation.nanoseconds) ?? true }
    clock = ExportClock(recording, summary)
    reader = try FrameReader(recording)
    if let part {
      start = part.start
      lanes = streams.map { Lane(stream: $0, numbers: part.frames[$0]) }
      frameCount = lanes.reduce(0) { $0 + $1.numbers.count }
    } else {
      let pictures = summary.streams.filter { ExportStreams.hasPictures($0.description.layout.format) }
      start = pictures.compactMap(\.firstPresentation).min() ?? PresentationTime(nanoseconds: 0)
      lanes = streams.map { Lane(stream: $0, numbers: 0..<Int.max) }
      frameCount = streams.reduce(0) { $0 + summary.streams[$1].frameCount }
    }
    rows = TimeOrderedRows(recording, lanes.map { ($0.stream, $0.numbers) })
    report = ExportReport(
      streams: streams.map { ExportReport.Stream(name: recording.streams[$0].name) },
      leftOutStreams: recording.streams.indices.filter { !streams.contains($0) }.map { recording.streams[$0].name })
    report.addedSeconds = clock.addedSeconds
  }

  private static func isCounts(_ stream: StreamDescription) -> Bool {
    stream.layout.format == .grey16 && !stream.settings.contains { $0.name == StreamDescription.depthUnit }
  }

  /// Whether a stream's samples are converted to millimetres.
  func isInMillimeters(_ stream: Int) -> Bool { converters[stream] != nil }

  /// Whether a stream's depth lies over colour, as recorded or as exported.
  func isRegistered(_ stream: Int) -> Bool {
    recording.streams[stream].settings[StreamCalibrations.registeredName] == "1"
      || converters[stream]?.isRegistered == true
  }

  /// The next whole frame; nil at the end. With `needsDistinctTimes`, a stream's times increase.
  func next() throws(RetakeError) -> (frame: Frame, microseconds: Int64)? {
    while let met = try nextMet() {
      if let frame = met.frame { return (frame, met.microseconds) }
    }
    return nil
  }

  /// The next frame, whole or not; nil at the end.
  func nextMet() throws(RetakeError) -> Met? {
    guard let (lane, row) = try rows.next() else { return nil }
    metCount += 1
    let microseconds = clock.microseconds(row.timestamps.presentation)
    var frame: Frame?
    if needsDistinctTimes && microseconds <= lanes[lane].lastMicroseconds {
      report.sameTimeCount += 1
      leftOut.insert(Key(stream: row.stream, number: row.number))
    } else if let whole = try wholeFrame(row) {
      lanes[lane].lastMicroseconds = microseconds
      report.streams[lane].frameCount += 1
      frame = whole
    } else {
      noteDamaged(stream: row.stream, number: row.number)
    }
    return Met(row: row, frame: frame, microseconds: microseconds)
  }

  /// Removes a returned frame that proved damaged, such as a JPEG that does not decode.
  func leaveOut(_ frame: Frame) {
    noteDamaged(stream: frame.stream, number: frame.number)
    takeBack(frame)
  }

  /// Removes a returned frame that is not exported.
  func takeBack(_ frame: Frame) {
    guard let lane = lanes.firstIndex(where: { $0.stream == frame.stream }) else { return }
    report.streams[lane].frameCount -= 1
  }

  /// Whether a visited frame is in the export.
  func isExported(_ row: FrameRow) -> Bool {
    lanes.contains { $0.stream == row.stream && $0.numbers.contains(row.number) }
      && !leftOut.contains(Key(stream: row.stream, number: row.number))
  }

  private func noteDamaged(stream: Int, number: Int) {
    report.damagedFrames.append("\(recording.streams[stream].name) \(number)")
    leftOut.insert(Key(stream: stream, number: number))
  }

  private func wholeFrame(_ row: FrameRow) throws(RetakeError) -> Frame? {
    let layout = recording.streams[row.stream].layout.packed
    guard !row.flags.contains(.damaged), layout.format == .jpeg || row.byteCount == layout.byteCount else { return nil }
    do throws(RetakeError) {
      return try reader.frame(row)
    } catch {
      // Damage costs one frame; a read error ends the export.
      guard error.code == .corrupt else { throw error }
      return nil
    }
  }
}
