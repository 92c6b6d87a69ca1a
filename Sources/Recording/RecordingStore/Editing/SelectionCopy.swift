import ChunkFormat
import FrameModel
import Support

/// Copies a part of a recording into the files of another, with its faces, events and marks. Encoded frames
/// are copied bit for bit, unless a treatment or a recoder changes them.
struct SelectionCopy {
  private let recording: Recording
  private let selection: FrameSelection
  private let files: RecordingFiles
  private let placement: Placement
  private let treatment: (any CopyTreatment)?
  private let recoder: FrameRecoder?
  private let verifier: FrameVerifier
  /// Subtracted from each stream's frame numbers: frames before the part and missing from it.
  private var bases: [Int]
  private var nextNumbers: [Int]
  /// Frames of each stream that copied events report as lost since its last copied frame.
  private var reportedCounts: [Int]
  private var lastTime: PresentationTime
  private var marks: ArraySlice<Mark>
  /// The chunk files that the index lists. A ring removed others on purpose; a repair has reported others as lost.
  private let listedFiles: Set<Int>
  /// By stream, the number of the chunk file with its last copied frame.
  private var lastFiles: [Int]
  /// By stream, whether its next frame is the first one.
  private var isFirst: [Bool]
  /// By stream: from the index, which has later results.
  private var facePages: [FacePage]

  /// Where a part lies in the recording that it is copied into.
  struct Placement {
    /// Nanoseconds added to every presentation time.
    var offset: Int64 = 0
    /// Nanoseconds added to every arrival time, for a host that was started again in between.
    var arrivalOffset: Int64 = 0
    /// Each stream's frames that precede the part. Nil for the first part.
    var precedingCounts: [Int]?
    /// By stream, whether the device's clock and counters started again before this part. Nil: none did.
    var hasRestarted: [Bool]?
  }

  init(
    _ recording: Recording, _ selection: FrameSelection, into files: RecordingFiles, at placement: Placement,
    treatment: (any CopyTreatment)? = nil, recoder: FrameRecoder? = nil
  ) throws(RetakeError) {
    (self.recording, self.selection, self.files) = (recording, selection, files)
    (self.placement, self.treatment, self.recoder) = (placement, treatment, recoder)
    nextNumbers = selection.frames.map(\.lowerBound)
    let preceding = placement.precedingCounts ?? nextNumbers.map { _ in 0 }
    bases = zip(nextNumbers, preceding).map { $0 - $1 }
    reportedCounts = nextNumbers.map { _ in 0 }
    lastTime = selection.start
    lastFiles = nextNumbers.map { _ in selection.chunkFiles.lowerBound }
    isFirst = nextNumbers.map { _ in true }
    facePages = recording.streams.indices.map { FacePage(recording, stream: $0) }
    listedFiles = Set(try recording.chunkFiles().map(\.number))
    verifier = try FrameVerifier()
    marks = ArraySlice(
      try recording.marks().filter { selection.span.contains($0.presentation.nanoseconds) }
        .map { mark throws(RetakeError) in try selection.atItsBegin(mark) })
  }

  /// - Parameter progress: called after each chunk file with those done and in total; false stops the copy.
  /// - Returns: sentences about frames that could not be read and are left out.
  /// - Throws: disk errors, and `.inputOutput` after `progress` returned false.
  mutating func run(_ progress: (Int, Int) -> Bool) throws(RetakeError) -> [String] {
    var damage: [String] = []
    let isOfRing = recording.recordedStreams.areOfRing
    let files = selection.eventFiles
    for number in files where !isOfRing || listedFiles.contains(number) {
      var found: [String] = []
      try copy(chunkFile: number, &found)
      if selection.chunkFiles.contains(number) { damage += found }
      guard progress(number - files.lowerBound + 1, files.count) else {
        throw RetakeError(.inputOutput, "Stopped before the end; the incomplete copy was removed.")
      }
    }
    try writeMarks(until: .max)
    for stream in nextNumbers.indices {
      try leaveOut(stream: stream, until: selection.frames[stream].upperBound, at: lastTime)
    }
    return damage
  }

  private func write(_ entry: RecordEntry) throws(RetakeError) {
    let entry = entry.renumbered(less: bases).shifted(byNanoseconds: placement.offset, arrival: placement.arrivalOffset)
    if let recoder { return try recoder.write(entry) }
    files.write(entry)
    if let failure = files.failure { throw failure }
  }

  private mutating func copy(chunkFile number: Int, _ damage: inout [String]) throws(RetakeError) {
    let path = recording.folder.chunkFilePath(number)
    let scan: ChunkFileScan.Report
    do throws(RetakeError) {
      scan = try ChunkFileScan.run(path: path) { entry, scan throws(RetakeError) in
        guard scan.belongs(to: recording.chunkFile(number)) else { return }
        try copy(entry, isSuspect: scan.isEntrySuspect, chunkFile: number)
      }
    } catch {
      guard error.code == .notFound, files.failure == nil else { throw error }
      guard listedFiles.contains(number) else { return }
      return damage.append("\(path) is missing; its frames are left out.")
    }
    if !scan.belongs(to: recording.chunkFile(number)),
      let stray = try StrayFile(
        RecordingFolder.chunkFileName(number), in: recording.folder, of: recording.identity, recording.recordedStreams)
    {
      damage.append("\(path) is left out: \(stray.sentence)")
    }
    damage += scan.damage.map { "\(path): \($0)" }
  }

