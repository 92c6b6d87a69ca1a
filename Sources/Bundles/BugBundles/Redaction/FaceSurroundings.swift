import FrameModel

/// The part of a picture around a face's box that is made unrecognisable.
///
/// A box reaches from about the brows to the chin. Half of its longer side is added on every side,
/// for hair, ears and neck, and is also the side of the squares. About two by two colours are left
/// of the face, each an integer mean, from which it cannot be restored.
package struct FaceSurroundings: Hashable {
  /// Pixels, clamped to the picture.
  package let x: Range<Int>
  package let y: Range<Int>
  package let squareSide: Int

  /// - Returns: the whole picture if the box is no rectangle; nil for surroundings outside of it.
  package init?(_ box: FaceObservation.Box, width: Int, height: Int) {
    guard box.isRectangle else {
      self.x = 0..<width
      self.y = 0..<height
      squareSide = max(width, height)
      return
    }
    let longerSide = max(Self.bounded(box.width), Self.bounded(box.height))
    let margin = longerSide / 2
    let x = Self.span(box.x, box.width, margin).clamped(to: 0..<width)
    let y = Self.span(box.y, box.height, margin).clamped(to: 0..<height)
    guard !x.isEmpty, !y.isEmpty else { return nil }
    (self.x, self.y) = (x, y)
    squareSide = max(1, Int(margin.rounded(.up)))
  }

  private static func span(_ begin: Double, _ length: Double, _ margin: Double) -> Range<Int> {
    let first = Int((bounded(begin) - margin).rounded(.down))
    let last = Int((bounded(begin) + bounded(length) + margin).rounded(.up))
    return first..<max(first, last)
  }

  /// Clamps a coordinate, so that extreme values in a recording cannot overflow `Int`.
  private static func bounded(_ value: Double) -> Double {
    let largest = Double(4 * FrameLayout.largestSide)
    return min(max(value, -largest), largest)
  }
}

extension FaceObservation.Box {
  /// Whether it is finite and has an area. A recording may claim any numbers.
  var isRectangle: Bool {
    x.isFinite && y.isFinite && width.isFinite && height.isFinite && width > 0 && height > 0
  }
}
