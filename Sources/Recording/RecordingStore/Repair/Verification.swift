import ChunkFormat
import FrameModel
import Support

/// Reads a whole recording and reports all problems. Checks containers against CRCs, frames against
/// checksums, the order of times, and the index against one derived from the chunk files.
package struct Verification {
  package struct Problem: Hashable, Sendable {
    package var chunkFile: String
    package var stream: String
    package var frame: Int?
    package var what: String
    /// Whether the index leaves this damaged frame out.
    package var isLeftOut = false
  }

  package struct Report: Hashable, Sendable {
    package var chunkFileCount = 0
    package var frameCount = 0
    package var byteCount = 0
    package var problems: [Problem] = []
    package var missingChunkFileCount = 0
    /// Files in the chunks folder that are no chunk files of this recording, or not in their place.
    package var strayCount = 0
    /// Missing chunk files that are there under another name.
    package var renamedCount = 0
    /// Not problems: drop events account for the frames that a repair could not read.
    package var damagedChunkFiles: [String] = []
    /// Problems beyond `listedLimit`.
    package var unlistedCount = 0
    package var isWhole: Bool { problems.isEmpty }

    /// Of the problems, those that a check of files found.
    package private(set) var fileDifferenceCount = 0

    /// Adds a problem that a check of files found, before those of their contents.
    package mutating func addFirst(_ file: String, _ what: String) {
      fileDifferenceCount += 1
      problems.insert(Problem(chunkFile: file, stream: "", frame: nil, what: what), at: 0)
    }
  }

  private static let listedLimit = 1000

  private let recording: Recording
  private let verifier: FrameVerifier
  private var report = Report()
  private var lastPresentation: [PresentationTime?]
  /// Frames with a problem; their rows in the index are not reported again.
  private var notedFrames: Set<FrameKey> = []
  private var rebuilder: IndexRebuilder
  private let derived: IndexDatabase
  /// Whether all chunk files so far were intact, so that the index can be derived from them.
  private var isDerivable = true

  private struct FrameKey: Hashable {
    var stream: Int
    var number: Int
  }

  /// - Parameter progress: called after each chunk file with those done and in total.
  /// - Throws: only when verification is impossible. Damage is in the report.
  package static func run(
    _ recording: Recording, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(RetakeError) -> Report {
    // The lock fails while a recorder is still writing.
    if !recording.isClosed { _ = try FolderLock(recording.folder) }
    try recording.folder.checkIsRecording()
    var verification = try Verification(recording)
    let files = try recording.chunkFiles()
    for (position, file) in files.enumerated() {
      try verification.verify(file)
      progress(position + 1, files.count)
    }
    try verification.findStrays(known: Set(files.map(\.number)))
    if !recording.isClosed {
      verification.note("", "", nil, "The recorder did not close the recording; 'retake recover' closes it.")
    }
    try verification.compareIndex()
    verification.readSideFiles()
    return verification.report
  }

  /// Files beside the chunk files, without which the recording is not shown as it was, or not at all.
  private mutating func readSideFiles() {
    let recording = recording
    do throws(RetakeError) { _ = try recording.tags() } catch { noteFile(error) }
    do throws(RetakeError) { _ = try recording.marks() } catch { noteFile(error) }
    do throws(RetakeError) { _ = try recording.part() } catch { noteFile(error) }
    do throws(RetakeError) { _ = try AlignmentFile(recording.folder).read() } catch {
      noteFile(error)
    }
  }

  private mutating func noteFile(_ error: RetakeError) {
    note("", "", nil, error.hint.isEmpty ? error.message : "\(error.message) \(error.hint).")
  }

  private init(_ recording: Recording) throws(RetakeError) {
    self.recording = recording
    verifier = try FrameVerifier()
    lastPresentation = recording.streams.map { _ in nil }
    rebuilder = IndexRebuilder(streams: recording.recordedStreams)
    derived = try IndexDatabase.temporary()
    try derived.insert(recording.identity, streams: recording.recordedStreams)
  }

  private mutating func note(
    _ file: String, _ stream: String, _ frame: Int?, _ what: String, isLeftOut: Bool = false
  ) {
    if let frame, let stream = recording.streams.firstIndex(where: { $0.name == stream }) {
      notedFrames.insert(FrameKey(stream: stream, number: frame))
    }
    guard report.problems.count < Self.listedLimit else {
      report.unlistedCount += 1
      return
    }
    report.problems.append(Problem(chunkFile: file, stream: stream, frame: frame, what: what, isLeftOut: isLeftOut))
  }

  private mutating func verify(_ file: Recording.ChunkFile) throws(RetakeError) {
    let path = recording.folder.chunkFilePath(file.number)
    let name = RecordingFolder.chunkFileName(file.number)
    report.chunkFileCount += 1
    rebuilder.beginFile(file.number)
    var expected: [FrameKey: FrameRow] = [:]
    for row in try recording.frameRows(chunkFile: file.number) {
      expected[FrameKey(stream: row.stream, number: row.number)] = row
    }
    let stray = try RecordingFolder.exists(path) ? stray(name) : nil
    let isDescribed = stray?.damagedNumber == nil
    let scan: ChunkFileScan.Report
    let byteCount: Int
    do throws(RetakeError) {
      scan = try ChunkFileScan.run(
        path: path, copying: isDescribed ? nil : recording.chunkFile(file.number), correctsBytes: false
      ) { entry, scan throws(RetakeError) in
        if case .frame(let message, let payload, let stream, let place) = entry {
          try verify(
            message, payload, stream, place, name,
            expected.removeValue(forKey: FrameKey(stream: stream, number: message.number)))
        }
        guard isDerivable, scan.belongs(to: recording.chunkFile(file.number)) else {
          return
        }
        try rebuilder.enter(entry, chunkFile: file.number)
      }
      byteCount = try FileSource(path: path).byteCount ?? 0
    } catch {
      isDerivable = false
      guard error.code == .notFound else { return note(name, "", nil, error.message) }
      report.missingChunkFileCount += 1
      return note(name, "", nil, "The chunk file is missing.")
    }
    report.byteCount += byteCount
    if isDescribed || !scan.hasAllMessages {
      for damage in scan.damage { note(name, "", nil, damage) }
    }
    if let stray {
      isDerivable = false
      note(stray)
    }
    for row in expected.values.sorted(by: { ($0.stream, $0.number) < ($1.stream, $1.number) }) {
      note(name, streamName(row.stream), row.number, "The frame is in the index, but not in the chunk file.")
    }
    // The expected rows cannot be derived from a damaged file.
    if !scan.damage.isEmpty { isDerivable = false }
    let batch = rebuilder.endFile(number: file.number, byteCount: byteCount)
    if isDerivable { try derived.insert(batch) }
  }

  private mutating func verify(
    _ message: FrameMessage, _ payload: UnsafeRawBufferPointer, _ stream: Int, _ place: MessagePlace, _ name: String,
    _ row: FrameRow?
  ) throws(RetakeError) {
    let streamName = streamName(stream)
    do throws(RetakeError) {
      try verifier.verify(message, payload)
    } catch {
      guard error.code == .corrupt || error.code == .unsupported else { throw error }
      note(name, streamName, message.number, error.message, isLeftOut: row == nil)
      if row == nil { return }
    }
    report.frameCount += 1
    if recording.streams.indices.contains(stream), message.layout != recording.streams[stream].layout.packed {
      note(name, streamName, message.number, "The frame's size or format does not match its stream.")
    }
    guard let row else {
      return note(name, streamName, message.number, "The frame is in the chunk file, but not in the index.")
    }
    if row != FrameRow(message, stream: stream, chunkFile: row.chunkFile, place: place) {
      note(name, streamName, message.number, "The frame's entry in the index does not match the chunk file.")
    }
    guard stream < lastPresentation.count else { return }
    let time = message.timestamps.presentation
    if let last = lastPresentation[stream], time <= last {
      note(name, streamName, message.number, "The frame's presentation time is not later than the previous frame's.")
    }
    lastPresentation[stream] = time
  }

  private mutating func compareIndex() throws(RetakeError) {
    guard isDerivable else { return }
    let end = rebuilder.finish()
    // A killed recorder never wrote these last rows.
    if recording.isClosed { try derived.insert(end) }
    var differences: [IndexComparison.Difference] = []
    var unlistedCount = 0
    try IndexComparison.run(recording.index, derived) { difference in
      if differences.count < Self.listedLimit { differences.append(difference) } else { unlistedCount += 1 }
    }
    for difference in differences {
      if let stream = difference.stream, let frame = difference.frame,
        notedFrames.contains(FrameKey(stream: stream, number: frame))
      {
        continue
      }
      note("", difference.stream.map(streamName) ?? "", difference.frame, difference.what)
    }
    report.unlistedCount += unlistedCount
  }

  private mutating func findStrays(known: Set<Int>) throws(RetakeError) {
    report.damagedChunkFiles = try recording.damagedChunkFiles()
    let names = Set(known.map(RecordingFolder.chunkFileName) + report.damagedChunkFiles)
    for name in try recording.folder.chunkFileNames().sorted() where !names.contains(name) {
      if ChunkFileStanding.number(name, suffix: PartialFile.suffix) == nil, let stray = try stray(name) {
        note(stray)
        continue
      }
      note(name, "", nil, "The file is not in the index; 'retake recover' adds it.")
    }
  }

  private func stray(_ name: String) throws(RetakeError) -> StrayFile? {
    try StrayFile(name, in: recording.folder, of: recording.identity, recording.recordedStreams)
  }

  private mutating func note(_ stray: StrayFile) {
    report.strayCount += 1
    if stray.isRenamed { report.renamedCount += 1 }
    note(stray.name, "", nil, stray.sentence)
  }

  private func streamName(_ id: Int) -> String {
    recording.streams.indices.contains(id) ? recording.streams[id].name : "stream \(id)"
  }
}
