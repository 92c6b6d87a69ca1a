import ChunkFormat
import FrameModel
import Kernels
import Media
import RecordingStore
import Support

/// Exports a recording as folders of PNGs, one per stream: `color/000000.png` is frame 0 of stream
/// 'color'. In each folder, `frames.csv` has a line per frame, with an empty file name for one that
/// is left out. `streams.json` describes the samples.
package final class PNGExporter: RecordingExporter {
  private let frames: ExportFrames
  private let folder: ExportFolder
  private let lists: [Int: LineFile]
  private let runner: BandRunner
  /// Limits of a batch that is encoded together, large enough that threads seldom wait.
  private static let batchByteCount = 128 << 20
  private static let batchLengthPerThread = 4

  /// - Parameter threadCount: threads that encode; the output does not depend on it.
  package init(
    _ recording: Recording, to path: String, streams: [Int], part: FrameSelection?, depth: DepthSamples,
    threadCount: Int
  ) throws(RetakeError) {
    for stream in streams {
      try ExportStreams.check(stream, of: recording, depth: depth)
      try ExportStreams.checkIsFileName(recording.streams[stream].name)
    }
    runner = BandRunner(threadCount: threadCount)
    frames = try ExportFrames(recording, streams: streams, part: part, depth: depth, needsDistinctTimes: false)
    // Streams that were not requested do not count as left out.
    frames.report.leftOutStreams = recording.streams.filter { !ExportStreams.hasPictures($0.layout.format) }.map(\.name)
    try frames.leaveOutParts(except: [.alignment])
    folder = try ExportFolder(path: path)
    var lists: [Int: LineFile] = [:]
    for stream in streams {
      let name = recording.streams[stream].name
      try folder.makeFolder(name)
      let list = try LineFile("\(name)/\(PNGFolder.listName)", in: folder)
      try list.append(PNGFolder.listHeader)
      lists[stream] = list
    }
    self.lists = lists
    let identity = recording.identity
    // Alignment that was estimated later is a stream's setting, as in a trimmed copy.
    let all = recording.streams(recording.streams, telling: try recording.alignment())
    let described = PNGFolder(
      wallClockNanoseconds: identity.wallClockNanoseconds, monotonicOrigin: identity.monotonicOrigin,
      streams: try streams.map { index throws(RetakeError) in
        try Self.written(all[index], inMillimeters: frames.isInMillimeters(index))
      })
    try folder.write(Array((described.json.text + "\n").utf8), to: PNGFolder.fileName)
  }

  /// The description of a stream with the samples of its PNGs.
  private static func written(_ stream: StreamDescription, inMillimeters: Bool) throws(RetakeError)
    -> StreamDescription
  {
    var stream = stream
    let recorded = stream.layout.packed
    let format: PixelFormat =
      switch ExportFrames.samples(of: recorded.format) {
      case .rgb8: .rgb24
      case .grey8: .grey8
      case .grey16: inMillimeters ? .depthMillimeters16 : recorded.format
      }
    stream.layout = try FrameLayout(format, width: recorded.width, height: recorded.height)
    if inMillimeters { stream.settings.removeAll { $0.name == StreamDescription.depthUnit } }
    return stream
  }

  package var frameCount: Int { frames.frameCount }

  package func run(progress: (Int) -> Bool) throws(RetakeError) -> ExportReport {
    repeat {
      let batch = try nextBatch()
      guard !batch.isEmpty else { break }
      for (met, failure) in zip(batch, write(batch)) { try list(met, failure) }
    } while progress(frames.metCount)
    for list in lists.values { try list.flush() }
    try folder.finish()
    return frames.report
  }

  private func nextBatch() throws(RetakeError) -> [ExportFrames.Met] {
    var batch: [ExportFrames.Met] = []
    var byteCount = 0
    while batch.count < runner.threadCount * Self.batchLengthPerThread, byteCount < Self.batchByteCount,
      let met = try frames.nextMet()
    {
      byteCount += met.frame?.byteCount ?? 0
      batch.append(met)
    }
    return batch
  }

  /// - Returns: for each frame, why it has no file; nil if it has one or needs none.
  private func write(_ batch: [ExportFrames.Met]) -> [RetakeError?] {
    var failures = [RetakeError?](repeating: nil, count: batch.count)
    failures.withUnsafeMutableBufferPointer { failures in
      runner.run(rowCount: batch.count) { part in
        for position in part {
          guard let frame = batch[position].frame else { continue }
          do throws(RetakeError) {
            try write(frame)
          } catch {
            failures[position] = error
          }
        }
      }
    }
    return failures
  }

  private func write(_ frame: Frame) throws(RetakeError) {
    let layout = frame.layout
    let file = try frames.withPixels(frame) { bytes throws(RetakeError) in
      try PNGEncoder.encode(
        bytes, width: layout.width, height: layout.height, as: ExportFrames.samples(of: layout.format))
    }
    let name = frames.recording.streams[frame.stream].name
    try folder.write(file, to: "\(name)/\(Self.fileName(frame.number))")
  }

  private static func fileName(_ number: Int) -> String { "\(number.zeroPadded(6)).png" }

  private func list(_ met: ExportFrames.Met, _ failure: RetakeError?) throws(RetakeError) {
    var file = met.frame.map { Self.fileName($0.number) } ?? ""
    if let failure, let frame = met.frame {
      guard failure.code == .corrupt else { throw failure }
      frames.leaveOut(frame)
      file = ""
    }
    let times = met.row.timestamps
    let tick = times.deviceTick.map { "\($0)" } ?? ""
    try lists[met.row.stream]?.append(
      "\(met.row.number),\(times.presentation.nanoseconds),\(times.arrival.nanoseconds),\(tick),"
        + "\(met.row.flags.rawValue),\(file)")
  }
}
