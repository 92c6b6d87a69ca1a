package enum RegionOverlap {
  /// Intersection over union (Jaccard index) of the pixels that are at least half opaque; 1 if both
  /// have none.
  package static func intersectionOverUnion(_ matte: MatteFeatures, _ other: MatteFeatures) -> Double {
    precondition(matte.isSameSize(as: other))
    let both = matte.personPixels.countShared(with: other.personPixels, matte.processor)
    let either = Int(matte.found.personCount + other.found.personCount) - both
    return either == 0 ? 1 : Double(both) / Double(either)
  }

  package static func intersectionOverUnion(_ matte: MatteFeatures, _ truth: TruthFeatures) -> Double {
    intersectionOverUnion(matte, truth.matte)
  }
}
