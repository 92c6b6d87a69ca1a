import FrameModel
import Kernels
import Media
import RecordingStore
import Support

/// Exports a stream as a video of constant frame rate. Where a frame is missing, the one before is
/// repeated, so that timing is kept. Videos of several streams begin at the same time.
package final class VideoExporter: RecordingExporter {
  package enum Container: String, CaseIterable, Sendable { case mkv, mp4 }

  private let frames: ExportFrames
  /// Declared before `file`, so that ffmpeg has ended when the file is deleted.
  private let process: FFmpegProcess
  private let file: ExportFile
  private let stream: Int
  private var timeline: VideoTimeline
  /// The picture to repeat until the next frame.
  private var shown: [UInt8] = []
  /// Longest gap, in pictures: ten minutes at 60 per second. A longer one would fill the disk.
  private static let longestGap = 36_000

  /// - Parameter rate: pictures per second; nil for the stream's own rate.
  /// - Throws: `.unsupported` for 16-bit samples in MP4, which has 8 bits.
  package init(
    _ recording: Recording, to path: String, stream: Int, part: FrameSelection?, container: Container,
    depth: DepthSamples, rate: FrameRate?
  ) throws(RetakeError) {
    try ExportStreams.check(stream, of: recording, depth: depth)
    let description = recording.streams[stream]
    let layout = description.layout
    let samples = ExportFrames.samples(of: layout.format)
    guard container == .mkv || samples != .grey16 else {
      throw RetakeError(
        .unsupported, "Stream '\(description.name)' has samples of 16 bits, but H.264 in MP4 has only 8.",
        hint: description.kind == .depth
          ? "to look at depth: 'retake replay \(recording.folder.path) --tap depth --output \(path)'; for all 16 bits a "
            + "name that ends in .mkv (FFV1), or 'retake export png'"
          : "choose a file name that ends in .mkv, which keeps all 16 bits")
    }
    self.stream = stream
    let rate = rate ?? description.rate
    frames = try ExportFrames(recording, streams: [stream], part: part, depth: depth, needsDistinctTimes: false)
    // A video holds one stream, so neither the others nor anything else counts as left out.
    frames.report.leftOutStreams = []
    timeline = VideoTimeline(rate: rate, start: frames.start)
    file = try ExportFile(path: path)
    process = try FFmpegProcess(
      RawVideo(samples, width: layout.width, height: layout.height, rate: rate),
      container == .mkv ? .lossless : .h264, to: file.partialPath, name: path,
      trackTags: samples == .grey16 ? Self.unitTag(description, depth) : [])
  }

  /// States the unit of depth, so that an import need not ask for it.
  private static func unitTag(_ stream: StreamDescription, _ depth: DepthSamples) -> [String] {
    guard DepthConverter.isDepth(stream) else { return [] }
    let isMillimeters = depth == .millimeters || stream.layout.format == .depthMillimeters16
    guard let unit = isMillimeters ? "1000" : stream.settings[StreamDescription.depthUnit] else { return [] }
    return ["\(DepthUnit.tag)=\(unit)"]
  }

  package var frameCount: Int { frames.frameCount }

  package func run(progress: (Int) -> Bool) throws(RetakeError) -> ExportReport {
    while let (frame, _) = try frames.next() {
      try export(frame)
      guard progress(frames.metCount) else { break }
    }
    guard frames.frameCount > 0, !shown.isEmpty else {
      throw RetakeError(
        .unsupported, "Stream '\(frames.recording.streams[stream].name)' has no intact frame in the selected part.",
        hint: "'retake info' shows what the recording contains")
    }
    try process.finish()
    try file.publish()
    return frames.report
  }

  private func export(_ frame: Frame) throws(RetakeError) {
    let isFirst = shown.isEmpty
    let pixels: [UInt8]
    do throws(RetakeError) {
      pixels = try frames.withPixels(frame) { Array($0) }
    } catch {
      guard error.code == .corrupt else { throw error }
      return frames.leaveOut(frame)
    }
    guard let gap = timeline.place(frame.timestamps.presentation) else {
      // A duplicate is already shown, so it does not count as left out.
      if !frame.flags.contains(.duplicate) { frames.report.surplusCount += 1 }
      return frames.takeBack(frame)
    }
    guard gap <= Self.longestGap else {
      throw RetakeError(
        .unsupported,
        "Before frame \(frame.number) of stream '\(frames.recording.streams[stream].name)', \(gap) pictures are "
          + "missing; at most \(Self.longestGap) can be filled.",
        hint: "export the parts before and after the gap with --from and --to, or lower --rate")
    }
    // The first frame itself fills the gap before it.
    if isFirst { shown = pixels }
    try shown.withRawBytes { bytes throws(RetakeError) in
      for _ in 0..<gap { try process.write(bytes) }
    }
    frames.report.heldCount += gap
    shown = pixels
    try shown.withRawBytes { bytes throws(RetakeError) in try process.write(bytes) }
  }
}
