/// Moves depth against colour by whole depth pixels.
package struct DepthShift: Hashable, Sendable {
  /// To the right.
  package var x: Int
  /// Downwards.
  package var y: Int

  package init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

  package static let none = DepthShift(x: 0, y: 0)

  package static func + (a: DepthShift, b: DepthShift) -> DepthShift { DepthShift(x: a.x + b.x, y: a.y + b.y) }

  /// Moves a plane's samples in place; what leaves the plane is lost.
  /// - Parameter uncovered: the value of pixels that no sample moves to.
  package func apply<Sample>(to plane: PixelPlane<Sample>, uncovered: Sample) {
    guard self != .none else { return }
    let (width, height, samples) = (plane.width, plane.height, plane.samples)
    guard plane.channels == 1, x.magnitude < width, y.magnitude < height else { return plane.fill(uncovered) }
    // One overlapping copy of all rows; samples that wrap into the next row are overwritten below.
    let offset = y * width + x
    let count = plane.count - Int(offset.magnitude)
    (samples + max(offset, 0)).update(from: samples + max(-offset, 0), count: count)
    let (top, bottom) = (max(y, 0), height + min(y, 0))
    samples.update(repeating: uncovered, count: top * width)
    plane.row(bottom - 1).advanced(by: width).update(repeating: uncovered, count: (height - bottom) * width)
    guard x != 0 else { return }
    for row in top..<bottom {
      (plane.row(row) + (x > 0 ? 0 : width + x)).update(repeating: uncovered, count: Int(x.magnitude))
    }
  }
}
