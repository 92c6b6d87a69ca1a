import FrameModel
import Media
import RecordingStore
import Support

/// One stream of a recording as a video file of constant rate. Where a frame is missing the one before is shown longer,
/// so that everything happens when it happened; videos of several streams begin at the same time.
package final class VideoExporter: RecordingExporter {
  package enum Container: String, CaseIterable, Sendable { case mkv, mp4 }

  private let frames: ExportFrames
  /// Before the file, so that it is gone when the file is.
  private let process: FFmpegProcess
  private let file: ExportFile
  private let stream: Int
  private var timeline: VideoTimeline
  /// What is shown until the next frame.
  private var shown: [UInt8] = []
  /// Pictures for one gap at most, ten minutes at 60 a second: what claims more would fill the disk with one picture.
  private static let longestGap = 36_000

  /// Begins the file.
  /// - Parameter rate: pictures per second; the stream's own where nil.
  /// - Throws: `.unsupported` for depth in MP4, whose samples have 8 bits.
  package init(
    _ recording: Recording, to path: String, stream: Int, part: FrameSelection?, container: Container,
    depth: DepthSamples,
    rate: FrameRate?
  ) throws(RetakeError) {
    try ExportStreams.check(stream, of: recording, depth: depth)
    let description = recording.streams[stream]
    let layout = description.layout
    let samples: RawVideo.Samples =
      switch FramePictures.samples(of: layout.format) {
      case .rgb8: .rgb8
      case .grey8: .grey8
      case .grey16: .grey16
      }
    guard container == .mkv || samples != .grey16 else {
      throw RetakeError(
        .unsupported, "Stream '\(description.name)' has samples of 16 bits, and H.264 in MP4 has 8.",
        hint: "name a file that ends in .mkv, which keeps them all")
    }
    self.stream = stream
    let rate = rate ?? description.rate
    frames = try ExportFrames(recording, streams: [stream], part: part, depth: depth, needsDistinctTimes: false)
    // A video is of one stream; that it lacks the others is no news.
    frames.report.leftOutStreams = []
    timeline = VideoTimeline(rate: rate, start: frames.start)
    file = try ExportFile(path: path)
    process = try FFmpegProcess(
      RawVideo(samples, width: layout.width, height: layout.height, rate: rate),
      container == .mkv ? .lossless : .h264, to: file.partialPath, name: path)
  }

  package var frameCount: Int { frames.frameCount }

  package func run(progress: (Int) -> Bool) throws(RetakeError) -> ExportReport {
    while let (frame, _) = try frames.next() {
      try export(frame)
      guard progress(frames.metCount) else { break }
    }
    guard frames.frameCount > 0, !shown.isEmpty else {
      throw RetakeError(
        .unsupported, "Stream '\(frames.recording.streams[stream].name)' has no whole frame there to make a video of.",
        hint: "'retake info' says what the recording holds")
    }
    try process.finish()
    try file.publish()
    return frames.report
  }

  private func export(_ frame: Frame) throws(RetakeError) {
    let isFirst = shown.isEmpty
    let pixels: [UInt8]
    do throws(RetakeError) {
      pixels = try FramePictures.withPixels(frame, frames.matrix(stream), frames.converter(stream)) { Array($0) }
    } catch {
      guard error.code == .corrupt else { throw error }
      return frames.leaveOut(frame)
    }
    guard let gap = timeline.place(frame.timestamps.presentation) else {
      // What the device sent twice is there once.
      if !frame.flags.contains(.duplicate) { frames.report.surplusCount += 1 }
      return frames.takeBack(frame)
    }
    guard gap <= Self.longestGap else {
      throw RetakeError(
        .unsupported,
        "Before frame \(frame.number) of stream '\(frames.recording.streams[stream].name)', \(gap) pictures are "
          + "missing; \(Self.longestGap) can be bridged.",
        hint: "export what lies before and behind with --from and --to, or lower --rate")
    }
    // Nothing was shown before the first frame, so it is itself seen from the start.
    if isFirst { shown = pixels }
    try shown.withRawBytes { bytes throws(RetakeError) in
      for _ in 0..<gap { try process.write(bytes) }
    }
    frames.report.heldCount += gap
    shown = pixels
    try shown.withRawBytes { bytes throws(RetakeError) in try process.write(bytes) }
  }
}
