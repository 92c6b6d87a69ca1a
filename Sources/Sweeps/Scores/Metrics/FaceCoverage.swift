import CKernels

package enum FaceCoverage {
  /// Returns the mean α inside a box, 0 to 1.
  /// - Parameters: columns and rows of the box in the matte's pixels, clipped to the picture.
  /// - Returns: nil if the box is outside the picture.
  package static func share(
    _ matte: BytePlane, columns: Range<Int>, rows: Range<Int>, _ processor: RTKProcessor = rtk_processor()
  ) -> Double? {
    let columns = columns.clamped(to: 0..<matte.width)
    let rows = rows.clamped(to: 0..<matte.height)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    var sum: Int64 = 0
    rtk_box_sum(
      processor, matte.samples + rows.lowerBound * matte.width + columns.lowerBound, matte.width, Int32(columns.count),
      Int32(rows.count), &sum)
    return Double(sum) / (255 * Double(columns.count * rows.count))
  }
}
