import ChunkFormat
import FrameModel

/// Collects index rows of the open chunk file, and rows that belong to no file. The index never
/// refers to data outside finished files.
struct PendingRows {
  private struct FrameKey: Hashable {
    var stream: Int
    var number: Int
  }

  private var batch = IndexBatch()
  private var sets: FrameSetBuilder
  /// Updated from frames in finished files only, as when an index is rebuilt.
  private var clocks: ClockAccount
  private let masterStream: Int
  /// Offsets in the open file of the batch's marks and faces.
  private var markOffsets: [Int] = []
  private var faceOffsets: [Int] = []
  private var lost: Set<FrameKey> = []

  init(streams: [StreamDescription]) {
    (sets, clocks) = (FrameSetBuilder(streams: streams), ClockAccount(streams: streams))
    masterStream = streams.masterStream
  }

  mutating func add(_ row: FrameRow) {
    batch.frames.append(row)
    sets.add(
      stream: row.stream, number: row.number, time: row.timestamps.presentation, flags: row.flags, to: &batch)
  }

  mutating func add(_ faces: FacesMessage, at offset: Int) {
    batch.faces.append(faces)
    faceOffsets.append(offset)
  }

  mutating func add(_ mark: Mark, at offset: Int) {
    batch.marks.append(mark)
    markOffsets.append(offset)
  }

  mutating func add(_ event: FrameEvent) { batch.events.append(event) }

  mutating func finishSets() { sets.finish(into: &batch) }

  /// Returns the rows to insert along with a finished file; without a file, those that need none.
  mutating func take(chunkFile: (number: Int, byteCount: Int)? = nil) -> IndexBatch {
    forgetLost()
    if chunkFile != nil {
      for row in batch.frames { clocks.add(stream: row.stream, timestamps: row.timestamps, flags: row.flags) }
      batch.clocks = clocks.facts
      batch.chunkFile = chunkFile
    }
    defer { (batch, markOffsets, faceOffsets) = (IndexBatch(), [], []) }
    return batch
  }

  /// Reports a frame that was numbered but not written.
  mutating func lose(stream: Int, number: Int, at time: PresentationTime) {
    lost.insert(FrameKey(stream: stream, number: number))
    batch.events.append(
      FrameEvent(
        stream: stream, stage: .disk, reason: .dropped, frameNumber: number, count: 1, presentation: time))
    forgetLost()
  }

  /// Removes rows that did not reach the open file after a failed write. These frames are the last
  /// of their streams, since nothing is written after a failure, so the remaining frame sets keep
  /// their numbers.
  /// - Parameter byteCount: bytes of the open file that were written.
  /// - Returns: the lost frames.
  mutating func dropUnwritten(after byteCount: Int) -> [FrameRow] {
    let unwritten = batch.frames.filter { $0.place.offset >= byteCount }
    for row in unwritten { lose(stream: row.stream, number: row.number, at: row.timestamps.presentation) }
    keepMarks { $0 < byteCount }
    keepFaces { $1 < byteCount }
    return unwritten
  }

  /// Removes all rows of the open file, which could not be finished. The file remains,
  /// for a repair.
  mutating func dropFile() {
    keepMarks { _ in false }
    keepFaces { _, _ in false }
    lost.formUnion(batch.frames.map { FrameKey(stream: $0.stream, number: $0.number) })
    forgetLost()
  }

  private mutating func keepMarks(where isKept: (Int) -> Bool) {
    let kept = zip(batch.marks, markOffsets).filter { isKept($1) }
    (batch.marks, markOffsets) = (kept.map(\.0), kept.map(\.1))
  }

  private mutating func keepFaces(where isKept: (FacesMessage, Int) -> Bool) {
    let kept = zip(batch.faces, faceOffsets).filter { isKept($0, $1) }
    (batch.faces, faceOffsets) = (kept.map(\.0), kept.map(\.1))
  }

  private mutating func forgetLost() {
    guard !lost.isEmpty else { return }
    let isLost = { [lost] stream, number in lost.contains(FrameKey(stream: stream, number: number)) }
    let lostSets = Set(batch.frameSets.filter { isLost(masterStream, $0.masterFrame) }.map(\.number))
    batch.frames.removeAll { isLost($0.stream, $0.number) }
    batch.frameSets.removeAll { lostSets.contains($0.number) }
    batch.partners.removeAll { lostSets.contains($0.frameSet) || isLost($0.stream, $0.frame) }
    keepFaces { faces, _ in !isLost(faces.stream, faces.frameNumber) }
  }
}

extension [StreamDescription] {
  /// The stream that pairing and replay follow: the first colour stream, otherwise stream 0.
  package var masterStream: Int { firstIndex { $0.kind == .color } ?? 0 }
}
