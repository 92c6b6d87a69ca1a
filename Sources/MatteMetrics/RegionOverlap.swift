/// How much two mattes agree on what is the person.
package enum RegionOverlap {
  /// Intersection over union (Jaccard) of the pixels that are at least half opaque; 1 when both have none.
  package static func intersectionOverUnion(_ a: BytePlane, _ b: BytePlane) -> Double {
    precondition(a.isSameSize(as: b))
    var intersection = 0
    var union = 0
    for i in 0..<a.count {
      let inA = a.samples[i] >= BytePlane.personThreshold
      let inB = b.samples[i] >= BytePlane.personThreshold
      if inA && inB { intersection += 1 }
      if inA || inB { union += 1 }
    }
    return union == 0 ? 1 : Double(intersection) / Double(union)
  }
}
