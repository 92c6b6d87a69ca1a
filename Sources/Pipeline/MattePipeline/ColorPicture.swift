import FrameModel
import Kernels
import Parameters
import Support

/// Converts a stream's colour frames to RGB pictures, exactly as the pipeline does.
package final class ColorPicture {
  private let color: SourceColor
  private let bands = BandRunner(threadCount: 1)
  private static let defaults = ParameterSet(PipelineParameters.all)

  package init(_ stream: StreamDescription) throws(RetakeError) {
    color = try SourceColor(PipelineFormat(color: stream, depth: nil, Self.defaults))
  }

  /// - Returns: packed RGB, valid until the next call.
  /// - Throws: `.corrupt` for an incomplete frame.
  package func picture(_ frame: Frame) throws(RetakeError) -> PixelPlane<UInt8> {
    try color.convert(frame, bands: bands)
    return color.output
  }
}
