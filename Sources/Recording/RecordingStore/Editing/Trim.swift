import ChunkFormat
import FrameModel
import Support

/// Copies a part of a recording into a new one, with its faces, events, marks and tags. Encoded frames
/// are copied bit for bit. Numbers restart at 0, and times too unless `keepsTimes` is set.
package struct Trim {
  package struct Report: Hashable, Sendable {
    package var frameCounts: [Int] = []
    package var markCount = 0
    package var byteCount = 0
    package var damage: [String] = []
  }

  private let selection: FrameSelection
  /// Nanoseconds added to every time.
  private let offset: Int64
  private let treatment: (any CopyTreatment)?
  private let files: RecordingFiles
  private let verifier: FrameVerifier
  /// Subtracted from each stream's frame numbers: frames before the part and missing from it.
  private var bases: [Int]
  private var nextNumbers: [Int]
  /// Frames of each stream that copied events report as lost since its last copied frame.
  private var reportedCounts: [Int]
  private var lastTime: PresentationTime
  private var marks: ArraySlice<Mark>
  /// Of a ring: the chunk files that it still has.
  private let ringFiles: Set<Int>?
  /// By stream, the number of the chunk file with its last copied frame.
  private var lastFiles: [Int]
  private let recording: Recording
  /// For each stream, one page of the index's face results, and the frames it covers.
  private var facePages: [(frames: Range<Int>, messages: [Int: FacesMessage])]
  private static let facePageLength = 256

  /// - Parameters:
  ///   - treatment: nil copies frames and faces unchanged.
  ///   - keepsTimes: keeps the original times, so that a background video or recording shows the
  ///     same pictures as with the whole recording.
  ///   - progress: called after each chunk file with those done and in total; false stops the copy.
  /// - Throws: disk errors. The incomplete copy is removed: it would look like a whole recording.
  package static func run(
    _ recording: Recording, _ selection: FrameSelection, into folder: RecordingFolder,
    treatment: (any CopyTreatment)? = nil, keepsTimes: Bool = false, fileSystem: any FileSystem = RealFileSystem(),
    progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Report {
    let tags = try recording.tags()
    var trim = try Trim(recording, selection, into: folder, treatment, keepsTimes, fileSystem)
    do throws(RetakeError) {
      let report = try trim.copy(recording, progress)
      if !tags.isEmpty { try TagFile(folder).change(fileSystem: fileSystem) { $0 = tags } }
      return report
    } catch {
      trim.files.close()
      guard !folder.removeAll() else { throw error }
      throw RetakeError(
        error.code, "\(error.message) The incomplete copy could not be removed.",
        hint: "remove \(folder.path) before trying again")
    }
  }

  private init(
    _ recording: Recording, _ selection: FrameSelection, into folder: RecordingFolder,
    _ treatment: (any CopyTreatment)?, _ keepsTimes: Bool, _ fileSystem: any FileSystem
  ) throws(RetakeError) {
    self.selection = selection
    self.treatment = treatment
    self.recording = recording
    facePages = recording.streams.map { _ in (0..<0, [:]) }
    bases = selection.frames.map(\.lowerBound)
    nextNumbers = bases
    reportedCounts = bases.map { _ in 0 }
    lastTime = selection.start
    lastFiles = bases.map { _ in selection.chunkFiles.lowerBound }
    ringFiles = recording.recordedStreams.areOfRing ? Set(try recording.chunkFiles().map(\.number)) : nil
    verifier = try FrameVerifier()
    marks = ArraySlice(
      try recording.marks().filter { selection.markedSpan.contains($0.presentation.nanoseconds) })
    let alignment = try recording.alignment()
    files = try RecordingFiles(
      folder, streams: recording.streams(treatment?.streams ?? recording.streams, telling: alignment).withoutRing,
      options: RecorderOptions(), fileSystem: fileSystem)
    offset = keepsTimes ? 0 : -selection.start.nanoseconds
    files.begin(
      recording.identity.ofPart(
        from: PresentationTime(nanoseconds: -offset), selecting: selection.frames,
        treatment: [treatment?.name, alignment?.text, recording.calibrationKey].compactMap { $0 }.joined(separator: " ")
      ))
  }

  private mutating func copy(_ recording: Recording, _ progress: (Int, Int) -> Bool) throws(RetakeError) -> Report {
    var report = Report()
    for number in selection.chunkFiles where ringFiles?.contains(number) ?? true {
      try copy(recording, chunkFile: number, &report)
      guard progress(number - selection.chunkFiles.lowerBound + 1, selection.chunkFiles.count) else {
        throw RetakeError(.inputOutput, "Stopped before the end; the incomplete copy was removed.")
      }
    }
    writeMarks(until: .max)
    for stream in nextNumbers.indices {
      leaveOut(stream: stream, until: selection.frames[stream].upperBound, at: lastTime)
    }
    files.close()
    if let failure = files.failure { throw failure }
    report.frameCounts = files.status.frameCounts
    report.markCount = files.status.markCount
    report.byteCount = files.byteCount
    return report
  }

  private mutating func copy(_ recording: Recording, chunkFile number: Int, _ report: inout Report) throws(RetakeError)
  {
    let path = recording.folder.chunkFilePath(number)
    let scan: ChunkFileScan.Report
    do throws(RetakeError) {
      scan = try ChunkFileScan.run(path: path) { entry, scan throws(RetakeError) in
        guard scan.belongs(to: recording.identity, recording.recordedStreams, number: number) else { return }
        try copy(entry, isSuspect: scan.isEntrySuspect, chunkFile: number)
        if let failure = files.failure { throw failure }
      }
    } catch {
      guard error.code == .notFound, files.failure == nil else { throw error }
      return report.damage.append("\(path) is missing; its frames are left out.")
    }
    if !scan.belongs(to: recording.identity, recording.recordedStreams, number: number) {
      report.damage.append(ChunkFileScan.Report.strayDamage(path))
    }
    report.damage += scan.damage.map { "\(path): \($0)" }
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
      let copied =
        try treatment?.treated(message, payload: payload, stream: stream) ?? (message: message, payload: Array(payload))
      leaveOut(
        stream: stream, until: message.number, at: message.timestamps.presentation,
        isOfRing: hasRemoved(lastFiles[stream]..<chunkFile))
      lastFiles[stream] = chunkFile
      nextNumbers[stream] = message.number + 1
      reportedCounts[stream] = 0
      lastTime = max(lastTime, message.timestamps.presentation)
      writeMarks(until: message.timestamps.presentation.nanoseconds)
      files.write(moved(.frame(copied.message, payload: copied.payload, stream: stream)))
      if let faces = try faces(stream: stream, frame: message.number) {
        files.write(moved(.faces(treatment?.treated(faces) ?? faces)))
      }
    case .event(let event):
      let isInside = event.presentation >= selection.start && event.presentation <= selection.end
      guard isInside, selection.frames.indices.contains(event.stream) else { return }
      if event.stage == .disk && event.reason == .dropped { reportedCounts[event.stream] += event.count }
      files.write(moved(.event(event)))
    // Missing frames are counted when the next frame arrives.
    case .lost: return
    case .mark, .faces: return  // copied from the index, which also has later additions
    }
  }

  private mutating func faces(stream: Int, frame: Int) throws(RetakeError) -> FacesMessage? {
    if !facePages[stream].frames.contains(frame) {
      let frames = frame..<frame + Self.facePageLength
      var messages: [Int: FacesMessage] = [:]
      for message in try recording.faces(stream: stream, frames: frames) { messages[message.frameNumber] = message }
      facePages[stream] = (frames, messages)
    }
    return facePages[stream].messages[frame]
  }

  /// Whether a ring removed any of these chunk files.
  private func hasRemoved(_ files: Range<Int>) -> Bool {
    guard let ringFiles else { return false }
    return !files.allSatisfy { ringFiles.contains($0) }
  }

  /// Skips to a frame number, with an event for missing frames that no copied event reports.
  /// - Parameter isOfRing: whether a ring removed chunk files here, so that no frame was lost.
  private mutating func leaveOut(stream: Int, until number: Int, at time: PresentationTime, isOfRing: Bool = false) {
    let count = number - nextNumbers[stream]
    guard count > 0 else { return }
    let unreported = count - reportedCounts[stream]
    if unreported > 0 {
      let event = FrameEvent(
        stream: stream, stage: isOfRing ? .preroll : .disk, reason: isOfRing ? .notKept : .dropped,
        frameNumber: isOfRing ? number : nextNumbers[stream], count: unreported, presentation: time)
      files.write(moved(.event(event)))
    }
    bases[stream] += count
    nextNumbers[stream] = number
  }

  private mutating func writeMarks(until nanoseconds: Int64) {
    while let mark = marks.first, mark.presentation.nanoseconds <= nanoseconds {
      files.write(moved(.mark(mark)))
      marks.removeFirst()
    }
  }

  private func moved(_ entry: RecordEntry) -> RecordEntry {
    entry.renumbered(less: bases).shifted(byNanoseconds: offset)
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
  fileprivate func shifted(byNanoseconds offset: Int64) -> RecordEntry {
    switch self {
    case .frame(var message, let payload, let stream):
      message.timestamps.presentation.nanoseconds += offset
      return .frame(message, payload: payload, stream: stream)
    case .faces(var message):
      message.presentation.nanoseconds += offset
      return .faces(message)
    case .event(var event):
      event.presentation.nanoseconds += offset
      return .event(event)
    case .mark(var mark):
      mark.presentation.nanoseconds += offset
      return .mark(mark)
    }
  }
}
