import ChunkFormat
import FrameModel
import FrameSync
import Glibc

/// Turns captured frames into chunk files and index rows. Lives on the recorder's writer thread; knows no queue and no
/// device.
final class RecordingWriter {
  private let folder: RecordingFolder
  private let streams: [StreamDescription]
  private let options: RecorderOptions
  private let finisher: ChunkFinisher
  private let index: IndexDatabase
  private let encoder: FrameEncoder

  private var identity: RecordingIdentity?
  private var ledgers: [StreamLedger]
  private var unwrappers: [TickUnwrapper]
  /// Streams of one device that share a clock share its mapping: their delays differ, their clock does not.
  private var mappers: [ClockMapper]
  private let mapperOfStream: [Int]
  private var sets: FrameSetBuilder
  /// Frames of each stream that were lost since its last one and are accounted for.
  private var accountedLosses: [Int]

  private var file: ChunkFileWriter<PartialFile>?
  private var fileNumber = 0
  private var fileStart = PresentationTime(nanoseconds: 0)
  private var batch = IndexBatch()
  private var packedScratch: [UInt8] = []
  /// Frames that were encoded and then could not be written.
  private var lost: Set<FrameKey> = []
  private struct FrameKey: Hashable {
    var stream: Int
    var number: Int
  }
  private(set) var status: RecorderStatus

  init(
    folder: RecordingFolder, streams: [StreamDescription], index: IndexDatabase, options: RecorderOptions
  ) throws(RetakeError) {
    self.folder = folder
    self.streams = streams
    self.options = options
    self.index = index
    finisher = ChunkFinisher(index: index)
    encoder = try FrameEncoder()
    ledgers = streams.enumerated().map { StreamLedger(stream: $0.offset, rate: $0.element.rate) }
    unwrappers = streams.map { TickUnwrapper(bits: $0.clock.bits) }
    var mappers: [ClockMapper] = []
    var known: [(device: String, clock: TickClock)] = []
    mapperOfStream = streams.map { stream in
      if let found = known.firstIndex(where: { $0.device == stream.device && $0.clock == stream.clock }) {
        return found
      }
      known.append((stream.device, stream.clock))
      mappers.append(ClockMapper(clock: stream.clock))
      return known.count - 1
    }
    self.mappers = mappers
    sets = FrameSetBuilder(streams: streams)
    accountedLosses = streams.map { _ in 0 }
    status = RecorderStatus(streamCount: streams.count)
  }

  // MARK: From the queue

  func write(_ frame: CapturedFrame, stream: Int, droppedBefore: Int) throws(RetakeError) {
    let tick = frame.deviceTick.map { unwrappers[stream].unwrap($0) }
    let mapper = mapperOfStream[stream]
    let host = tick.map { mappers[mapper].hostTime(ofTick: $0, arrival: frame.arrival) } ?? frame.arrival
    let origin = try beginIfNeeded(at: host)
    let time = PresentationTime(nanoseconds: host.nanoseconds - origin.nanoseconds)
    if let end = options.durationNanoseconds, time.nanoseconds >= end {
      status.endedStreams.insert(stream)
      return
    }
    accountedLosses[stream] += droppedBefore
    let skipped = accountedLosses[stream]
    accountedLosses[stream] = 0
    let admitted = ledgers[stream].admit(
      sequence: frame.deviceSequence, tick: tick, flags: frame.flags, accountedLosses: skipped, time: time,
      arrival: PresentationTime(nanoseconds: frame.arrival.nanoseconds - origin.nanoseconds))
    try openFileIfNeeded(at: admitted.presentation)
    if droppedBefore > 0 {
      try record(
        FrameEvent(
          stream: stream, stage: .queue, reason: .dropped, frameNumber: admitted.number, count: droppedBefore,
          presentation: admitted.presentation))
    }
    for event in admitted.events { try record(event) }

    let timestamps = FrameTimestamps(
      deviceTick: frame.deviceTick, unwrappedTick: tick, arrival: frame.arrival,
      presentation: admitted.presentation)
    try store(
      frame, stream: stream, number: admitted.number, timestamps: timestamps, flags: admitted.flags)
    sets.add(
      stream: stream, number: admitted.number, time: admitted.presentation, flags: admitted.flags, to: &batch)
    status.frameCounts[stream] += 1
    status.presentation = max(status.presentation, admitted.presentation)
  }

