import FrameModel
import Kernels
import MattePipeline
import Support

/// Uncompressed YUV4MPEG2 video with full chroma (C444), for ffplay, mpv and ffmpeg. Colours as in
/// `VideoConversion`; a missing tap is black.
package final class Y4MSink: RenderSink {
  private let output: OutputFile
  private let picture: TapPicture
  private let planes: PixelPlane<UInt8>
  private static let frameHeader = Array("FRAME\n".utf8)

  /// - Parameter path: "-" for standard output.
  package init(
    path: String, tap: Tap, sizes: PipelineSizes, rate: FrameRate, patience: WritePatience = WritePatience()
  ) throws(RetakeError) {
    output = try OutputFile(path: path, patience: patience)
    picture = TapPicture(tap, sizes)
    let size = picture.size
    planes = PixelPlane(width: size.width, height: size.height, channels: 3)
    try output.write(
      "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 C444\n")
  }

  package func take(_ frame: PipelineOutput) throws(RetakeError) {
    defer { withExtendedLifetime((frame, planes)) {} }
    let (source, luma) = (picture.plane(of: frame), planes.samples)
    let count = source.width * source.height
    VideoConversion.planes(source.samples, luma: luma, blue: luma + count, red: luma + 2 * count, count: count)
    try Self.frameHeader.withRawBytes { bytes throws(RetakeError) in try output.write(bytes) }
    try output.write(planes.bytes)
  }

  package func finish() throws(RetakeError) { if picture.hasShown { try output.finish() } }
}
