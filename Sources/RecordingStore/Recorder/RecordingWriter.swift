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
  /// Why the recording cannot go on. From then on frames and events are accounted for and not written.
  private(set) var failure: RetakeError?

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
  func write(_ frame: CapturedFrame, stream: Int, droppedBefore: Int, queueFill: Double) {
    while encoders.isFull { writePending(waits: true) }
    let admitted = admission.admit(
      frame, stream: stream, droppedBefore: droppedBefore, end: options.durationNanoseconds)
    begin()
    guard let admitted else {
      if droppedBefore > 0 { noteQueueDrops(droppedBefore, stream: stream) }
      status.endedStreams.insert(stream)
      return
    }
    pending += admitted.events.map { .event($0) }
    let effort: EncodingEffort = queueFill < 0.5 ? .best : queueFill < 0.8 ? .fast : .raw
    noteEffort(effort, stream: stream, admitted)
    encoders.submit(frame, effort: failure == nil ? effort : .raw)
    // Codec, length and checksum come from the encoder.
    let message = FrameMessage(
      number: admitted.number, layout: frame.layout.packed, byteCount: 0, deviceSequence: frame.deviceSequence,
      timestamps: admitted.timestamps, flags: admitted.flags, codec: .raw, checksum: 0)
    pending.append(.frame(message, stream: stream, faces: frame.faces))
    writePending(waits: false)
  }

  func write(_ loss: CaptureLoss, stream: Int) {
    guard !status.endedStreams.contains(stream) else { return }
    let event = admission.admit(loss, stream: stream)
    begin()
    pending.append(.event(event))
    writePending(waits: false)
  }

  /// Writes everything that waits, finishes the last chunk file, waits for the disk and closes the index. After a failure
  /// it keeps all that was written and can still be finished.
  /// - Parameter droppedAtEnd: of each stream, frames that the queue dropped after the last one it took.
  func close(droppedAtEnd: [Int]) {
    for stream in streams.indices { endCheaper(stream: stream) }
    for (stream, count) in droppedAtEnd.enumerated() where count > 0 { noteQueueDrops(count, stream: stream) }
    while pendingHead < pending.count { writePending(waits: true) }
    if files != nil {
      sets.finish(into: &files!.batch)
      files!.batch.clockOffsets = admission.clockOffsets
      do throws(RetakeError) {
        // After a failure too: what reached the file can be finished.
        try files!.endFile()
      } catch {
        fail(error)
      }
    }
    finisher.wait()
    if let error = finisher.failure { fail(error) }
    do throws(RetakeError) {
      // An index that lacks a file is left open, which says that there is something to recover.
      if finisher.failure == nil && files?.isEveryFilePublished != false { try index.markClosed() }
      try index.close()
    } catch {
      fail(error)
    }
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

  /// Drops that no frame of the stream came after. Those behind the stream's end are nobody's loss.
  private func noteQueueDrops(_ count: Int, stream: Int) {
    guard !status.endedStreams.contains(stream) else { return }
    pending.append(
      .event(
        FrameEvent(
          stream: stream, stage: .queue, reason: .dropped, frameNumber: admission.nextNumber(stream: stream),
          count: count, presentation: status.presentation)))
  }

  // MARK: To the files

  /// Writes what is ready, in order; the oldest in any case when `waits`.
  private func writePending(waits: Bool) {
    var waits = waits
    while pendingHead < pending.count {
      switch pending[pendingHead] {
      case .event(let event): store(event)
      case .frame(let message, let stream, let faces):
        let isDone = encoders.takeOldest(waits: waits) { store($0, message, stream: stream, faces: faces) } != nil
        guard isDone else { return compactPending() }
        waits = false
      }
      pendingHead += 1
    }
    compactPending()
  }

  /// What was written leaves the list; not one by one, which would move the rest each time.
  private func compactPending() {
    guard pendingHead == pending.count || pendingHead >= 64 else { return }
    pending.removeFirst(pendingHead)
    pendingHead = 0
  }

  private func store(_ event: FrameEvent) {
    status.note(event)
    // After a failure there is no file to write to; the index can still say it.
    if !attempt({ files throws(RetakeError) in try files.append(event) }) { files?.batch.events.append(event) }
  }

  private func store(_ encoded: EncodedFrame, _ message: FrameMessage, stream: Int, faces: [FaceObservation]) {
    var message = message
    message.codec = encoded.codec
    message.byteCount = encoded.byteCount
    message.checksum = encoded.checksum
    let time = message.timestamps.presentation
    let isStored = attempt { files throws(RetakeError) in
      files.batch.clockOffsets = admission.clockOffsets
      try encoded.payload.withRawBytes { payload throws(RetakeError) in
        try files.append(message, payload: payload, stream: stream, faces: faces)
      }
    }
    guard isStored else {
      files?.lose(stream: stream, number: message.number, at: time)
      status.dropped[.disk]![stream] += 1
      return
    }
    sets.add(stream: stream, number: message.number, time: time, flags: message.flags, to: &files!.batch)
    status.rawByteCount += encoded.byteCount
    status.storedByteCount += encoded.payload.count
    status.frameCounts[stream] += 1
    status.presentation = max(status.presentation, time)
  }

  /// Does something with the files, unless something failed before.
  /// - Returns: whether it was done.
  private func attempt(_ body: (inout ChunkFileSequence) throws(RetakeError) -> Void) -> Bool {
    guard failure == nil, files != nil else { return false }
    do throws(RetakeError) {
      try body(&files!)
      return true
    } catch {
      fail(error)
      return false
    }
  }

  /// The first failure ends the recording. What had been handed to the open file and did not reach it is lost.
  private func fail(_ error: RetakeError) {
    if failure == nil { failure = error }
    guard files != nil else { return }
    files!.dropUnwritten()
    for row in files!.takeUnwritten() {
      status.frameCounts[row.stream] -= 1
      status.dropped[.disk]![row.stream] += 1
    }
  }

  /// The first thing to record begins the time line.
  private func begin() {
    guard files == nil, failure == nil, let origin = admission.origin else { return }
    let identity = RecordingIdentity(
      id: options.id ?? (0..<2).map { _ in UInt64.random(in: .min ... .max).zeroPadded(16, radix: 16) }.joined(),
      wallClockNanoseconds: options.wallClockNanoseconds ?? Self.wallClock(of: origin), monotonicOrigin: origin)
    do throws(RetakeError) {
      try index.insert(identity, streams: streams)
    } catch {
      return fail(error)
    }
    files = ChunkFileSequence(
      folder: folder, streams: streams, options: options, finisher: finisher, identity: identity)
  }

  private static func wallClock(of host: MonotonicTime) -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let wall = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    return wall - (MonotonicTime.now().nanoseconds - host.nanoseconds)
  }
}
