import FrameModel
import Kernels
import Parameters

/// What a pipeline is prepared for: the shapes of the frames it will be given, and how colour becomes RGB and depth
/// millimetres.
package struct PipelineFormat: Sendable {
  package let color: FrameLayout
  package let depth: FrameLayout
  package let colorMatrix: ColorMatrix
  package let depthConverter: DepthConverter

  /// For streams of a recording or a device, with what their settings say of colour and depth.
  /// - Throws: `.unsupported` when the streams are not colour and depth, or depth has no known unit, or cannot be laid
  ///   over colour as `depth.registration` asks; `.corrupt` when what the settings say cannot be read.
  package init(color: StreamDescription, depth: StreamDescription, _ parameters: ParameterSet) throws(RetakeError) {
    try Self.check(color.layout, depth.layout, isDepth: DepthConverter.isDepth(depth))
    self.color = color.layout.packed
    self.depth = depth.layout.packed
    colorMatrix = ColorMatrix(color.settings)
    depthConverter = try DepthConverter(
      depth, color: color,
      viewpoint: DepthConverter.Viewpoint(rawValue: parameters[PipelineParameters.registration]) ?? .auto)
  }

  /// For frames of which nothing but their shape is known.
  /// - Throws: `.unsupported` when they are not colour and depth.
  package init(color: FrameLayout, depth: FrameLayout) throws(RetakeError) {
    try Self.check(color, depth, isDepth: depth.format.isDepth)
    self.color = color.packed
    self.depth = depth.packed
    colorMatrix = .full601
    depthConverter = DepthConverter(depth.packed)
  }

  private static func check(_ color: FrameLayout, _ depth: FrameLayout, isDepth: Bool) throws(RetakeError) {
    let isColor = !color.format.isDepth && color.format != .motion && color.format != .grey16
    guard isColor, isDepth else {
      throw RetakeError(
        .unsupported, "A \(color.format.rawValue) and a \(depth.format.rawValue) stream make no composite.")
    }
  }

  /// Video pixels for each depth pixel: the widths decide (A.5), so that depth of another aspect is not stretched.
  package var videoPixelsPerDepthPixel: Double { Double(color.width) / Double(depth.width) }

  /// Where a point of the video lies in the depth map. The middles of both coincide; where the aspects differ, the
  /// depth map is cut or its edge repeated above and below.
  package func depthPoint(videoX x: Double, videoY y: Double) -> (x: Double, y: Double) {
    let scale = videoPixelsPerDepthPixel
    return (x / scale, (y - Double(color.height) / 2) / scale + Double(depth.height) / 2)
  }
}
