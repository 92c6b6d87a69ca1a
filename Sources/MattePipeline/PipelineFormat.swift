import FrameModel

/// What a pipeline is prepared for: the shapes of the frames it will be given.
package struct PipelineFormat: Hashable, Sendable {
  package let color: FrameLayout
  package let depth: FrameLayout

  /// - Throws: `.unsupported` when the streams are not colour and depth.
  package init(color: FrameLayout, depth: FrameLayout) throws(RetakeError) {
    guard !color.format.isDepth, color.format != .motion, depth.format.isDepth else {
      throw RetakeError(
        .unsupported, "A \(color.format.rawValue) and a \(depth.format.rawValue) stream make no composite.")
    }
    self.color = color.packed
    self.depth = depth.packed
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
