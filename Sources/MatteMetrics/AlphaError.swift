/// How far a matte's opacity is from the truth, pixel by pixel.
package struct AlphaError: Hashable, Sendable {
  /// Σ|α − α*|, in steps of 1/255.
  package let absoluteSteps: Int
  /// Σ(α − α*)², in squared steps.
  package let squaredSteps: Int
  package let count: Int

  /// Sums of whole numbers: whatever order they are taken in, they are the same.
  package init(_ matte: BytePlane, _ truth: BytePlane) {
    precondition(matte.isSameSize(as: truth))
    var absolute = 0
    var squared = 0
    for y in 0..<matte.height {
      // By rows, so that the sums stay in registers.
      var rowAbsolute: UInt64 = 0
      var rowSquared: UInt64 = 0
      let a = matte.samples + y * matte.width
      let b = truth.samples + y * matte.width
      for x in 0..<matte.width {
        let difference = Int32(a[x]) - Int32(b[x])
        rowAbsolute += UInt64(difference.magnitude)
        rowSquared += UInt64((difference * difference).magnitude)
      }
      absolute += Int(rowAbsolute)
      squared += Int(rowSquared)
    }
    absoluteSteps = absolute
    squaredSteps = squared
    count = matte.count
  }

  /// Sum of absolute differences, α from 0 to 1.
  package var sumOfAbsoluteDifferences: Double { Double(absoluteSteps) / 255 }
  /// Mean squared error, α from 0 to 1; 0 for no pixels.
  package var meanSquaredError: Double { count == 0 ? 0 : Double(squaredSteps) / (65_025 * Double(count)) }
}
