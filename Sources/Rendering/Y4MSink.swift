import FrameModel
import Kernels
import MattePipeline

/// Uncompressed video that ffplay, mpv and ffmpeg read from a pipe: YUV4MPEG2 with full chroma (C444).
///
/// The colours are those of `VideoConversion`.
package final class Y4MSink: RenderSink {
  private let output: OutputFile
  private let tap: Tap
  private let size: PlaneSize
  private var rgb: [UInt8]
  private var planes: [UInt8]
  private static let frameHeader = Array("FRAME\n".utf8)

  /// - Parameter path: "-" for standard output.
  package init(path: String, tap: Tap, sizes: PipelineSizes, rate: FrameRate) throws(RetakeError) {
    output = try OutputFile(path: path)
    self.tap = tap
    size = tap.size(sizes)
    rgb = [UInt8](repeating: 0, count: size.width * size.height * 3)
    planes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    try output.write(
      "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 C444\n")
  }

  package func take(_ frame: PipelineOutput) throws(RetakeError) {
    rgb.withUnsafeMutableBufferPointer { tap.draw(frame, size, into: $0.baseAddress!) }
    let count = size.width * size.height
    planes.withUnsafeMutableBufferPointer { planes in
      let luma = planes.baseAddress!
      VideoConversion.planes(rgb, luma: luma, blue: luma + count, red: luma + 2 * count, count: count)
    }
    try Self.frameHeader.withRawBytes { bytes throws(RetakeError) in try output.write(bytes) }
    try planes.withRawBytes { bytes throws(RetakeError) in try output.write(bytes) }
  }

  package func finish() {}
}
