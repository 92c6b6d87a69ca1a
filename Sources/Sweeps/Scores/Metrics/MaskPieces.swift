import CKernels

package struct MaskPieces: Hashable, Sendable {
  /// 8-connected pieces of the person.
  package let componentCount: Int
  /// 4-connected background regions that the person encloses.
  package let holeCount: Int
  package let holePixelCount: Int

  package init(_ matte: MatteFeatures, _ memory: ScoreMemory) {
    precondition(memory.fits(matte))
    var found = RTKRegions(pieceCount: 0, holeCount: 0, holePixelCount: 0)
    rtk_regions(
      matte.processor, matte.personPixels.words, Int32(matte.width), Int32(matte.height), &found, memory.regions.start)
    componentCount = Int(found.pieceCount)
    holeCount = Int(found.holeCount)
    holePixelCount = Int(found.holePixelCount)
  }
}
