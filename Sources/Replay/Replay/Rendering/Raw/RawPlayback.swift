import FrameModel
import RecordingStore
import Support

/// Plays streams of a recording as their cameras sent them, without the pipeline: each frame at its presentation time, in
/// one order of time for all streams.
package final class RawPlayback {
  package struct Result {
    package var lateness: ReplayPacer.Lateness
    /// False if it was ended before its end.
    package var isComplete: Bool
    package var seconds: Double
  }

  private let recording: Recording
  private let outputs: [RawOutput]
  private let selection: FrameSelection?
  private let passCount: Int?
  private let threadCount: Int
  /// Frames read ahead; JPEGs and other frames take a few milliseconds to decode.
  private static let aheadCount = 8

  /// - Parameters:
  ///   - outputs: of different streams.
  ///   - selection: nil for all frames, including those without a frame set.
  ///   - passCount: nil for endless play.
  package init(
    _ recording: Recording, _ outputs: [RawOutput], selection: FrameSelection?, passCount: Int?, threadCount: Int
  ) {
    self.recording = recording
    self.outputs = outputs
    self.selection = selection
    self.passCount = passCount
    self.threadCount = threadCount
  }

  /// Frames in one pass, whole or not.
  package func frameCount() throws(RetakeError) -> Int {
    if let selection { return outputs.reduce(0) { $0 + selection.frames[$1.stream].count } }
    let summary = try recording.summary()
    return outputs.reduce(0) { $0 + summary.streams[$1.stream].frameCount }
  }

  /// Plays at the speed of the controls; call once. Closes the outputs.
  /// - Parameter progress: called after each frame with its number, its time, and the number of frames so far.
  /// - Throws: what a device or the disk refuses. A damaged frame is counted and left out.
  package func play(
    _ controls: PlayControls, clock: any PlayClock = HostPlayClock(),
    progress: (_ number: Int, _ presentation: PresentationTime, _ playedCount: Int) -> Void = { _, _, _ in }
  ) throws(RetakeError) -> Result {
    let start = clock.now()
    let rates = outputs.map { recording.streams[$0.stream].rate.periodNanoseconds }
    let pacer = ReplayPacer(
      controls, clock: clock, periodNanoseconds: min(rates.max() ?? 0, ReplayPacer.longestStepNanoseconds),
      isReversed: false)
    var playedCount = 0
    var pass = 0
    var isComplete = true
    defer { for output in outputs { output.close() } }
    while isComplete, pass < passCount ?? .max {
      let countBefore = playedCount
      isComplete = try playOnce(pacer) { row in
        playedCount += 1
        progress(row.number, row.timestamps.presentation, playedCount)
      }
      pass += 1
      guard playedCount > countBefore || !isComplete else { throw nothing }
    }
    return Result(
      lateness: pacer.lateness, isComplete: isComplete,
      seconds: Double(clock.now().nanoseconds - start.nanoseconds) / 1e9)
  }

  private var nothing: RetakeError {
    RetakeError(
      .notFound, "There are no frames to play in \(recording.folder.path).",
      hint: "'retake info' shows what each stream holds")
  }

  /// - Returns: false if the controls ended it.
  private func playOnce(_ pacer: ReplayPacer, played: (FrameRow) -> Void) throws(RetakeError) -> Bool {
    var rows = TimeOrderedRows(recording, outputs.map { ($0.stream, selection?.frames[$0.stream] ?? 0..<Int.max) })
    let frames = try FramePrefetcher(recording, threadCount: threadCount, limit: Self.aheadCount)
    var waiting: [(lane: Int, row: FrameRow, isWhole: Bool)] = []
    while true {
      while waiting.count < Self.aheadCount, let (lane, row) = try rows.next() {
        let isWhole = isWhole(row)
        if isWhole { frames.request(row) }
        waiting.append((lane, row, isWhole))
      }
      guard !waiting.isEmpty else { return true }
      let (lane, row, isWhole) = waiting.removeFirst()
      let frame = isWhole ? try decoded(frames) : nil
      guard pacer.wait(for: row.timestamps.presentation) else { return false }
      if let frame { try outputs[lane].show(frame) } else { outputs[lane].leaveOut() }
      played(row)
    }
  }

  private func isWhole(_ row: FrameRow) -> Bool {
    let layout = recording.streams[row.stream].layout.packed
    return !row.flags.contains(.damaged) && (layout.format == .jpeg || row.byteCount == layout.byteCount)
  }

  /// - Returns: nil for a frame whose bytes are damaged.
  private func decoded(_ frames: FramePrefetcher) throws(RetakeError) -> Frame? {
    do throws(RetakeError) {
      return try frames.next().get()
    } catch {
      guard error.code == .corrupt else { throw error }
      return nil
    }
  }
}
