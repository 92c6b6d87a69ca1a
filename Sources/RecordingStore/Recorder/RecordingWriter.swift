import ChunkFormat
import FrameModel
import FrameSync
import Glibc

/// Turns captured frames into chunk files and index rows. Lives on the recorder's writer thread; knows no queue and no
/// device.
///
/// Frames are admitted in the order in which they came, encoded on several threads, and written in that order.
final class RecordingWriter {
  private let folder: RecordingFolder
  private let streams: [StreamDescription]
  private let options: RecorderOptions
  private let index: IndexDatabase
  private let finisher: ChunkFinisher
  private let encoders: EncoderPool
  private var admission: FrameAdmission
  private var sets: FrameSetBuilder
  private var files: ChunkFileSequence?
  /// What waits for the encoders, in order.
  private var pending: [Pending] = []
  private var pendingHead = 0
  /// For each stream, the frames of late that were encoded with less effort.
  private var cheaper: [FrameEvent?]
  private(set) var status: RecorderStatus

  private enum Pending {
    case event(FrameEvent)
    case frame(FrameMessage, stream: Int, faces: [FaceObservation])
  }

  init(
    folder: RecordingFolder, streams: [StreamDescription], index: IndexDatabase, options: RecorderOptions
  ) throws(RetakeError) {
    self.folder = folder
    self.streams = streams
    self.options = options
    self.index = index
    finisher = ChunkFinisher(index: index)
    encoders = try EncoderPool(threadCount: options.encoderThreadCount)
    admission = FrameAdmission(streams: streams)
    sets = FrameSetBuilder(streams: streams)
    cheaper = streams.map { _ in nil }
    status = RecorderStatus(streamCount: streams.count)
  }

  deinit { encoders.end() }

  // MARK: From the queue

  /// - Parameters:
  ///   - droppedBefore: frames of this stream that the queue had no room for since its last one.
  ///   - queueFill: 0 to 1. Where the queue fills, frames are encoded with less effort, before one has to be dropped.
  func write(_ frame: CapturedFrame, stream: Int, droppedBefore: Int, queueFill: Double) throws(RetakeError) {
    do throws(RetakeError) {
      while encoders.isFull { try writePending(waits: true) }
    } catch {
      lose(stream: stream)
      throw error
    }
    let admitted = admission.admit(
      frame, stream: stream, droppedBefore: droppedBefore, end: options.durationNanoseconds)
    try beginIfNeeded()
    guard let admitted else {
      status.endedStreams.insert(stream)
      return
    }
    pending += admitted.events.map { .event($0) }
    let effort: EncodingEffort = queueFill < 0.5 ? .best : queueFill < 0.8 ? .fast : .raw
    noteEffort(effort, stream: stream, admitted)
    encoders.submit(frame, effort: effort)
    // Codec, length and checksum come from the encoder.
    let message = FrameMessage(
      number: admitted.number, layout: frame.layout.packed, byteCount: 0, deviceSequence: frame.deviceSequence,
      timestamps: admitted.timestamps, flags: admitted.flags, codec: .raw, checksum: 0)
    pending.append(.frame(message, stream: stream, faces: frame.faces))
    try writePending(waits: false)
  }

  /// Frames in a row that were encoded with less effort are one event, when they end.
  private func noteEffort(_ effort: EncodingEffort, stream: Int, _ admitted: FrameAdmission.Admitted) {
    if effort == .best { return endCheaper(stream: stream) }
    if cheaper[stream] == nil {
      cheaper[stream] = FrameEvent(
        stream: stream, stage: .encoder, reason: .cheaperCodec, frameNumber: admitted.number, count: 0,
        presentation: admitted.timestamps.presentation)
    }
    cheaper[stream]!.count += 1
  }

  private func endCheaper(stream: Int) {
    if let event = cheaper[stream] { pending.append(.event(event)) }
    cheaper[stream] = nil
  }

  func write(_ loss: CaptureLoss, stream: Int) throws(RetakeError) {
    let event = admission.admit(loss, stream: stream)
    try beginIfNeeded()
    pending.append(.event(event))
    try writePending(waits: false)
  }

  /// Writes everything that waits, finishes the last chunk file, waits for the disk and closes the index.
  /// - Parameter droppedAtEnd: of each stream, frames that the queue dropped after the last one it took.
  func close(droppedAtEnd: [Int]) throws(RetakeError) {
    for stream in streams.indices { endCheaper(stream: stream) }
    while pendingHead < pending.count { try writePending(waits: true) }
    if files != nil {
      for (stream, count) in droppedAtEnd.enumerated() where count > 0 {
        try store(
          FrameEvent(
            stream: stream, stage: .queue, reason: .dropped, frameNumber: admission.nextNumber(stream: stream),
            count: count, presentation: status.presentation))
      }
    }
    try closeFiles()
  }

