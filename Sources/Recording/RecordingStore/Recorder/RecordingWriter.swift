import ChunkFormat
import DequeModule
import FrameModel
import FrameSync
import Glibc
import Support

/// Encodes captured frames and passes them on to be written. Used only by the recorder's writer
/// thread; independent of the queue and of devices.
///
/// Frames are admitted in arrival order, encoded on several threads, and passed in the same order
/// to the thread that writes the files.
package final class RecordingWriter {
  private let streams: [StreamDescription]
  private let options: RecorderOptions
  private let fileSystem: any FileSystem
  private let encoders: EncoderPool
  private var admission: FrameAdmission
  let output: EntryWriter
  private let backlog: Backlog?
  /// Encoded bytes that may wait for the disk before this writer blocks.
  private var outputByteLimit = waitingDeviceByteLimit
  /// The limit for sources that can block. It is small because they produce as fast as the writer
  /// consumes.
  private static let waitingDeviceByteLimit = 32 << 20
  private let faces: FaceRecording
  private let faceWatch: FaceWatch?
  private var hasBegun = false
  private var endedStreams: Set<Int> = []
  private var lastPresentation = PresentationTime(nanoseconds: 0)
  private var pending: Deque<Pending> = []
  /// By stream, the current run of frames that were encoded with less effort.
  private var cheaper: [FrameEvent?]
  private var earlyMarks: [(label: String, time: MonotonicTime?)] = []

  private enum Pending {
    case entry(RecordEntry)
    /// A frame in the encoder pool; the first in `pending` is the pool's oldest.
    case frame(FrameAdmission.Admitted, layout: FrameLayout, deviceSequence: UInt64?, stream: Int, rawByteCount: Int)
  }

  /// Creates the folder and its index.
  /// - Parameter folder: nil to hold what the mark window holds until `open`.
  /// - Throws: when the folder is not empty or cannot be written, or the disk is nearly full.
  package init(
    _ folder: RecordingFolder?, streams: [StreamDescription], options: RecorderOptions, fileSystem: any FileSystem,
    faces: FaceRecording = .device, backlog: Backlog? = nil
  ) throws(RetakeError) {
    let encoders = try EncoderPool(threadCount: options.encoderThreadCount)
    self.encoders = encoders
    self.faces = faces
    self.backlog = backlog
    let faceWatch = FaceWatch(faces)
    self.faceWatch = faceWatch
    let parts = try folder.map { folder throws(RetakeError) in
      try RecordingParts(folder, streams: streams, options: options, fileSystem: fileSystem, faceWatch: faceWatch)
    }
    self.streams = streams
    self.options = options
    self.fileSystem = fileSystem
    admission = FrameAdmission(streams: streams)
    cheaper = streams.map { _ in nil }
    output = EntryWriter(
      parts, window: options.markWindow.map { MarkWindow($0, streamCount: streams.count) }, streamCount: streams.count,
      onWritten: { payload in
        backlog?.leave(byteCount: payload.capacity)
        encoders.recycle(payload)
      })
  }

  /// Creates the folder of a writer that was made without one, on any thread. Throws as `init`.
  var opening: @Sendable (RecordingFolder) throws(RetakeError) -> Void {
    { [streams, options, fileSystem, faceWatch, output] folder throws(RetakeError) in
      output.open(
        try RecordingParts(folder, streams: streams, options: options, fileSystem: fileSystem, faceWatch: faceWatch))
    }
  }

  var status: RecorderStatus {
    var own = RecorderStatus(streamCount: 0)
    own.presentation = lastPresentation
    own.endedStreams = endedStreams
    own.faceDetector = faceWatch?.detector
    own.faceFailure = faceWatch?.failure
    return own.updated(with: output.status)
  }
  package var failure: RetakeError? { output.status.failure }

  // MARK: From the queue

  /// - Parameters:
  ///   - droppedBefore: frames of this stream that the queue dropped since the stream's last frame.
  ///   - effort: nil: for a live device as the backlog requires, otherwise `.best`.
  package func write(
    _ frame: CapturedFrame, stream: Int, droppedBefore: Int, isLive: Bool, effort given: EncodingEffort? = nil
  ) {
    let byLoad = backlog?.beginEncoding() ?? .best
    let effort = given ?? (isLive ? byLoad : .best)
    outputByteLimit = isLive ? options.waitingByteCount : Self.waitingDeviceByteLimit
    while encoders.isFull { writePending(waits: true) }
    let soFar = output.status
    let isEnded = soFar.isFull
    let admitted =
      isEnded
      ? nil
      : admission.admit(frame, stream: stream, droppedBefore: droppedBefore, end: options.durationNanoseconds)
    begin()
    guard let admitted else {
      if droppedBefore > 0 && !isEnded { noteQueueDrops(droppedBefore, stream: stream) }
      endedStreams.insert(stream)
      backlog?.leave(rawByteCount: frame.byteCount)
      return
    }
    pending += admitted.events.map { .entry(.event($0)) }
    noteEffort(effort, stream: stream, admitted)
    encoders.submit(frame, effort: soFar.failure == nil ? effort : .raw)
    pending.append(
      .frame(
        admitted, layout: frame.layout.packed, deviceSequence: frame.deviceSequence, stream: stream,
        rawByteCount: frame.byteCount))
    noteFaces(frame, admitted, stream: stream, isLive: isLive)
    lastPresentation = max(lastPresentation, admitted.timestamps.presentation)
    writePending(waits: false)
  }

  private func noteFaces(
    _ frame: CapturedFrame, _ admitted: FrameAdmission.Admitted, stream: Int, isLive: Bool
  ) {
    let presentation = admitted.timestamps.presentation
    if !frame.faces.isEmpty && faces.keepsDeviceFaces(ofStream: stream) {
      let seen = FacesMessage(
        stream: stream, frameNumber: admitted.number, presentation: presentation, faces: frame.faces)
      pending.append(.entry(.faces(seen)))
    }
    guard let faceWatch, failure == nil else { return }
    faceWatch.offer(frame, number: admitted.number, at: presentation, stream: stream, isLive: isLive)
    pending += faceWatch.takeResults().map { .entry(.faces($0)) }
  }

  package func write(_ loss: CaptureLoss, stream: Int) {
    guard !endedStreams.contains(stream) else { return }
    let event = admission.admit(loss, stream: stream)
    begin()
    pending.append(.entry(.event(event)))
    writePending(waits: false)
  }

  /// Adds a mark at `time`; nil: at the latest frame.
  package func mark(_ label: String, at time: MonotonicTime?) {
    guard let origin = admission.origin else { return earlyMarks.append((label, time)) }
    // A mark from before the first frame is the recording's start.
    let presentation =
      time.map { PresentationTime(nanoseconds: max(0, $0.nanoseconds - origin.nanoseconds)) } ?? lastPresentation
    // The label was already validated by `Recorder.mark`.
    guard let mark = try? Mark(label: label, presentation: presentation) else { return }
    pending.append(.entry(.mark(mark)))
    writePending(waits: false)
  }

  /// Writes everything that waits in memory, so that a crash cannot lose it. Called when no input
  /// has come for a while.
  func flush() {
    if let faceWatch { pending += faceWatch.takeResults().map { .entry(.faces($0)) } }
    drain()
    output.flush()
  }

  private func drain() { while !pending.isEmpty { writePending(waits: true) } }

  /// Writes everything that waits, finishes the last chunk file, waits for the disk and closes the
  /// index. After a failure, everything already written is kept and still finished if possible.
  /// - Parameter droppedAtEnd: by stream, frames dropped by the queue after the last one.
  package func close(droppedAtEnd: [Int]) {
    for stream in streams.indices { endCheaper(stream: stream) }
    pending += admission.finish().map { .entry(.event($0)) }
    for (stream, count) in droppedAtEnd.enumerated() where count > 0 { noteQueueDrops(count, stream: stream) }
    if let faceWatch { pending += faceWatch.finish().map { .entry(.faces($0)) } }
    drain()
    output.close()
  }

  /// Reports consecutive frames that were encoded with less effort as one event, when the run ends.
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
    if let event = cheaper[stream] { pending.append(.entry(.event(event))) }
    cheaper[stream] = nil
  }

  /// Reports drops that no later frame of the stream carries. Drops after the end of the duration
  /// are not losses.
  private func noteQueueDrops(_ count: Int, stream: Int) {
    guard !endedStreams.contains(stream) else { return }
    let event = FrameEvent(
      stream: stream, stage: .queue, reason: .dropped, frameNumber: admission.nextNumber(stream: stream), count: count,
      presentation: lastPresentation)
    pending.append(.entry(.event(event)))
  }

  // MARK: To the files

  /// Passes on finished entries in order. With `waits`, waits for the oldest frame.
  private func writePending(waits: Bool) {
    var waits = waits
    while let next = pending.first {
      switch next {
      case .entry(let entry): output.write(entry, byteLimit: outputByteLimit)
      case .frame(let admitted, let layout, let deviceSequence, let stream, let rawByteCount):
        guard let encoded = encoders.takeOldest(waits: waits) else { return }
        backlog?.endEncoding(rawByteCount: rawByteCount, byteCount: encoded.payload.capacity)
        let message = FrameMessage(
          number: admitted.number, layout: layout, byteCount: encoded.byteCount, deviceSequence: deviceSequence,
          timestamps: admitted.timestamps, flags: admitted.flags, codec: encoded.codec, checksum: encoded.checksum)
        output.write(.frame(message, payload: encoded.payload, stream: stream), byteLimit: outputByteLimit)
        waits = false
      }
      pending.removeFirst()
    }
  }

  /// Starts the time line once the first frame or loss has set the origin.
  private func begin() {
    guard !hasBegun, let origin = admission.origin else { return }
    hasBegun = true
    output.begin(
      RecordingIdentity(
        id: options.id ?? (0..<2).map { _ in UInt64.random(in: .min ... .max).zeroPadded(16, radix: 16) }.joined(),
        wallClockNanoseconds: options.wallClockNanoseconds ?? Self.wallClock(of: origin), monotonicOrigin: origin))
    for early in earlyMarks { mark(early.label, at: early.time) }
    earlyMarks = []
  }

  private static func wallClock(of host: MonotonicTime) -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let wall = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    return wall - (MonotonicTime.now().nanoseconds - host.nanoseconds)
  }
}
