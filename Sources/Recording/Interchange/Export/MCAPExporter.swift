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
  /// Streams whose faces are exported, each with one page of its face results.
  private var faces: [Int: FacePage]

  package init(_ recording: Recording, to path: String, part: FrameSelection?, profile: Profile = .foxglove)
    throws(RetakeError)
  {
    let streams = try ExportStreams.withPictures(recording)
    frames = try ExportFrames(recording, streams: streams, part: part, keepsCounts: true, needsDistinctTimes: false)
    let searched = profile == .foxglove ? Set(try recording.faceCounts().map(\.stream)).intersection(streams) : []
    faces = Dictionary(uniqueKeysWithValues: searched.map { ($0, FacePage(recording, stream: $0)) })
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
        facesOf: streams.indices.filter { searched.contains(streams[$0]) }, notes: notes)
    case .ros2:
      writer = try ROSFileWriter(to: file, identity: recording.identity, streams: descriptions, notes: notes)
    }
    let kept: Set<ExportedPart> = [.marks, .tags, .note, .alignment]
    try frames.leaveOutParts(except: profile == .ros2 ? kept : kept.union([.faces]))
  }

  package var frameCount: Int { frames.frameCount }

  package func run(progress: (Int) -> Bool) throws(RetakeError) -> ExportReport {
    while let (frame, _) = try frames.next() {
      let nanoseconds = frames.clock.nanoseconds(frame.timestamps.presentation)
      if try export(frame, nanoseconds), let found = try faces[frame.stream]?.faces(of: frame.number) {
        try writer.append(faces: found, stream: channels[frame.stream]!, nanoseconds: nanoseconds)
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
}
