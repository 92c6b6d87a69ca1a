import CKernels

package struct MaskPieces: Hashable, Sendable {
  /// 8-connected pieces of the person.
  package let componentCount: Int
  /// 4-connected background regions that the person encloses.
  package let holeCount: Int
  package let holePixelCount: Int
  private let personCount: Int
  /// Nil if there was no truth.
  private let truePersonCount: Int?

  /// - Parameter truth: if given, only hole pixels that are the truth's person count.
  package init(_ matte: MatteFeatures, _ memory: ScoreMemory, truth: TruthFeatures? = nil) {
    precondition(memory.fits(matte))
    var found = RTKRegions(pieceCount: 0, holeCount: 0, holePixelCount: 0)
    rtk_regions(
      matte.processor, matte.personPixels.words, truth?.matte.personPixels.words, Int32(matte.width),
      Int32(matte.height), &found, memory.regions.start)
    componentCount = Int(found.pieceCount)
    holeCount = Int(found.holeCount)
    holePixelCount = Int(found.holePixelCount)
    personCount = Int(matte.found.personCount)
    truePersonCount = truth.map { Int($0.matte.found.personCount) }
  }

  /// Area of the holes, in thousandths of the truth's person, or without truth of the person with
  /// its holes filled. Nil if the truth has no person; 0 if the matte has none.
  package var holeThousandths: Double? {
    if truePersonCount == 0 { return nil }
    let whole = truePersonCount ?? personCount + holePixelCount
    return whole == 0 ? 0 : 1000 * Double(holePixelCount) / Double(whole)
  }
}
