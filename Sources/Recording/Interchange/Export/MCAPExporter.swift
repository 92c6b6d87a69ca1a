import ChunkFormat
import FrameModel
import RecordingStore
import Support

/// Exports a recording as an MCAP file, with Foxglove's messages or those of ROS 2. Colour is rgb8, grey
/// mono8 or mono16, JPEG unchanged, depth 16UC1 millimetres (not registered), faces annotations (ROS 2:
/// left out). Streams with intrinsics have camera calibrations.
package final class MCAPExporter: RecordingExporter {
  package enum Profile: String, CaseIterable, Sendable { case foxglove, ros2 }

  private let frames: ExportFrames
  private let file: ExportFile
  private var writer: any PictureMessageWriter
  /// Channel in the file by stream index.
  private let channels: [Int: Int]
  private let master: Int?
  /// The next page of frame sets, read for their faces.
  private var page: ArraySlice<FrameSetEntry> = []
  private var nextSet = 0
  private let setCount: Int
  private static let pageLength = 256

  package init(_ recording: Recording, to path: String, part: FrameSelection?, profile: Profile = .foxglove)
    throws(RetakeError)
  {
    let streams = try ExportStreams.withPictures(recording)
    frames = try ExportFrames(recording, streams: streams, part: part, keepsCounts: true, needsDistinctTimes: false)
    master =
      profile == .foxglove && frames.hasFaces && streams.contains(recording.masterStream) ? recording.masterStream : nil
    setCount = try recording.frameSetCount()
    channels = Dictionary(uniqueKeysWithValues: zip(streams, streams.indices))
    file = try ExportFile(path: path)
    // Alignment that was estimated later is told as a stream's setting, as in a trimmed copy.
    let all = recording.streams(recording.streams, telling: try recording.alignment())
    let descriptions = streams.map { all[$0] }
    let clock = frames.clock
    let notes = ExportedNotes(
      tags: try recording.tags(),
      marks: try frames.marks.map { mark throws(RetakeError) in
        try Mark(
          label: mark.label, presentation: PresentationTime(nanoseconds: clock.nanoseconds(mark.presentation)))
      }
    ).records
    switch profile {
    case .foxglove:
      writer = try FoxgloveFileWriter(
        to: file, identity: recording.identity, streams: descriptions,
        facesOf: master.flatMap { streams.firstIndex(of: $0) }, notes: notes)
    case .ros2:
      writer = try ROSFileWriter(to: file, identity: recording.identity, streams: descriptions, notes: notes)
    }
    let kept: Set<ExportedPart> = [.marks, .tags, .note, .alignment]
    try frames.leaveOutParts(except: master == nil ? kept : kept.union([.faces]))
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
    guard frame.layout.format != .jpeg else {
      guard ExportFrames.isReadableJPEG(frame) else {
        frames.leaveOut(frame)
        return false
      }
      try writer.append(jpeg: frame.bytes, stream: stream, nanoseconds: nanoseconds)
      return true
    }
    let encoding: PictureEncoding =
      switch ExportFrames.samples(of: frame.layout.format) {
      case .rgb8: .rgb8
      case .grey8: .mono8
      case .grey16: frames.isInMillimeters(frame.stream) ? .depth16 : .mono16
      }
    try frames.withPixels(frame) { bytes throws(RetakeError) in
      try writer.append(
        pixels: bytes, encoding, width: frame.layout.width, height: frame.layout.height, stream: stream,
        nanoseconds: nanoseconds)
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
