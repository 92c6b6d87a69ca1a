import ChunkFormat
import FrameModel
import GRDB
import Glibc

/// Reads a whole recording and says everything that is wrong with it: containers against their CRCs, frames against their
/// checksums, the index against the files, times against their order.
package struct Verification {
  package struct Problem: Hashable, Sendable {
    package var chunkFile: String
    /// Empty where it concerns no stream.
    package var stream: String
    package var frame: Int?
    /// One sentence.
    package var what: String
  }

  package struct Report: Hashable, Sendable {
    package var chunkFileCount = 0
    package var frameCount = 0
    package var byteCount = 0
    package var problems: [Problem] = []
    /// Problems beyond those listed.
    package var unlistedCount = 0
    package var isWhole: Bool { problems.isEmpty }
  }

  /// More than these are counted and not listed.
  private static let listedLimit = 1000

  private let recording: Recording
  private let verifier: FrameVerifier
  private var report = Report()
  private var lastPresentation: [PresentationTime?]
  /// Frames that the index does not know.
  private var unknownFrames: Set<FrameKey> = []
  /// Frames whose faces in the index are not those of the last message met, and the chunk file of that.
  private var supersededFaces: [FrameKey: String] = [:]

  /// - Parameter progress: called after each chunk file with their number done and in all.
  /// - Throws: only what makes it impossible to go on, such as a recorder at work; damage is in the report.
  package static func run(
    _ recording: Recording, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(RetakeError) -> Report {
    // What is being written is not whole yet.
    if !recording.isClosed { _ = try FolderLock(recording.folder) }
    var verification = try Verification(recording)
    let files = try recording.chunkFiles()
    for (position, file) in files.enumerated() {
      try verification.verify(file)
      progress(position + 1, files.count)
    }
    verification.noteSupersededFaces()
    try verification.findStrays(known: files.map(\.number))
    if !recording.isClosed {
      verification.note("", "", nil, "The recorder did not close the recording; 'retake recover' does.")
    }
    return verification.report
  }

  private init(_ recording: Recording) throws(RetakeError) {
    self.recording = recording
    verifier = try FrameVerifier()
    lastPresentation = recording.streams.map { _ in nil }
  }

  private mutating func note(_ file: String, _ stream: String, _ frame: Int?, _ what: String) {
    guard report.problems.count < Self.listedLimit else {
      report.unlistedCount += 1
      return
    }
    report.problems.append(Problem(chunkFile: file, stream: stream, frame: frame, what: what))
  }

  private mutating func verify(_ file: Recording.ChunkFile) throws(RetakeError) {
    let path = recording.folder.chunkFilePath(file.number)
    let name = RecordingFolder.chunkFileName(file.number)
    report.chunkFileCount += 1
    guard access(path, F_OK) == 0 else { return note(name, "", nil, "The chunk file is missing.") }
    // What the index says of this file, and what of it has not been met yet.
    var expected: [FrameKey: FrameRow] = [:]
    for row in try recording.frameRows(chunkFile: file.number) {
      expected[FrameKey(stream: row.stream, number: row.number)] = row
    }
    let scan = try ChunkFileScan.run(path: path) { entry, _ throws(RetakeError) in
      if case .faces(let faces) = entry { return try verify(faces, name) }
      guard case .frame(let message, let payload, let stream, let place) = entry else { return }
      verify(
        message, payload, stream, place, name,
        expected.removeValue(forKey: FrameKey(stream: stream, number: message.number)))
    }
    report.byteCount += try FileSource(path: path).byteCount ?? 0
    for damage in scan.damage { note(name, "", nil, damage) }
    if scan.identity?.id != recording.identity.id || scan.fileNumber != file.number {
      note(name, "", nil, "The chunk file belongs to another recording, or to another place in this one.")
    }
    for row in expected.values.sorted(by: { ($0.stream, $0.number) < ($1.stream, $1.number) }) {
      note(name, streamName(row.stream), row.number, "The index names this frame, and the chunk file does not have it.")
    }
  }

  /// Faces belong to a frame. What the index has of it is this message, or one that came later.
  private mutating func verify(_ faces: FacesMessage, _ name: String) throws(RetakeError) {
    let frames = faces.frameNumber..<faces.frameNumber + 1
    let key = FrameKey(stream: faces.stream, number: faces.frameNumber)
    let known = try recording.faces(stream: faces.stream, frames: frames).first
    guard let known else {
      // A frame that the index does not know has been noted, and takes its faces along.
      guard !unknownFrames.contains(key) else { return }
      return note(
        name, streamName(faces.stream), faces.frameNumber, "Faces are given for a frame that the index lacks.")
    }
    let isSame = known.source == faces.source && known.isSkipped == faces.isSkipped && known.faces == faces.faces
    if isSame { supersededFaces[key] = nil } else { supersededFaces[key] = name }
  }

  private mutating func noteSupersededFaces() {
    for (key, name) in supersededFaces.sorted(by: { ($0.key.stream, $0.key.number) < ($1.key.stream, $1.key.number) }) {
      note(name, streamName(key.stream), key.number, "The index has other faces in this frame than the chunk files.")
    }
  }

  private struct FrameKey: Hashable {
    var stream: Int
    var number: Int
  }

  private mutating func verify(
    _ message: FrameMessage, _ payload: UnsafeRawBufferPointer, _ stream: Int, _ place: MessagePlace, _ name: String,
    _ row: FrameRow?
  ) {
    report.frameCount += 1
    let streamName = streamName(stream)
    do throws(RetakeError) {
      try verifier.verify(message, payload)
    } catch {
      note(name, streamName, message.number, error.message)
    }
    guard let row else {
      unknownFrames.insert(FrameKey(stream: stream, number: message.number))
      return note(name, streamName, message.number, "The index does not know this frame.")
    }
    if row != FrameRow(message, stream: stream, chunkFile: row.chunkFile, place: place) {
      note(name, streamName, message.number, "The index says other things of this frame than the chunk file.")
    }
    guard stream < lastPresentation.count else { return }
    let time = message.timestamps.presentation
    if let last = lastPresentation[stream], time <= last {
      note(name, streamName, message.number, "Its presentation time is not after that of the frame before it.")
    }
    lastPresentation[stream] = time
  }

  /// Files that the index does not know, but for what a repair could not read and kept.
  private mutating func findStrays(known: [Int]) throws(RetakeError) {
    for name in try recording.folder.chunkFileNames() where !name.hasSuffix(Recovery.damagedSuffix) {
      guard !known.contains(where: { RecordingFolder.chunkFileName($0) == name }) else { continue }
      note(name, "", nil, "The index does not know this file; 'retake recover' enters it.")
    }
  }

  private func streamName(_ id: Int) -> String {
    recording.streams.indices.contains(id) ? recording.streams[id].name : "stream \(id)"
  }
}
