import CKernels

/// The pixels whose matte is computed from colour: a belt round the mask's outline, wider where depth
/// is missing.
package final class RefinementBelt {
  /// Radii of discs, in mask pixels.
  package struct Reach: Hashable, Sendable {
    /// How far the true outline may lie inside and outside the mask's.
    package var inside: Int
    package var outside: Int
    /// How far outside the mask the person may extend where depth is missing.
    package var holes: Int

    package init(inside: Int, outside: Int, holes: Int) {
      (self.inside, self.outside, self.holes) = (inside, outside, holes)
    }
  }

  /// `RTKOutside`, `RTKUnsure` or `RTKInside` for each pixel.
  let kinds: PixelPlane<UInt8>
  /// The same with a wider belt; colour models learn from its certain pixels.
  let known: PixelPlane<UInt8>
  private let steps: [(morphology: MaskMorphology, plane: PixelPlane<UInt8>)]
  private let processor: Processor

  init(_ reach: Reach, width: Int, height: Int, threadCount: Int, processor: Processor) {
    func plane() -> PixelPlane<UInt8> { PixelPlane(width: width, height: height) }
    (kinds, known) = (plane(), plane())
    let sequence: [(MaskMorphology.Extreme, Int)] = [
      (.smallest, reach.inside), (.smallest, reach.inside + 1), (.largest, reach.outside),
      (.largest, reach.outside + 2), (.largest, max(reach.holes, reach.outside)),
    ]
    steps = sequence.map { extreme, radius in
      let step = MaskMorphology(
        extreme, of: .twoValues, radius: radius, width: width, height: height, threadCount: threadCount,
        processor: processor)
      return (step, plane())
    }
    self.processor = processor
  }

  /// - Parameter depth: 0 where it is missing; nil if none is missing.
  func find(_ mask: PixelPlane<UInt8>, depth: PixelPlane<UInt16>?, bands: BandRunner) {
    bands.run(rowCount: mask.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
      for step in steps {
        step.morphology.apply(mask.samples, to: step.plane.samples, rows: rows, thread: thread)
      }
      var planes = RTKBelt(
        within: steps[0].plane.samples, deeper: steps[1].plane.samples, around: steps[2].plane.samples,
        farther: steps[3].plane.samples, aroundHoles: steps[4].plane.samples)
      rtk_belt(
        processor.choice, &planes, depth?.samples, kinds.samples, known.samples, rows.lowerBound * mask.width,
        rows.count * mask.width)
    }
  }
}
