import FrameModel
import MattePipeline
import VideoFiles

/// A video file of a tap's pictures, encoded by ffmpeg. The file's ending picks its container.
package final class VideoSink: RenderSink {
  private let process: FFmpegProcess
  private let tap: Tap
  private let size: PlaneSize
  private var rgb: [UInt8]

  /// - Throws: `.childProcess` when there is no ffmpeg.
  package init(path: String, tap: Tap, sizes: PipelineSizes, rate: FrameRate) throws(RetakeError) {
    size = tap.size(sizes)
    self.tap = tap
    rgb = [UInt8](repeating: 0, count: size.width * size.height * 3)
    process = try FFmpegProcess(
      RawVideo(.rgb8, width: size.width, height: size.height, rate: rate), .quick, to: path, name: path)
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    rgb.withUnsafeMutableBufferPointer { tap.draw(output, size, into: $0.baseAddress!) }
    try rgb.withRawBytes { bytes throws(RetakeError) in try process.write(bytes) }
  }

  package func finish() throws(RetakeError) { try process.finish() }
}
