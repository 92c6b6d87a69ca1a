import FrameModel
import MattePipeline
import VideoFiles

/// A video file of a tap's pictures, encoded by ffmpeg. The file's ending picks its container.
package final class VideoSink: RenderSink {
  private let process: FFmpegProcess
  private let tap: Tap
  private var rgb: [UInt8]

  /// - Throws: `.childProcess` when there is no ffmpeg.
  package init(path: String, tap: Tap, format: PipelineFormat, rate: FrameRate) throws(RetakeError) {
    let (width, height) = tap.size(format)
    self.tap = tap
    rgb = [UInt8](repeating: 0, count: width * height * 3)
    process = try FFmpegProcess(
      RawVideo(.rgb8, width: width, height: height, rate: rate), .quick, to: path, name: path)
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    rgb.withUnsafeMutableBufferPointer { tap.draw(output, into: $0.baseAddress!) }
    try rgb.withRawBytes { bytes throws(RetakeError) in try process.write(bytes) }
  }

  package func finish() throws(RetakeError) { try process.finish() }
}
