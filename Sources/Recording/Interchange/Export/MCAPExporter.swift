import ChunkFormat
import FrameModel
import RecordingStore
import Support

/// Exports a recording as an MCAP file for Foxglove, Lichtblick and Rerun. Colour is rgb8, grey
/// mono8 or mono16, JPEG unchanged, depth 16UC1 millimetres (not registered), faces annotations.
package final class MCAPExporter: RecordingExporter {
  private let frames: ExportFrames
  private let file: ExportFile
  private var writer: FoxgloveFileWriter<ExportFile>
  /// Channel in the file by stream index.
  private let channels: [Int: Int]
  private let master: Int?
  /// The next page of frame sets, read for their faces.
  private var page: ArraySlice<FrameSetEntry> = []
  private var nextSet = 0
  private let setCount: Int
  private static let pageLength = 256

  package init(_ recording: Recording, to path: String, part: FrameSelection?) throws(RetakeError) {
    let streams = try ExportStreams.withPictures(recording)
    frames = try ExportFrames(recording, streams: streams, part: part, keepsCounts: true, needsDistinctTimes: false)
    master = frames.hasFaces && streams.contains(recording.masterStream) ? recording.masterStream : nil
    setCount = try recording.frameSetCount()
    channels = Dictionary(uniqueKeysWithValues: zip(streams, streams.indices))
    file = try ExportFile(path: path)
    writer = try FoxgloveFileWriter(
      to: file, identity: recording.identity, streams: streams.map { recording.streams[$0] },
      facesOf: master.flatMap { streams.firstIndex(of: $0) })
  }

  package var frameCount: Int { frames.frameCount }

  package func run(progress: (Int) -> Bool) throws(RetakeError) -> ExportReport {
    while let (frame, _) = try frames.next() {
      let nanoseconds = frames.clock.nanoseconds(frame.timestamps.presentation)
      if try export(frame, nanoseconds), frame.stream == master, let faces = try faces(of: frame.number) {
        try writer.append(faces: faces, nanoseconds: nanoseconds)
      }
      guard progress(frames.metCount) else { break }
    }
    try writer.finish()
    try file.publish()
    return frames.report
  }

  private func export(_ frame: Frame, _ nanoseconds: Int64) throws(RetakeError) -> Bool {
    guard let stream = channels[frame.stream] else { return false }
    let (width, height) = (frame.layout.width, frame.layout.height)
    if let converter = frames.converter(frame.stream) {
      // Host order, which is little-endian on all supported machines.
      let samples = FramePictures.millimeters(frame, by: converter)
      try samples.withRawBytes { bytes throws(RetakeError) in
        try writer.append(
          pixels: bytes, .depth16, width: width, height: height, stream: stream, nanoseconds: nanoseconds)
      }
      return true
    }
    switch frame.layout.format {
    case .jpeg:
      guard FramePictures.isReadableJPEG(frame) else {
        frames.leaveOut(frame)
        return false
      }
      try writer.append(jpeg: frame.bytes, stream: stream, nanoseconds: nanoseconds)
    case .grey16:
      try writer.append(
        pixels: frame.bytes, .mono16, width: width, height: height, stream: stream, nanoseconds: nanoseconds)
    case .grey8:
      try writer.append(
        pixels: frame.bytes, .mono8, width: width, height: height, stream: stream, nanoseconds: nanoseconds)
    default:
      try FramePictures.rgb(frame, by: frames.matrix(frame.stream)).withRawBytes { bytes throws(RetakeError) in
        try writer.append(pixels: bytes, .rgb8, width: width, height: height, stream: stream, nanoseconds: nanoseconds)
      }
    }
    return true
  }

  /// - Returns: nil for a frame without a frame set, or one that the detector skipped.
  private func faces(of number: Int) throws(RetakeError) -> [FaceObservation]? {
    while true {
      if page.isEmpty {
        guard nextSet < setCount else { return nil }
        let range = nextSet..<min(setCount, nextSet + Self.pageLength)
        page = ArraySlice(try frames.recording.frameSets(range))
        nextSet = range.upperBound
      }
      guard let entry = page.first else { continue }
      if entry.master.number > number { return nil }
      page.removeFirst()
      if entry.master.number == number { return entry.isSkippedForFaces ? nil : entry.faces }
    }
  }
}
