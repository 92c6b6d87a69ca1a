import FrameModel

/// The pixels of a matte that a face box covers, at least in part.
package struct FaceBox: Hashable, Sendable {
  package let columns: Range<Int>
  package let rows: Range<Int>

  /// - Returns: nil for a box that is empty, outside the picture, has a NaN size or an infinite
  ///   origin.
  package init?(_ box: FaceObservation.Box, width: Int, height: Int) {
    guard let columns = Self.range(box.x, box.width, limit: width),
      let rows = Self.range(box.y, box.height, limit: height)
    else { return nil }
    (self.columns, self.rows) = (columns, rows)
  }

  private static func range(_ start: Double, _ length: Double, limit: Int) -> Range<Int>? {
    // Clips in floating point: a detector's box may have any value, and converting infinity to Int
    // traps.
    guard start.isFinite, length > 0 else { return nil }
    let first = max(0, start.rounded(.down))
    let end = min(Double(limit), (start + length).rounded(.up))
    guard first < end else { return nil }
    return Int(first)..<Int(end)
  }
}
