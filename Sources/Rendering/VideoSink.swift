import FrameModel
import MattePipeline
import VideoFiles

/// A video file of a tap's pictures, encoded by ffmpeg. The file's ending picks its container.
package final class VideoSink: RenderSink {
  private let process: FFmpegProcess
  private let picture: TapPicture

  /// - Throws: `.childProcess` when there is no ffmpeg.
  package init(path: String, tap: Tap, sizes: PipelineSizes, rate: FrameRate) throws(RetakeError) {
    picture = TapPicture(tap, sizes)
    let size = picture.size
    process = try FFmpegProcess(
      RawVideo(.rgb8, width: size.width, height: size.height, rate: rate), .quick, to: path, name: path)
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    let plane = picture.plane(of: output)
    try process.write(plane.bytes)
    withExtendedLifetime(plane) {}
  }

  package func finish() throws(RetakeError) { try process.finish() }
}
