import FrameModel
import Glibc
import MattePipeline
import Media
import Support

/// A video file, encoded by ffmpeg. The extension selects the container. A missing tap is black.
package final class VideoSink: RenderSink {
  private let process: FFmpegProcess
  /// Nil for a pipe or a device.
  private let replacement: FileReplacement?
  private let picture: TapPicture

  /// - Throws: `.childProcess` without ffmpeg; when the path is not writable.
  package init(
    path: String, tap: Tap, sizes: PipelineSizes, rate: FrameRate, patience: WritePatience = WritePatience()
  ) throws(RetakeError) {
    let replacement = try FileReplacement.begin(path)
    self.replacement = replacement
    if replacement == nil {
      // ffmpeg would report an unwritable path only after the first pictures.
      let descriptor = SystemCall.open(path, O_WRONLY | O_CREAT | O_NONBLOCK, 0o644)
      guard descriptor >= 0 || errno == ENXIO else { throw FileBytes.failure("write", path) }
      if descriptor >= 0 { close(descriptor) }
    }
    picture = TapPicture(tap, sizes)
    let size = picture.size
    process = try FFmpegProcess(
      RawVideo(.rgb8, width: size.width, height: size.height, rate: rate), .quick,
      to: replacement?.partialPath ?? path, name: path, patience: patience)
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    let plane = picture.plane(of: output)
    try process.write(plane.bytes)
    withExtendedLifetime(plane) {}
  }

  package func finish() throws(RetakeError) {
    try process.finish()
    if picture.hasShown { try replacement?.publish() }
  }
}
