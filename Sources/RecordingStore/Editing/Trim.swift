import ChunkFormat
import FrameModel

/// Copies a part of a recording into a new one: frames as they were encoded, bit for bit, with their faces, events and
/// marks, numbered and timed from 0.
package struct Trim {
  package struct Report: Hashable, Sendable {
    package var frameCounts: [Int] = []
    package var markCount = 0
    package var byteCount = 0
    /// Sentences about what could not be read.
    package var damage: [String] = []
  }

  private let selection: FrameSelection
  private let files: RecordingFiles
  private let verifier: FrameVerifier
  /// What the new recording's numbers begin after: frames before the part, and those of it that are left out.
  private var bases: [Int]
  /// What of the recording's marks has not been written yet.
  private var marks: ArraySlice<Mark>

  /// - Parameters:
  ///   - folder: of the new recording.
  ///   - progress: called after each chunk file with their number done and in all.
  /// - Throws: what the disk refuses.
  package static func run(
    _ recording: Recording, _ selection: FrameSelection, into folder: RecordingFolder,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(RetakeError) -> Report {
    var trim = try Trim(recording, selection, into: folder)
    do throws(RetakeError) {
      return try trim.copy(recording, progress)
    } catch {
      trim.files.close()
      folder.removeEmpty()
      throw error
    }
  }

  private init(
    _ recording: Recording, _ selection: FrameSelection, into folder: RecordingFolder
  ) throws(RetakeError) {
    self.selection = selection
    bases = selection.frames.map(\.lowerBound)
    verifier = try FrameVerifier()
    marks = ArraySlice(
      try recording.marks().filter { $0.presentation >= selection.start && $0.presentation <= selection.end })
    files = try RecordingFiles(
      folder, streams: recording.streams, options: RecorderOptions(), fileSystem: RealFileSystem())
    files.begin(recording.identity.ofPart(from: selection.start, selecting: selection.frames))
  }

  private mutating func copy(_ recording: Recording, _ progress: (Int, Int) -> Void) throws(RetakeError) -> Report {
    var report = Report()
    for number in selection.chunkFiles {
      let path = recording.folder.chunkFilePath(number)
      let scan = try ChunkFileScan.run(path: path) { entry, scan throws(RetakeError) in
        guard scan.identity == recording.identity, scan.streams == recording.streams else { return }
        try copy(entry, isSuspect: scan.isEntrySuspect)
        if let failure = files.failure { throw failure }
      }
      if scan.identity != recording.identity || scan.streams != recording.streams {
        report.damage.append("\(path) does not belong to this recording; its frames are left out.")
      }
      report.damage += scan.damage.map { "\(path): \($0)" }
      progress(number - selection.chunkFiles.lowerBound + 1, selection.chunkFiles.count)
    }
    writeMarks(until: .max)
    files.close()
    if let failure = files.failure { throw failure }
    report.frameCounts = files.status.frameCounts
    report.markCount = files.status.markCount
    report.byteCount = files.byteCount
    return report
  }

  private mutating func copy(_ entry: ChunkFileScan.Entry, isSuspect: Bool) throws(RetakeError) {
    switch entry {
    case .frame(let message, let payload, let stream, _):
      guard selection.frames[stream].contains(message.number) else { return }
      flushFrame()
      if isSuspect { try leaveOutUnlessWhole(message, payload, stream) }
      writeMarks(until: message.timestamps.presentation.nanoseconds)
      waiting = .frame(message, payload: Array(payload), stream: stream, faces: [])
    case .faces(let faces):
      // They follow their frame.
      guard case .frame(let message, let payload, let stream, _) = waiting, stream == faces.stream,
        message.number == faces.frameNumber
      else { return }
      waiting = .frame(message, payload: payload, stream: stream, faces: faces.faces)
    case .event(let event):
      let isInside = event.presentation >= selection.start && event.presentation <= selection.end
      guard isInside, selection.frames.indices.contains(event.stream) else { return }
      flushFrame()
      files.write(moved(.event(event)))
    case .mark: return  // the index knows them all, also those that were set afterwards
    }
  }

  /// - Throws: `.corrupt` for a frame that is not what its checksum is of.
  private mutating func leaveOutUnlessWhole(_ message: FrameMessage, _ payload: UnsafeRawBufferPointer, _ stream: Int)
    throws(RetakeError)
  {
    do throws(RetakeError) {
      try verifier.verify(message, payload)
    } catch {
      let loss = FrameEvent(
        stream: stream, stage: .disk, reason: .dropped, frameNumber: message.number, count: 1,
        presentation: message.timestamps.presentation)
      files.write(moved(.event(loss)))
      bases[stream] += 1
      throw error
    }
  }

  /// The last frame, until it is known whether faces follow.
  private var waiting: RecordEntry?

  private mutating func flushFrame() {
    if let entry = waiting { files.write(moved(entry)) }
    waiting = nil
  }

  private mutating func writeMarks(until nanoseconds: Int64) {
    if nanoseconds == .max { flushFrame() }
    while let mark = marks.first, mark.presentation.nanoseconds <= nanoseconds {
      files.write(moved(.mark(mark)))
      marks.removeFirst()
    }
  }

  /// The entry with the new recording's numbers and times.
  private func moved(_ entry: RecordEntry) -> RecordEntry {
    entry.renumbered(less: bases).shifted(byNanoseconds: -selection.start.nanoseconds)
  }
}
