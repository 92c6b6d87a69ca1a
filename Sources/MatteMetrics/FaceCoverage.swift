/// How much of a face the matte covers.
package enum FaceCoverage {
  /// Mean α inside of a box, 0 to 1.
  /// - Parameters: columns and rows of the box in the matte's pixels; what lies outside of the picture does not count.
  /// - Returns: nil where none of it lies inside.
  package static func share(_ matte: BytePlane, columns: Range<Int>, rows: Range<Int>) -> Double? {
    let columns = columns.clamped(to: 0..<matte.width)
    let rows = rows.clamped(to: 0..<matte.height)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    var sum = 0
    for y in rows { for x in columns { sum += Int(matte.samples[y * matte.width + x]) } }
    return Double(sum) / (255 * Double(columns.count * rows.count))
  }
}
