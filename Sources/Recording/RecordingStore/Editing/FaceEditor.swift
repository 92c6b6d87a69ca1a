import ChunkFormat
import FrameModel
import Support

/// Looks for faces in a recording that is finished, and enters them. As with marks nothing lives only in the index: what was
/// seen goes into chunk files of its own, behind the others, and takes the place of what earlier files say.
package struct FaceEditor {
  package struct Report: Hashable, Sendable {
    package var counts = FaceCounts()
    /// Frames of the stream.
    package var frameCount = 0
    /// What was known before and is no longer.
    package var replaced: [RecordingSummary.Faces] = []
    /// It was stopped: the frames behind those looked at are as they were.
    package var isStopped = false
  }

  private let recording: Recording
  private let observer: any FaceObserver
  private let stream: Int
  private let depthStream: Int?
  private let appender: ChunkFileAppender
  private let prefetcher: FramePrefetcher
  private var report = Report()
  /// Number of the frame that was looked at last.
  private var lastLooked = -1

  /// Messages in a chunk file: what waits in memory, and what is lost when this is killed.
  private static let messagesInAFile = 20_000
  private static let pageLength = 256

  /// - Parameters:
  ///   - observer: made for the stream and its `faceDepthStream(of:)`.
  ///   - stream: a colour stream; nil for the recording's `faceStream`.
  ///   - replaces: whether what is known of faces may be replaced.
  ///   - threadCount: decoders; they change the time it takes and nothing else.
  ///   - progress: called after each frame with their number done and in all; false stops it.
  /// - Throws: `.unsupported` when there is no colour, or faces are known and may not be replaced; when a recorder is at work
  ///   on the folder, it is in need of a repair, or it cannot be written to.
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
    appender = try ChunkFileAppender(recording, on: fileSystem, refused: "no faces can be entered")
    let known = try appender.index.read { try IndexDatabase.faceCounts($0) }.filter { $0.stream == stream }
    if let first = known.max(by: { $0.lookedCount < $1.lookedCount }), !replaces {
      throw RetakeError(
        .unsupported, "\(path) has faces already: \(first.detector) looked at \(first.lookedCount) frames.",
        hint: "--replace puts new ones in their place")
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

  /// A frame on its way from the decoders.
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
        // What was requested must be taken: the decoders serve one caller in order.
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
    // Damage costs one frame; it is skipped, and what was known of it goes with the rest.
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

  /// - Returns: nil for what is damaged.
  /// - Throws: what else keeps a frame from being read: that is no reason to forget what is known of it.
  private func taken(_ frame: Planned) throws(RetakeError) -> (color: FramePicture?, depth: FramePicture?) {
    guard frame.isWhole else { return (nil, nil) }
    // Both, before either is looked at: the decoders serve one caller in order.
    let color = next()
    let depth = frame.hasDepth ? next() : nil
    return (try Self.picture(color), try depth.flatMap { depth throws(RetakeError) in try Self.picture(depth) })
  }

  private func drain(_ frame: Planned) {
    guard frame.isWhole else { return }
    _ = next()
    if frame.hasDepth { _ = next() }
  }

  private func next() -> Result<Frame, RetakeError> {
    Result { () throws(RetakeError) in try prefetcher.next() }
  }

  private static func picture(_ frame: Result<Frame, RetakeError>) throws(RetakeError) -> FramePicture? {
    do throws(RetakeError) {
      return FramePicture(try frame.get())
    } catch {
      guard error.code == .corrupt else { throw error }
      return nil
    }
  }

  /// One chunk file.
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

/// Frame sets by their master frames, asked for in order; a page of the index at a time.
private struct FrameSetWalk {
  private let recording: Recording
  private var page: ArraySlice<FrameSetEntry> = []
  private var nextNumber = 0
  private static let pageLength = 256

  init(_ recording: Recording) { self.recording = recording }

  /// - Returns: nil for a frame that belongs to no set: one that is damaged or came twice.
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
