import ChunkFormat
import DequeModule
import FrameModel

/// Decides which finished chunk files of a ring are removed. Depends on frames and marks alone, so that equal input
/// makes equal recordings.
struct ChunkRing {
  /// A finished chunk file and the rows of the index that go with it.
  struct File: Sendable {
    var number: Int
    var byteCount: Int
    /// Presentation times of its frames, and of frames whose faces it has; nil for a file without either.
    var span: ClosedRange<Int64>?
    var frameCounts: [Int]
    var frameSets: ClosedRange<Int>?
    /// Faces of frames in an earlier file.
    var strayFaces: [(stream: Int, frame: Int)] = []
    var hasMarks: Bool
    var rowCount: Int
  }

  let options: RingOptions
  private let largestFileByteCount: Int
  /// Finished files that no mark is known to keep, in order.
  private var files: Deque<File> = []
  private var finishedByteCount = 0
  private var rowCount = 0
  /// An index does not shrink, so its size follows the largest number of rows.
  private var largestRowCount = 0
  private var keptSpans: [ClosedRange<Int64>] = []
  private var latest = Int64.min
  /// Frames of each stream that were removed.
  private(set) var removedFrameCounts: [Int]

  /// Upper bounds of the index's size: of its write-ahead log, and of a row in the index and in the copy of it that a
  /// repair makes.
  private static let logByteCount = 8 << 20
  private static let rowByteCount = 400

  init(_ options: RingOptions, chunkFileByteCount: Int, streamCount: Int) {
    self.options = options
    largestFileByteCount =
      chunkFileByteCount + ChunkFileWriter<PartialFile>.chunkByteCountTarget + RecorderOptions.endingByteCount
    removedFrameCounts = Array(repeating: 0, count: streamCount)
  }

  mutating func add(_ batch: IndexBatch, number: Int, byteCount: Int) {
    let times = batch.frames.map(\.timestamps.presentation.nanoseconds)
    let all = times + batch.faces.map(\.presentation.nanoseconds)
    let sets = batch.frameSets.map(\.number)
    var file = File(
      number: number, byteCount: byteCount, span: all.min().map { $0...all.max()! },
      frameCounts: removedFrameCounts.map { _ in 0 }, frameSets: sets.min().map { $0...sets.max()! },
      hasMarks: !batch.marks.isEmpty, rowCount: batch.frames.count + batch.faces.count + batch.events.count)
    var own: Set<[Int]> = []
    for row in batch.frames {
      file.frameCounts[row.stream] += 1
      own.insert([row.stream, row.number])
    }
    for message in batch.faces {
      file.rowCount += message.faces.count
      guard !own.contains([message.stream, message.frameNumber]) else { continue }
      file.strayFaces.append((message.stream, message.frameNumber))
    }
    files.append(file)
    finishedByteCount += byteCount
    rowCount += file.rowCount
    largestRowCount = max(largestRowCount, rowCount)
    if let last = times.max() { latest = max(latest, last) }
  }

  /// Keeps what is round a mark, as far as it is there.
  mutating func keep(_ mark: Mark) {
    let time = mark.presentation.nanoseconds
    keptSpans.append(time - options.prerollNanoseconds...time + options.postrollNanoseconds)
  }

  /// Whether one more chunk file fits, and the copy of it that a repair after a crash makes.
  var hasRoom: Bool { fits(fileCount: 2) }

  private func fits(fileCount: Int) -> Bool {
    guard let limit = options.byteCount else { return true }
    let indexByteCount = Self.logByteCount + largestRowCount * Self.rowByteCount
    return finishedByteCount + fileCount * largestFileByteCount + indexByteCount <= limit
  }

  /// Removes files from the account, the oldest first, until one more fits than `hasRoom` asks for, and all are young
  /// enough.
  /// - Returns: the files that the caller must remove.
  mutating func takeSuperfluous() -> [File] {
    var taken: [File] = []
    while let file = files.first {
      let isTooOld = options.nanoseconds.map { ns in file.span.map { $0.upperBound < latest - ns } ?? false } ?? false
      guard isTooOld || !fits(fileCount: 3) else { break }
      files.removeFirst()
      guard !isKept(file) else { continue }
      finishedByteCount -= file.byteCount
      rowCount -= file.rowCount
      for stream in file.frameCounts.indices { removedFrameCounts[stream] += file.frameCounts[stream] }
      taken.append(file)
    }
    return taken
  }

  private func isKept(_ file: File) -> Bool {
    guard !file.hasMarks else { return true }
    guard let span = file.span else { return false }
    return keptSpans.contains { $0.overlaps(span) }
  }
}
