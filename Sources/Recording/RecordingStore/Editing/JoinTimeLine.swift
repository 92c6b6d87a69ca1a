import ChunkFormat
import FrameModel
import Support

/// Places recordings on the time line of the first one.
struct JoinTimeLine {
  struct Part {
    let recording: Recording
    let selection: FrameSelection
    var placement: SelectionCopy.Placement
    fileprivate let ends: [(first: FrameRow, last: FrameRow)?]
    /// Nanoseconds on the time line of the first recording.
    var begin: Int64 { selection.start.nanoseconds + placement.offset }
    var end: Int64 { selection.end.nanoseconds + placement.offset }
  }

  let parts: [Part]

  /// A wall clock that is set by no more than this, while a host runs, moves nothing.
  private static let wallClockTolerance: Int64 = 10_000_000_000
  /// Ticks that continue by the elapsed time within this are from a device that went on.
  private static let tickTolerance: Int64 = 500_000_000

  /// - Throws: `.unsupported` when they overlap, or their clocks do not say which is the later one.
  init(_ recordings: [Recording], gapNanoseconds: Int64?) throws(RetakeError) {
    var parts: [Part] = []
    for recording in recordings {
      var part = Part(
        recording: recording, selection: try FrameSelection(whole: recording), placement: .init(),
        ends: try recording.frameEnds())
      if let last = parts.last {
        part.placement = try Self.placement(of: part, after: last, first: parts[0], gapNanoseconds)
        try Self.checkOrder(part, after: last)
        part.placement.hasRestarted = Self.restarts(of: part, after: last)
      }
      parts.append(part)
    }
    self.parts = parts
  }

  private static func placement(
    of part: Part, after last: Part, first: Part, _ gapNanoseconds: Int64?
  ) throws(RetakeError) -> SelectionCopy.Placement {
    let (own, origin) = (part.recording.identity, first.recording.identity)
    let offset =
      if let gapNanoseconds {
        last.selection.end.nanoseconds &+ last.placement.offset &+ gapNanoseconds
          &- part.selection.start.nanoseconds
      } else {
        try clockOffset(own, origin, part.recording.folder.path, first.recording.folder.path)
      }
    let placement = SelectionCopy.Placement(
      offset: offset,
      // Arrival less presentation is the same in the whole recording.
      arrivalOffset: origin.monotonicOrigin.nanoseconds &+ offset &- own.monotonicOrigin.nanoseconds)
    let times = [part.selection.start.nanoseconds, part.selection.end.nanoseconds].map {
      $0.addingReportingOverflow(offset)
    }
    guard times.allSatisfy({ !$0.overflow && $0.partialValue.isPlausibleTime }), placement.arrivalOffset.isPlausibleTime
    else {
      throw RetakeError(
        .unsupported, "The clocks of \(part.recording.folder.path) are implausible.",
        hint: "--gap places it after the one before, whatever their clocks say")
    }
    return placement
  }

  /// Nanoseconds between two recordings' time 0.
  private static func clockOffset(
    _ own: RecordingIdentity, _ origin: RecordingIdentity, _ path: String, _ firstPath: String
  ) throws(RetakeError) -> Int64 {
    let hasClock = [own, origin].map(\.hasWallClock)
    guard hasClock[0] == hasClock[1] else {
      throw RetakeError(
        .unsupported,
        "\(hasClock[0] ? firstPath : path) has no time of day, so the two cannot be placed on one time line.",
        hint: "--gap places each recording after the one before")
    }
    let wall = own.wallClockNanoseconds.subtractingReportingOverflow(origin.wallClockNanoseconds)
    let monotonic = own.monotonicOrigin.nanoseconds.subtractingReportingOverflow(origin.monotonicOrigin.nanoseconds)
    guard !wall.overflow, !monotonic.overflow else { return wall.partialValue }
    // While a host runs, its monotonic clock is the better one: the other may be set.
    let distance = wall.partialValue.subtractingReportingOverflow(monotonic.partialValue)
    let isOneRun = !distance.overflow && distance.partialValue.magnitude < UInt64(wallClockTolerance)
    return isOneRun ? monotonic.partialValue : wall.partialValue
  }

  private static func checkOrder(_ part: Part, after last: Part) throws(RetakeError) {
    for (own, before) in zip(part.ends, last.ends) {
      guard let own, let before else { continue }
      let overlap = before.last.time(in: last) - own.first.time(in: part)
      guard overlap >= 0 else { continue }
      let (path, lastPath) = (part.recording.folder.path, last.recording.folder.path)
      throw RetakeError(
        .unsupported,
        "\(path) begins \(Double(overlap / 1_000_000) / 1000) s before the end of \(lastPath).",
        hint: "name recordings in the order of their times; --gap 1s places each one second after the one before")
    }
  }

  /// By stream, whether the device was opened again between two recordings: its ticks do not go on.
  private static func restarts(of part: Part, after last: Part) -> [Bool] {
    zip(part.ends, last.ends).map { own, before in
      guard let own, let before else { return false }
      guard part.placement.arrivalOffset == last.placement.arrivalOffset else { return true }
      let clock = part.recording.streams[own.first.stream].clock
      guard let tick = own.first.timestamps.unwrappedTick, let earlier = before.last.timestamps.unwrappedTick else {
        return false
      }
      let elapsed = Double(own.first.time(in: part) - before.last.time(in: last))
      let ticked = Double(tick &- earlier) / Double(clock.hertz) * 1e9
      return (ticked - elapsed).magnitude > Double(tickTolerance)
    }
  }
}

extension FrameRow {
  fileprivate func time(in part: JoinTimeLine.Part) -> Int64 {
    timestamps.presentation.nanoseconds + part.placement.offset
  }
}

extension Recording {
  /// First and last frame of each stream; nil for a stream without frames.
  fileprivate func frameEnds() throws(RetakeError) -> [(first: FrameRow, last: FrameRow)?] {
    try streams.indices.map { stream throws(RetakeError) in
      let range = try frameNumbers(stream: stream)
      guard !range.isEmpty, let first = try frameRow(stream: stream, number: range.lowerBound),
        let last = try frameRow(stream: stream, number: range.upperBound - 1)
      else { return nil }
      return (first, last)
    }
  }
}
