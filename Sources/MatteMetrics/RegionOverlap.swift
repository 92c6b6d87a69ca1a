/// How much two mattes agree on what is the person.
package enum RegionOverlap {
  /// Intersection over union (Jaccard) of the pixels that are at least half opaque; 1 when both have none.
  /// - Parameters: 8-bit mattes of one size.
  package static func intersectionOverUnion(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Double {
    precondition(a.count == b.count)
    var intersection = 0
    var union = 0
    for i in 0..<a.count {
      let inA = a[i] >= 128
      let inB = b[i] >= 128
      if inA && inB { intersection += 1 }
      if inA || inB { union += 1 }
    }
    return union == 0 ? 1 : Double(intersection) / Double(union)
  }
}
