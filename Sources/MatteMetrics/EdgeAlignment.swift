/// Whether a matte's edge lies on the picture's: Σ|∇α·∇I| / Σ|∇α|·|∇I|, from 0 to 1.
package enum EdgeAlignment {
  /// Gradients are differences of the neighbours on both sides; what lies outside is as the pixel at the edge.
  /// - Parameter picture: in grey.
  /// - Returns: nil where the matte or the picture below its edge is flat.
  package static func ratio(_ matte: BytePlane, _ picture: BytePlane) -> Double? {
    precondition(matte.isSameSize(as: picture))
    var aligned = 0
    // By rows of the picture, each in order: the same bits everywhere.
    var all = 0.0
    for y in 0..<matte.height {
      for x in 0..<matte.width {
        let a = gradient(matte, x, y)
        guard a != (0, 0) else { continue }
        let b = gradient(picture, x, y)
        aligned += abs(a.x * b.x + a.y * b.y)
        all += Double((a.x * a.x + a.y * a.y) * (b.x * b.x + b.y * b.y)).squareRoot()
      }
    }
    return all == 0 ? nil : Double(aligned) / all
  }

  private static func gradient(_ plane: BytePlane, _ x: Int, _ y: Int) -> (x: Int, y: Int) {
    (
      Int(plane.sample(nearX: x + 1, y: y)) - Int(plane.sample(nearX: x - 1, y: y)),
      Int(plane.sample(nearX: x, y: y + 1)) - Int(plane.sample(nearX: x, y: y - 1))
    )
  }
}