  /// Ends the recording after a failure: keeps all that was written and can still be finished.
  func salvage(droppedAtEnd: [Int]) {
    while pendingHead < pending.count {
      let item = pending[pendingHead]
      pendingHead += 1
      guard case .frame(let message, let stream, _) = item else { continue }
      // Taken from its encoder so that the next one's is the oldest.
      _ = try? encoders.takeOldest(waits: true) { _ in }
      files?.lose(stream: stream, number: message.number, at: message.timestamps.presentation)
      countLoss(stream: stream)
    }
    files?.dropUnwritten()
    do throws(RetakeError) {
      try closeFiles()
    } catch {
      // The failure that led here is the one to report; what is on the disk stays there.
      finisher.wait()
      try? index.close()
    }
  }

  /// Counts a frame that was captured and can no longer be written.
  func lose(stream: Int) {
    countLoss(stream: stream)
    files?.batch.events.append(
      FrameEvent(
        stream: stream, stage: .disk, reason: .dropped, frameNumber: admission.nextNumber(stream: stream), count: 1,
        presentation: status.presentation))
  }

  private func countLoss(stream: Int) { status.dropped[.disk]![stream] += 1 }

  private func closeFiles() throws(RetakeError) {
    if files != nil {
      sets.finish(into: &files!.batch)
      files!.batch.clockOffsets = admission.clockOffsets
      let known = files!.unwritten.count
      defer { noteUnwritten(from: known) }
      try files!.endFile()
    }
    finisher.wait()
    if let failure = finisher.failure { throw failure }
    try index.markClosed()
    try index.close()
  }

  // MARK: To the files

  /// Writes what is ready, in order; the oldest in any case when `waits`.
  private func writePending(waits: Bool) throws(RetakeError) {
    var waits = waits
    while pendingHead < pending.count {
      switch pending[pendingHead] {
      case .event(let event):
        pendingHead += 1
        try store(event)
      case .frame(let message, let stream, let faces):
        let written: Bool? = try encoders.takeOldest(waits: waits) { encoded throws(RetakeError) in
          pendingHead += 1
          waits = false
          try store(encoded, message, stream: stream, faces: faces)
          return true
        }
        if written == nil { return }
      }
    }
    pending.removeAll(keepingCapacity: true)
    pendingHead = 0
  }

  private func store(_ event: FrameEvent) throws(RetakeError) {
    try files!.append(event)
    status.note(event)
  }

  private func store(
    _ encoded: EncodedFrame, _ message: FrameMessage, stream: Int, faces: [FaceObservation]
  ) throws(RetakeError) {
    var message = message
    message.codec = encoded.codec
    message.byteCount = encoded.byteCount
    message.checksum = encoded.checksum
    let known = files!.unwritten.count
    do throws(RetakeError) {
      files!.batch.clockOffsets = admission.clockOffsets
      try encoded.payload.withRawBytes { payload throws(RetakeError) in
        try files!.append(message, payload: payload, stream: stream, faces: faces)
      }
    } catch {
      files!.lose(stream: stream, number: message.number, at: message.timestamps.presentation)
      countLoss(stream: stream)
      files!.dropUnwritten()
      noteUnwritten(from: known)
      throw error
    }
    sets.add(
      stream: stream, number: message.number, time: message.timestamps.presentation, flags: message.flags,
      to: &files!.batch)
    status.rawByteCount += encoded.byteCount
    status.storedByteCount += encoded.payload.count
    status.frameCounts[stream] += 1
    status.presentation = max(status.presentation, message.timestamps.presentation)
  }

  /// Frames that were counted as written and did not reach the file after all.
  private func noteUnwritten(from known: Int) {
    for row in files!.unwritten[known...] {
      status.frameCounts[row.stream] -= 1
      countLoss(stream: row.stream)
    }
  }

  /// The first thing to record begins the time line.
  private func beginIfNeeded() throws(RetakeError) {
    guard files == nil, let origin = admission.origin else { return }
    var generator = SystemRandomNumberGenerator()
    let identity = RecordingIdentity(
      id: options.id ?? Self.hex(generator.next()) + Self.hex(generator.next()),
      wallClockNanoseconds: options.wallClockNanoseconds ?? Self.wallClock(of: origin), monotonicOrigin: origin)
    try index.insert(identity, streams: streams)
    files = ChunkFileSequence(
      folder: folder, streams: streams, options: options, finisher: finisher, identity: identity)
  }

  private static func hex(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func wallClock(of host: MonotonicTime) -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let wall = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    return wall - (MonotonicTime.now().nanoseconds - host.nanoseconds)
  }
}
