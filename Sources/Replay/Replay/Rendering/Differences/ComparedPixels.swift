/// The first difference between two digest files.
package struct ComparedPlace {
  /// Frame number in A.
  package let frame: Int
  /// See `DigestFileComparison.offset`.
  package let offset: Int
  package let pass: Int
  package let stage: DigestStage
  package let digests: (a: String, b: String)

  /// Nil if all frames that both files have are equal.
  package init?(_ comparison: DigestFileComparison) {
    guard case .frame(let frame, let stage, let a, let b) = comparison.frames.firstFrameDifference else { return nil }
    (self.frame, self.stage, digests) = (frame, stage, (a, b))
    (offset, pass) = (comparison.offset, comparison.frames.firstFramePass)
  }
}

/// How much the output of two replays differs at their first difference.
package struct ComparedPixels {
  package enum Finding {
    /// Sides whose replay gives another digest than recorded; nil for no such frame.
    case notReproduced([(side: String, digest: String?)])
    /// One side has nothing in this stage.
    case absent(side: String)
    case sizes
    case difference(PlaneDifference)
  }

  /// A's and B's pixels; nil if one is missing or does not match its digest.
  package let planes: (StagePlane, StagePlane)?
  package let place: ComparedPlace
  package let finding: Finding

  package init(_ place: ComparedPlace, _ sides: (a: ReproducedStage?, b: ReproducedStage?)) {
    self.place = place
    let wrong = [("A", sides.a, place.digests.a), ("B", sides.b, place.digests.b)].filter { $1?.digest != $2 }
    guard wrong.isEmpty else {
      finding = .notReproduced(wrong.map { ($0.0, $0.1?.digest) })
      planes = nil
      return
    }
    guard let a = sides.a?.plane, let b = sides.b?.plane else {
      finding = .absent(side: sides.a?.plane == nil ? "A" : "B")
      planes = nil
      return
    }
    planes = (a, b)
    finding = PlaneDifference(a, b).map { .difference($0) } ?? .sizes
  }
}