  func write(_ loss: CaptureLoss, stream: Int) throws(RetakeError) {
    accountedLosses[stream] += loss.count
    // Before the first frame there is no time line yet: it then starts with this loss.
    let origin = try beginIfNeeded(at: loss.arrival)
    let time = PresentationTime(nanoseconds: loss.arrival.nanoseconds - origin.nanoseconds)
    try openFileIfNeeded(at: time)
    try record(
      FrameEvent(
        stream: stream, stage: .device, reason: loss.reason, frameNumber: ledgers[stream].frameNumber,
        count: loss.count, presentation: time))
  }

  /// Finishes the last chunk file, waits for the disk and closes the index.
  /// - Parameter droppedAtEnd: of each stream, frames that the queue dropped after the last one it took.
  func close(droppedAtEnd: [Int]) throws(RetakeError) {
    if identity != nil {
      for (stream, count) in droppedAtEnd.enumerated() where count > 0 {
        try openFileIfNeeded(at: status.presentation)
        try record(
          FrameEvent(
            stream: stream, stage: .queue, reason: .dropped, frameNumber: ledgers[stream].frameNumber,
            count: count, presentation: status.presentation))
      }
      sets.finish(into: &batch)
      try endFile()
    }
    finisher.wait()
    if let failure = finisher.failure { throw failure }
    try index.markClosed()
    try index.close()
  }

  // MARK: Frames

  private func store(
    _ frame: CapturedFrame, stream: Int, number: Int, timestamps: FrameTimestamps, flags: FrameFlags
  ) throws(RetakeError) {
    let bytes = frame.packedBytes(scratch: &packedScratch)
    let message = FrameMessage(
      number: number, layout: frame.layout.packed, byteCount: bytes.count,
      deviceSequence: frame.deviceSequence, timestamps: timestamps, flags: flags, codec: .raw,
      checksum: Checksum.xxh3(bytes))
    let place = try encoder.encode(bytes, layout: frame.layout) { codec, payload throws(RetakeError) in
      var message = message
      message.codec = codec
      status.rawByteCount += bytes.count
      status.storedByteCount += payload.count
      return try file!.append(message, payload: payload, stream: stream)
    }
    if !frame.faces.isEmpty {
      let faces = FacesMessage(
        stream: stream, frameNumber: number, presentation: timestamps.presentation, faces: frame.faces)
      try file!.append(faces)
      batch.faces.append(faces)
    }
    batch.frames.append(
      FrameRow(
        stream: stream, number: number, deviceSequence: frame.deviceSequence, timestamps: timestamps,
        flags: flags, chunkFile: fileNumber, place: place, byteCount: bytes.count,
        checksum: message.checksum))
  }

  private func record(_ event: FrameEvent) throws(RetakeError) {
    try file!.append(event)
    batch.events.append(event)
    status.note(event)
  }

  // MARK: Files

