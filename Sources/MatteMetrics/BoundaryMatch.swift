/// How well the edges of two mattes lie on one another: DAVIS' boundary measure (Perazzi et al. 2016).
package struct BoundaryMatch: Hashable, Sendable {
  /// Of the matte's contour, what lies near the truth's; and the other way round.
  package let precision: Double
  package let recall: Double

  /// 2PR / (P + R); 0 when both are.
  package var f: Double { precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall) }

  /// The smallest whole number that is at least 0.008 of the picture's diagonal.
  /// - Parameters: pixels.
  package static func tolerance(width: Int, height: Int) -> Int {
    // t ≥ 0.008·d in whole numbers: 10⁶·t² ≥ 64·d².
    var tolerance = 0
    while 1_000_000 * tolerance * tolerance < 64 * (width * width + height * height) { tolerance += 1 }
    return tolerance
  }

  /// A contour and what is near it: of the truth it serves every setting that is scored.
  package struct Edge {
    let contour: Contour
    let near: PixelSet

    package init(_ matte: BytePlane) {
      contour = Contour(matte)
      near = contour.neighborhood(radius: BoundaryMatch.tolerance(width: matte.width, height: matte.height))
    }
  }

  package init(_ edge: Edge, _ truth: Edge) {
    func share(_ contour: Contour, near set: PixelSet) -> Double {
      Double(contour.pixels.count { set.contains($0) }) / Double(contour.pixels.count)
    }
    switch (edge.contour.pixels.isEmpty, truth.contour.pixels.isEmpty) {
    case (true, true): (precision, recall) = (1, 1)
    case (true, false): (precision, recall) = (1, 0)
    case (false, true): (precision, recall) = (0, 1)
    case (false, false):
      precision = share(edge.contour, near: truth.near)
      recall = share(truth.contour, near: edge.near)
    }
  }
}
