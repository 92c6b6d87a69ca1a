import CKernels

/// What of a person is torn, and what has holes.
package struct MaskPieces: Hashable, Sendable {
  /// Separate pieces of the person, which touch at corners at least.
  package let componentCount: Int
  /// Gaps that the person encloses. Of the background, pixels that touch at a corner only are apart, where the person's hang
  /// together there.
  package let holeCount: Int
  package let holePixelCount: Int

  /// - Parameter memory: of the matte's size.
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
