import ChunkFormat
import FrameModel
import FrameSync
import GRDB
import Glibc
import Kernels
import Support

package final class Recording: Sendable {
  package let folder: RecordingFolder
  package let identity: RecordingIdentity
  /// As recorded, with the calibration that the user gave later.
  package let streams: [StreamDescription]
  /// As recorded: as they stand in the chunk files and the index.
  package let recordedStreams: [StreamDescription]
  /// Tells one calibration that was given later from another; nil without one.
  package let calibrationKey: String?
  /// False during a recording and after its recorder was killed: the index lacks the last seconds.
  package let isClosed: Bool
  package let index: IndexDatabase

  /// - Throws: `.notFound` when the folder is missing or nothing was recorded, `.corrupt` when it
  ///   is not a recording or its index is damaged.
  package init(path: String) throws(RetakeError) {
    folder = RecordingFolder(path: path)
    let hasIndex = try RecordingFolder.exists(folder.indexPath)
    if !hasIndex { try folder.checkIsRecording() }
    if try folder.lacksIndex() {
      guard try !folder.holdsNothing() else { throw folder.nothingRecorded }
    }
    guard hasIndex else {
      throw RetakeError(
        .corrupt, "\(folder.indexPath) is missing.",
        hint: "the frames are safe in the chunk files: 'retake recover' rebuilds the index")
    }
    let index = try IndexDatabase.open(at: folder.indexPath)
    self.index = index
    (identity, isClosed) = try index.identity()
    recordedStreams = try index.streams()
    streams = try CalibrationStore(folder).applied(to: recordedStreams)
    calibrationKey = streams == recordedStreams ? nil : StreamCalibrations.key(streams)
    if !isClosed {
      guard try !folder.holdsNothing() else { throw folder.nothingRecorded }
    }
  }

  package var masterStream: Int { streams.masterStream }

  package func firstStream(_ kind: StreamKind) -> Int? { streams.firstIndex { $0.kind == kind } }

  // MARK: Questions to the index

  package func frameSetCount() throws(RetakeError) -> Int {
    try index.read { try IndexDatabase.frameSetCount($0) }
  }

  /// Frame sets in order, without pixels. Numbers that do not exist are left out.
  package func frameSets(_ range: Range<Int>) throws(RetakeError) -> [FrameSetEntry] {
    try index.read { try FrameSetEntry.fetch($0, range, streams: self.streams) }
  }

  package func frameRow(stream: Int, number: Int) throws(RetakeError) -> FrameRow? {
    try frameRows("stream = ? AND number = ?", [stream, number]).first
  }

  /// The stream's latest frame at a time. Nil before the first.
  package func frameRow(stream: Int, at time: PresentationTime) throws(RetakeError) -> FrameRow? {
    try frameRows(
      "stream = ? AND presentation_ns <= ? ORDER BY presentation_ns DESC, number DESC LIMIT 1",
      [stream, time.nanoseconds]
    ).first
  }

  package func frameRows(stream: Int, from number: Int, limit: Int) throws(RetakeError) -> [FrameRow] {
    try frameRows("stream = ? AND number >= ? ORDER BY number LIMIT ?", [stream, number, limit])
  }

  /// The frames of a chunk file, which holds at most about 2 s or 64 MiB.
  package func frameRows(chunkFile: Int) throws(RetakeError) -> [FrameRow] {
    try frameRows("chunk_file = ? ORDER BY stream, number", [chunkFile])
  }

  private func frameRows(_ condition: String, _ arguments: StatementArguments) throws(RetakeError) -> [FrameRow] {
    try index.read { database in
      try Row.fetchAll(
        database, sql: "SELECT \(FrameRow.columns()) FROM frame WHERE \(condition)", arguments: arguments
      ).map { try FrameRow($0) }
    }
  }

  package struct ChunkFile: Hashable, Sendable {
    package var number: Int
    package var byteCount: Int
    package var frameCount: Int
  }

  package func chunkFiles() throws(RetakeError) -> [ChunkFile] {
    try index.read { database in
      let counts = 0...RecordingLimits.count
      return try Row.fetchAll(database, sql: "SELECT id, byte_count, frame_count FROM chunk_file ORDER BY id").map {
        ChunkFile(
          number: try $0.integer(0, in: 0...1 << 32), byteCount: try $0.integer(1, in: counts),
          frameCount: try $0.integer(2, in: counts))
      }
    }
  }

  /// Face results ordered by frame, without frames that were neither examined nor skipped.
  package func faces(stream: Int, frames: Range<Int>) throws(RetakeError) -> [FacesMessage] {
    try index.read { try IndexDatabase.faces($0, stream: stream, frames: frames) }
  }

  /// By stream and detector; see `RecordingSummary`.
  package func faceCounts() throws(RetakeError) -> [RecordingSummary.Faces] {
    try index.read { try IndexDatabase.faceCounts($0) }
  }

  package func events() throws(RetakeError) -> [FrameEvent] { try index.events() }

  /// Where frames are missing: the largest losses and gaps that were wanted.
  package func largestGaps(limit: Int) throws(RetakeError) -> [FrameEvent] {
    try index.largestEvents([.dropped, .stalled, .disconnected, .notKept], limit: limit)
  }

  /// Sentences about chunk files that are missing, or shorter than the index says. Looks at no content.
  package func missingChunkFiles() throws(RetakeError) -> [String] {
    guard folder.hasChunks else { return ["chunks is missing, with all frames"] }
    var sentences: [String] = []
    for file in try chunkFiles() {
      let name = RecordingFolder.chunkFileName(file.number)
      var status = stat()
      if stat(folder.chunkFilePath(file.number), &status) != 0 {
        guard errno == ENOENT || errno == ENOTDIR else {
          throw FileBytes.failure("access", folder.chunkFilePath(file.number))
        }
        sentences.append("chunks/\(name) is missing, with \(file.frameCount) frames")
      } else if status.st_size < file.byteCount {
        sentences.append("chunks/\(name) has \(status.st_size) of its \(file.byteCount) bytes")
      }
    }
    return sentences
  }

  package func damagedChunkFiles() throws(RetakeError) -> [String] { try folder.damagedChunkFiles() }

  /// Without those that were removed, and with the labels that they have now.
  package func marks() throws(RetakeError) -> [Mark] {
    try MarkChangeFile(folder).read().applied(to: storedMarks())
  }

  /// As they stand in the chunk files.
  package func storedMarks() throws(RetakeError) -> [Mark] { try index.marks() }

  package func summary() throws(RetakeError) -> RecordingSummary { try index.summary(of: self) }
}

