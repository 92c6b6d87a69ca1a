import FrameModel
import Kernels
import Parameters
import Support

package struct DepthFormat: Sendable {
  package let layout: FrameLayout
  package let converter: DepthConverter
  /// By how much depth is moved, after registration, to align it with colour.
  package var shift = DepthShift.none
}

extension Frame {
  /// Whether no byte is missing. Of a JPEG only the layout is compared.
  func isWhole(_ layout: FrameLayout) -> Bool {
    self.layout == layout && (layout.format == .jpeg || byteCount == layout.byteCount)
  }

  /// - Parameter word: "Colour" or "Depth".
  /// - Throws: `.corrupt` for a frame that is not whole.
  func check(_ layout: FrameLayout, _ word: String) throws(RetakeError) {
    guard !isWhole(layout) else { return }
    throw RetakeError(.corrupt, "\(word) frame \(number) is incomplete, or its format differs from its stream's.")
  }
}

/// The input format of a pipeline: frame layouts and their conversions.
package struct PipelineFormat: Sendable {
  package let color: FrameLayout
  package let depth: DepthFormat?
  package let colorMatrix: ColorMatrix

  /// Creates a format for streams of a recording or a device.
  /// - Parameter alignment: by how much depth is moved, apart from `depth.shift-x` and `-y`.
  /// - Throws: `.unsupported` for streams that are not colour and depth or exceed `WorkLimit`, for
  ///   depth of unknown unit, and for impossible registration; `.corrupt` for unreadable settings.
  package init(
    color: StreamDescription, depth: StreamDescription?, _ parameters: ParameterSet, alignment: DepthShift = .none
  ) throws(RetakeError) {
    try Self.check(color.layout, depth?.layout, isDepth: depth.map(DepthConverter.isDepth) ?? true)
    self.color = color.layout.packed
    colorMatrix = ColorMatrix(color.settings)
    let viewpoint = parameters[PipelineParameters.depth.registration]
    self.depth = try depth.map { depth throws(RetakeError) in
      DepthFormat(
        layout: depth.layout.packed,
        converter: try DepthConverter(depth, color: color, viewpoint: viewpoint, laysPairs: true), shift: alignment)
    }
  }

  /// Creates a format from layouts alone, without stream settings.
  /// - Throws: `.unsupported` if they are not colour and depth, or exceed `WorkLimit`.
  package init(color: FrameLayout, depth: FrameLayout?) throws(RetakeError) {
    try Self.check(color, depth, isDepth: depth?.format.isDepth ?? true)
    self.color = color.packed
    self.depth = depth.map { DepthFormat(layout: $0.packed, converter: DepthConverter($0.packed)) }
    colorMatrix = .full601
  }

  private static func check(_ color: FrameLayout, _ depth: FrameLayout?, isDepth: Bool) throws(RetakeError) {
    let isColor = !color.format.isDepth && color.format != .motion && color.format != .grey16
    guard isColor, isDepth else {
      throw RetakeError(
        .unsupported,
        "A composite cannot be made from \(color.format.rawValue)"
          + "\(depth.map { " and \($0.format.rawValue)" } ?? "") streams."
      )
    }
    try WorkLimit.picture.check(width: color.width, height: color.height, "The colour stream")
    if let depth { try WorkLimit.depth.check(width: depth.width, height: depth.height, "The depth stream") }
  }
}
