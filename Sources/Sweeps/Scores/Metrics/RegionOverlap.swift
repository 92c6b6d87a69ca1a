import CKernels

package enum RegionOverlap {
  /// Intersection over union (Jaccard index) of the pixels that are at least half opaque; 1 if both
  /// have none.
  package static func intersectionOverUnion(
    _ a: BytePlane, _ b: BytePlane, _ processor: RTKProcessor = rtk_processor()
  ) -> Double {
    precondition(a.isSameSize(as: b))
    var both: Int64 = 0
    var either: Int64 = 0
    rtk_overlap(processor, a.samples, b.samples, a.count, &both, &either)
    return share(Int(both), of: Int(either))
  }

  package static func intersectionOverUnion(_ matte: MatteFeatures, _ truth: TruthFeatures) -> Double {
    intersectionOverUnion(matte, truth.matte)
  }

  static func intersectionOverUnion(_ matte: MatteFeatures, _ other: MatteFeatures) -> Double {
    precondition(matte.isSameSize(as: other))
    let both = matte.personPixels.countShared(with: other.personPixels, matte.processor)
    return share(both, of: Int(matte.found.personCount + other.found.personCount) - both)
  }

  private static func share(_ intersection: Int, of union: Int) -> Double {
    union == 0 ? 1 : Double(intersection) / Double(union)
  }
}
