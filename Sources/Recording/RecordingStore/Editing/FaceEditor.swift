import ChunkFormat
import FrameModel
import Support

/// Detects faces in a finished recording. The results go into new chunk files, since nothing is
/// stored only in the index, and replace those in earlier files.
package struct FaceEditor {
  package struct Report: Hashable, Sendable {
    package var counts = FaceCounts()
    package var frameCount = 0
    /// Earlier results that this run replaces.
    package var replaced: [RecordingSummary.Faces] = []
    /// Whether `progress` stopped the run. Later frames keep their earlier results.
    package var isStopped = false
  }

  private let recording: Recording
  private let observer: any FaceObserver
  private let stream: Int
  private let depthStream: Int?
  private let appender: ChunkFileAppender
  private let prefetcher: FramePrefetcher
  private var report = Report()
  private var lastLooked = -1

  /// Messages in a chunk file. Bounds memory use, and the loss when the process is killed.
  private static let messagesInAFile = 20_000
  private static let pageLength = 256

  /// - Parameters:
  ///   - observer: created for the stream and its `faceDepthStream(of:)`.
  ///   - stream: a colour stream; nil selects the recording's `faceStream`.
  ///   - threadCount: decoder threads. Affects only speed.
  ///   - progress: called after each frame with those done and in total; false stops the run.
  /// - Throws: `.unsupported` when there is no colour stream, or results exist and may not be
  ///   replaced; when a recorder uses the folder, or it needs a repair or cannot be written to.
  package static func run(
    _ recording: Recording, _ observer: any FaceObserver, stream: Int? = nil, replaces: Bool, threadCount: Int = 1,
    fileSystem: any FileSystem = RealFileSystem(), progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Report {
    let lock = try FolderLock(recording.folder)
    defer { withExtendedLifetime(lock) {} }
    var editor = try FaceEditor(
      recording, observer, stream, replaces: replaces, threadCount: threadCount, fileSystem)
    return try editor.run(progress)
  }

  private init(
    _ recording: Recording, _ observer: any FaceObserver, _ stream: Int?, replaces: Bool, threadCount: Int,
    _ fileSystem: any FileSystem
  ) throws(RetakeError) {
    let path = recording.folder.path
    let stream = if let stream { stream } else { try recording.streams.faceStream(named: nil, in: path) }
    self.recording = recording
    self.observer = observer
    self.stream = stream
    depthStream = recording.streams.faceDepthStream(of: stream)
    appender = try ChunkFileAppender(recording, on: fileSystem, refused: "no faces can be added")
    let known = try appender.index.read { try IndexDatabase.faceCounts($0) }.filter { $0.stream == stream }
    if let first = known.max(by: { $0.lookedCount < $1.lookedCount }), !replaces {
      throw RetakeError(
        .unsupported, "\(path) already has faces: \(first.detector) examined \(first.lookedCount) frames.",
        hint: "use --replace to replace them")
    }
    prefetcher = try FramePrefetcher(recording, threadCount: threadCount, limit: 2 * (threadCount + 2))
    report.replaced = known
    report.frameCount = try recording.summary().streams[stream].frameCount
  }

  private mutating func run(_ progress: (Int, Int) -> Bool) throws(RetakeError) -> Report {
    try appender.begin()
    var messages: [FacesMessage] = []
    var sets = FrameSetWalk(recording)
    var nextNumber = 0
    while !report.isStopped {
      let rows = try recording.frameRows(stream: stream, from: nextNumber, limit: Self.pageLength)
      guard let last = rows.last else { break }
      nextNumber = last.number + 1
      try look(at: rows, &sets, &messages, progress)
      if messages.count >= Self.messagesInAFile { try write(&messages) }
    }
    try write(&messages)
    try appender.finish()
    return report
  }

  private struct Planned {
    var row: FrameRow
    var isWhole: Bool
    var hasDepth: Bool
  }

  private mutating func look(
    at rows: [FrameRow], _ sets: inout FrameSetWalk, _ messages: inout [FacesMessage], _ progress: (Int, Int) -> Bool
  ) throws(RetakeError) {
    var planned: [Planned] = []
    var next = 0
    while next < rows.count || !planned.isEmpty {
      while next < rows.count, prefetcher.room >= 2 {
        let row = rows[next]
        let depth = try depthStream.flatMap { depth throws(RetakeError) in
          try sets.entry(ofMasterFrame: row.number)?.partner(stream: depth)
        }
        let isWhole = !row.flags.contains(.damaged) && !row.flags.contains(.duplicate)
        if isWhole {
          prefetcher.request(row)
          if let depth { prefetcher.request(depth) }
        }
        planned.append(Planned(row: row, isWhole: isWhole, hasDepth: depth != nil))
        next += 1
      }
      let message = try look(at: planned.removeFirst())
      report.counts.note(message)
      messages.append(message)
      guard progress(report.counts.lookedCount + report.counts.skippedCount, report.frameCount) else {
        report.isStopped = true
        // Every requested frame must be taken: the prefetcher returns them in order.
        for frame in planned { drain(frame) }
        return
      }
    }
  }

  private mutating func look(at frame: Planned) throws(RetakeError) -> FacesMessage {
    var message = FacesMessage(
      stream: stream, frameNumber: frame.row.number, presentation: frame.row.timestamps.presentation, faces: [],
      detector: observer.detector, isSkipped: true)
    let pictures = try taken(frame)
    // A damaged frame is skipped, and its earlier results are replaced like the others.
    guard let color = pictures.color else { return message }
    do throws(RetakeError) {
      observer.skip(frame.row.number - lastLooked - 1)
      lastLooked = frame.row.number
      message.faces = try observer.faces(in: color, depth: pictures.depth)
      message.isSkipped = false
    } catch {
      guard error.code == .corrupt else { throw error }
    }
    return message
  }

  /// - Returns: nil for a damaged picture.
  /// - Throws: other read errors, so that earlier results are kept.
  private func taken(_ frame: Planned) throws(RetakeError) -> (color: FramePicture?, depth: FramePicture?) {
    guard frame.isWhole else { return (nil, nil) }
    // Both are taken before either is examined: the prefetcher returns frames in order.
    let color = prefetcher.next()
    let depth = frame.hasDepth ? prefetcher.next() : nil
    return (try Self.picture(color), try depth.flatMap { depth throws(RetakeError) in try Self.picture(depth) })
  }

  private func drain(_ frame: Planned) {
    guard frame.isWhole else { return }
    _ = prefetcher.next()
    if frame.hasDepth { _ = prefetcher.next() }
  }

  private static func picture(_ frame: Result<Frame, RetakeError>) throws(RetakeError) -> FramePicture? {
    do throws(RetakeError) {
      return FramePicture(try frame.get())
    } catch {
      guard error.code == .corrupt else { throw error }
      return nil
    }
  }

  private func write(_ messages: inout [FacesMessage]) throws(RetakeError) {
    guard !messages.isEmpty else { return }
    var batch = IndexBatch()
    batch.faces = messages
    try appender.append(number: recording.folder.nextChunkFileNumber(), batch) { writer throws(RetakeError) in
      for message in messages { try writer.append(message) }
    }
    messages = []
  }
}

/// Finds frame sets by ascending master frame number, a page of the index at a time.
private struct FrameSetWalk {
  private let recording: Recording
  private var page: ArraySlice<FrameSetEntry> = []
  private var nextNumber = 0
  private static let pageLength = 256

  init(_ recording: Recording) { self.recording = recording }

  /// - Returns: nil for a frame in no set, such as a damaged or duplicate frame.
  mutating func entry(ofMasterFrame number: Int) throws(RetakeError) -> FrameSetEntry? {
    while true {
      if page.isEmpty {
        page = ArraySlice(try recording.frameSets(nextNumber..<nextNumber + Self.pageLength))
        nextNumber += Self.pageLength
      }
      guard let first = page.first else { return nil }
      if first.master.number > number { return nil }
      page.removeFirst()
      if first.master.number == number { return first }
    }
  }
}
