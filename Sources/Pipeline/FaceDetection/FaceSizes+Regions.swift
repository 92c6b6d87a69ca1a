import FrameModel

extension FaceSizes {
  /// Connected cells in which faces of some widths may have their middles.
  package struct Region {
    fileprivate var label: Int32
    /// All that such faces may cover.
    package var box: FaceObservation.Box
  }

  /// Larger regions are divided: what a long or bent one does not hold is searched too.
  private static let cellsOfRegion = 12

  /// Regions for faces of `widths`. They share no cell; `contains` holds until the next call.
  package func regions(_ widths: ClosedRange<Double>) -> [Region] {
    for i in labels.indices { labels[i] = allows(i, widths) ? -1 : 0 }
    var regions: [Region] = []
    for first in labels.indices where labels[first] == -1 {
      let label = Int32(regions.count + 1)
      var (left, top, right, bottom) = (columns, rows, 0, 0)
      labels[first] = label
      waiting.append(first)
      while let i = waiting.popLast() {
        let (x, y) = (i % columns, i / columns)
        (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x + 1), max(bottom, y + 1))
        forNeighbors(x, y) { beside in
          guard labels[beside] == -1, tile(beside) == tile(first) else { return }
          labels[beside] = label
          waiting.append(beside)
        }
      }
      let side = Double(cell)
      let margin = widths.upperBound / 2
      let box = FaceObservation.Box(
        x: Double(left) * side - margin, y: Double(top) * side - margin,
        width: Double(right - left) * side + 2 * margin, height: Double(bottom - top) * side + 2 * margin)
      regions.append(Region(label: label, box: box))
    }
    return regions
  }

  private func tile(_ i: Int) -> Int {
    i / columns / Self.cellsOfRegion * columns + i % columns / Self.cellsOfRegion
  }

  package func contains(_ region: Region, middleOf box: FaceObservation.Box) -> Bool {
    index(box).map { labels[$0] == region.label } ?? false
  }
}