/// A master frame, the frames taken at the same time, and the faces in it.
package struct FrameSetEntry: Sendable {
  package var number: Int
  package var master: FrameRow
  package var partners: [FrameRow]
  package var faces: [FaceObservation]
  /// A detector skipped this frame, so an empty `faces` means unknown.
  package var isSkippedForFaces = false

  package func partner(stream: Int) -> FrameRow? { partners.first { $0.stream == stream } }

  /// - Throws: `.corrupt` for frames further apart in time than a recorder would pair.
  private func checkPairs(_ streams: [StreamDescription]) throws(RetakeError) {
    let rate = streams[master.stream].rate
    for partner in partners {
      guard partner.stream < streams.count else {
        throw RetakeError(.corrupt, "Frame set \(number) refers to a stream that does not exist.")
      }
      let tolerance = FramePairing.toleranceNanoseconds(rate, streams[partner.stream].rate)
      let distance = master.timestamps.presentation.nanoseconds - partner.timestamps.presentation.nanoseconds
      guard distance.magnitude <= tolerance.magnitude else {
        throw RetakeError(
          .corrupt,
          "The index pairs frame \(partner.number) of '\(streams[partner.stream].name)' with frame set \(number), "
            + "\(distance.magnitude / 1_000_000) ms away from it.",
          hint: "the frames are safe in the chunk files: 'retake recover' rebuilds the index")
      }
    }
  }

  static func fetch(_ database: Database, _ range: Range<Int>, streams: [StreamDescription]) throws -> [FrameSetEntry] {
    let master = streams.masterStream
    let columns = FrameRow.columns(of: "frame")
    let arguments: StatementArguments = [master, range.lowerBound, range.upperBound]
    var entries = try Row.fetchAll(
      database,
      sql: """
        SELECT \(columns), frame_set.number FROM frame_set
        JOIN frame ON frame.stream = ? AND frame.number = frame_set.master_frame
        WHERE frame_set.number >= ? AND frame_set.number < ? ORDER BY frame_set.number
        """, arguments: arguments
    ).map { row in
      FrameSetEntry(
        number: try row.integer(13, in: 0...RecordingLimits.count), master: try FrameRow(row), partners: [], faces: [])
    }
    var positions: [Int: Int] = [:]
    for (position, entry) in entries.enumerated() { positions[entry.number] = position }

    let partners = try Row.fetchAll(
      database,
      sql: """
        SELECT \(columns), partner.frame_set FROM partner
        JOIN frame ON frame.stream = partner.stream AND frame.number = partner.frame
        WHERE partner.stream != ? AND partner.frame_set >= ? AND partner.frame_set < ?
        ORDER BY partner.frame_set, partner.stream
        """, arguments: arguments)
    for row in partners {
      guard let position = positions[try row.integer(13, in: 0...RecordingLimits.count)] else { continue }
      entries[position].partners.append(try FrameRow(row))
    }

    let faces = try Row.fetchAll(
      database,
      sql: """
        SELECT \(IndexDatabase.faceColumns), frame_set.number FROM frame_set
        JOIN face ON face.stream = ? AND face.frame = frame_set.master_frame
        WHERE frame_set.number >= ? AND frame_set.number < ? ORDER BY frame_set.number, face.position
        """, arguments: arguments)
    for row in faces {
      let number = try row.integer(IndexDatabase.faceColumnCount, in: 0...RecordingLimits.count)
      guard let position = positions[number] else { continue }
      entries[position].faces.append(try FaceObservation(row))
    }

    let skipped = try Row.fetchAll(
      database,
      sql: """
        SELECT frame_set.number FROM frame_set
        JOIN face_look ON face_look.stream = ? AND face_look.frame = frame_set.master_frame AND is_skipped != 0
        WHERE frame_set.number >= ? AND frame_set.number < ?
        """, arguments: arguments)
    for row in skipped {
      guard let position = positions[try row.integer(0, in: 0...RecordingLimits.count)] else { continue }
      entries[position].isSkippedForFaces = true
    }
    for entry in entries { try entry.checkPairs(streams) }
    return entries
  }
}