  private mutating func copy(
    _ entry: ChunkFileScan.Entry, isSuspect: Bool, chunkFile: Int
  ) throws(RetakeError) {
    switch entry {
    case .frame(let message, let payload, let stream, _):
      guard selection.frames[stream].contains(message.number) else { return }
      guard message.number >= nextNumbers[stream] else {
        throw RetakeError(.corrupt, "frame \(message.number) appears twice")
      }
      if isSuspect { try verifier.verify(message, payload) }
      var copied =
        try treatment?.treated(message, payload: payload, stream: stream) ?? (message: message, payload: Array(payload))
      try leaveOut(
        stream: stream, until: message.number, at: message.timestamps.presentation,
        isOfRing: hasRemoved(lastFiles[stream]..<chunkFile))
      lastFiles[stream] = chunkFile
      if isFirst[stream], placement.hasRestarted?[stream] ?? false { copied.message.flags.insert(.restarted) }
      isFirst[stream] = false
      nextNumbers[stream] = message.number + 1
      reportedCounts[stream] = 0
      lastTime = max(lastTime, message.timestamps.presentation)
      try writeMarks(until: message.timestamps.presentation.nanoseconds)
      try write(.frame(copied.message, payload: copied.payload, stream: stream))
      if let faces = try facePages[stream].message(of: message.number) {
        try write(.faces(treatment?.treated(faces) ?? faces))
      }
    case .event(let event):
      let isInside = selection.span.contains(event.presentation.nanoseconds)
      guard isInside, selection.frames.indices.contains(event.stream) else { return }
      if event.stage == .disk && event.reason == .dropped { reportedCounts[event.stream] += event.count }
      try write(.event(event))
    // Missing frames are counted when the next frame arrives.
    case .lost: return
    case .mark, .faces: return  // copied from the index, which also has later additions
    }
  }

  /// Whether a ring removed any of these chunk files.
  private func hasRemoved(_ files: Range<Int>) -> Bool {
    recording.recordedStreams.areOfRing && !files.allSatisfy { listedFiles.contains($0) }
  }

  /// Skips to a frame number, with an event for missing frames that no copied event reports.
  /// - Parameter isOfRing: whether a ring removed chunk files here, so that no frame was lost.
  private mutating func leaveOut(stream: Int, until number: Int, at time: PresentationTime, isOfRing: Bool = false)
    throws(RetakeError)
  {
    let count = number - nextNumbers[stream]
    guard count > 0 else { return }
    let unreported = count - reportedCounts[stream]
    if unreported > 0 {
      let event = FrameEvent(
        stream: stream, stage: isOfRing ? .preroll : .disk, reason: isOfRing ? .notKept : .dropped,
        frameNumber: isOfRing ? number : nextNumbers[stream], count: unreported, presentation: time)
      try write(.event(event))
    }
    bases[stream] += count
    nextNumbers[stream] = number
  }

  private mutating func writeMarks(until nanoseconds: Int64) throws(RetakeError) {
    while let mark = marks.first, mark.presentation.nanoseconds <= nanoseconds {
      try write(.mark(mark))
      marks.removeFirst()
    }
  }
}

extension RecordEntry {
  /// The same with numbers that begin later: less `bases` of its stream.
  fileprivate func renumbered(less bases: [Int]) -> RecordEntry {
    switch self {
    case .frame(var message, let payload, let stream):
      message.number -= bases[stream]
      return .frame(message, payload: payload, stream: stream)
    case .faces(var message):
      message.frameNumber -= bases[message.stream]
      return .faces(message)
    case .event(var event):
      // It may concern a frame that lies before them.
      event.frameNumber = max(0, event.frameNumber - bases[event.stream])
      return .event(event)
    case .mark: return self
    }
  }

  /// The same at another place of the time line.
  fileprivate func shifted(byNanoseconds offset: Int64, arrival arrivalOffset: Int64) -> RecordEntry {
    switch self {
    case .frame(var message, let payload, let stream):
      message.timestamps.presentation.nanoseconds &+= offset
      message.timestamps.arrival.nanoseconds &+= arrivalOffset
      return .frame(message, payload: payload, stream: stream)
    case .faces(var message):
      message.presentation.nanoseconds &+= offset
      return .faces(message)
    case .event(var event):
      event.presentation.nanoseconds &+= offset
      return .event(event)
    case .mark(var mark):
      mark.presentation.nanoseconds &+= offset
      return .mark(mark)
    }
  }
}