  /// The first frame sets the origin of the time line.
  private func beginIfNeeded(at host: MonotonicTime) throws(RetakeError) -> MonotonicTime {
    if let identity { return identity.monotonicOrigin }
    var generator = SystemRandomNumberGenerator()
    let identity = RecordingIdentity(
      id: options.id ?? Self.hex(generator.next()) + Self.hex(generator.next()),
      wallClockNanoseconds: options.wallClockNanoseconds ?? Self.wallClock(of: host), monotonicOrigin: host)
    try index.insert(identity, streams: streams)
    self.identity = identity
    return host
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

  private func openFileIfNeeded(at time: PresentationTime) throws(RetakeError) {
    if let file {
      let isOld = time.nanoseconds - fileStart.nanoseconds >= options.chunkFileNanoseconds
      guard isOld || file.byteCount >= options.chunkFileByteCount else { return }
      try endFile()
    }
    if let failure = finisher.failure { throw failure }
    try checkDiskSpace()
    let partial = try PartialFile(
      finalPath: folder.chunkFilePath(fileNumber), folderPath: folder.chunksPath)
    file = try ChunkFileWriter(to: partial, identity: identity!, streams: streams, fileNumber: fileNumber)
    fileStart = time
  }

  private func checkDiskSpace() throws(RetakeError) {
    guard let space = folder.diskSpace() else { return }
    status.freeByteCount = space.free
    let floor = options.floorByteCount(diskByteCount: space.total)
    guard space.free > floor else {
      throw RetakeError(
        .diskFull,
        "The disk of \(folder.path) has \(space.free >> 20) MiB left, and \(floor >> 20) MiB are kept free.",
        hint: "free some space, write to another disk with --output, or lower --keep-free")
    }
  }

  /// Hands the open file to the finisher. When its last bytes could not be written, the file is finished without them
  /// and the error goes on to the caller.
  private func endFile() throws(RetakeError) {
    guard var ending = file else { return }
    file = nil
    var failure: RetakeError?
    do throws(RetakeError) {
      try ending.flush()
    } catch {
      failure = error
    }
    dropUnwritten(after: ending.byteCount)
    try ending.finish()
    batch.chunkFile = (fileNumber, ending.byteCount)
    batch.clockOffsets = mapperOfStream.map { mappers[$0].offsetNanoseconds }
    finisher.finish(ending.sink, batch)
    batch = IndexBatch()
    fileNumber += 1
    if let failure { throw failure }
  }

  /// After a failed write: frames that did not reach the file leave the batch and are counted as lost. They are the
  /// last of their streams, since nothing is written after a failure, so the frame sets that stay keep their numbers.
  private func dropUnwritten(after byteCount: Int) {
    for row in batch.frames where row.place.offset >= byteCount {
      lost.insert(FrameKey(stream: row.stream, number: row.number))
      status.frameCounts[row.stream] -= 1
      let event = FrameEvent(
        stream: row.stream, stage: .disk, reason: .dropped, frameNumber: row.number, count: 1,
        presentation: row.timestamps.presentation)
      status.note(event)
      batch.events.append(event)
    }
    guard !lost.isEmpty else { return }
    let isLost = { [lost] stream, number in lost.contains(FrameKey(stream: stream, number: number)) }
    let lostSets = Set(batch.frameSets.filter { isLost(sets.master, $0.masterFrame) }.map(\.number))
    batch.frames.removeAll { isLost($0.stream, $0.number) }
    batch.frameSets.removeAll { lostSets.contains($0.number) }
    batch.partners.removeAll { lostSets.contains($0.frameSet) || isLost($0.stream, $0.frame) }
    batch.faces.removeAll { isLost($0.stream, $0.frameNumber) }
  }

  /// Counts a frame that was captured and can no longer be written.
  func lose(stream: Int) {
    let event = FrameEvent(
      stream: stream, stage: .disk, reason: .dropped, frameNumber: ledgers[stream].frameNumber, count: 1,
      presentation: status.presentation)
    status.note(event)
    batch.events.append(event)
  }

  /// Ends the recording after a failure: keeps all that was written and can still be finished.
  func salvage(droppedAtEnd: [Int]) {
    if let byteCount = file?.byteCount { dropUnwritten(after: byteCount) }
    do throws(RetakeError) {
      try close(droppedAtEnd: droppedAtEnd)
    } catch {
      // The failure that led here is the one to report; what is on the disk stays there.
      finisher.wait()
      try? index.close()
    }
  }
}

extension CapturedFrame {
  /// The frame's bytes without padding at the end of rows. Points into the buffer, or into `scratch` after a copy.
  fileprivate func packedBytes(scratch: inout [UInt8]) -> UnsafeRawBufferPointer {
    let used = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<byteCount])
    if layout.format == .jpeg || layout.isPacked { return used }
    let packed = layout.packed
    // A damaged frame may end early: only its whole rows are kept.
    let rows = min(layout.rowCount, byteCount / layout.bytesPerRow)
    if scratch.count < packed.byteCount { scratch = [UInt8](repeating: 0, count: packed.byteCount) }
    return scratch.withUnsafeMutableBytes { target in
      for row in 0..<rows {
        let line = used[row * layout.bytesPerRow..<row * layout.bytesPerRow + packed.bytesPerRow]
        UnsafeMutableRawBufferPointer(rebasing: target[(row * packed.bytesPerRow)...]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: line))
      }
      return UnsafeRawBufferPointer(rebasing: target[..<(rows * packed.bytesPerRow)])
    }
  }
}
