import FrameModel
import Kernels
import Parameters
import Support

/// Two masks, combined at the size of the first, which is required.
///
/// Without the second, a union or difference is the first mask alone; an intersection is missing.
package final class CombinedMask: MaskSource {
  let first: any MaskSource
  let second: any MaskSource
  private let firstMask: Mask
  private let secondMask: Mask
  private let combination: MaskCombination
  private var hasSecond = false
  private var isStale = true

  package var geometry: PlaneGeometry { first.geometry }
  package let isSoft: Bool
  var parts: [any MaskSource] { [first, second] }
  package var cutoffMillimeters: UInt16 {
    first.cutoffMillimeters == 0 ? second.cutoffMillimeters : first.cutoffMillimeters
  }

  package init(
    _ first: any MaskSource, _ second: any MaskSource, _ parameters: ParameterSet, threadCount: Int,
    processor: Processor
  ) {
    self.first = first
    self.second = second
    isSoft = first.isSoft || second.isSoft
    firstMask = Mask(first.geometry, isSoft: first.isSoft)
    secondMask = Mask(second.geometry, isSoft: second.isSoft)
    let places = first.geometry.places(in: second.geometry)
    combination = MaskCombination(
      parameters[PipelineParameters.mask.combine], columns: places.columns,
      rows: places.rows, secondWidth: second.geometry.width, threadCount: threadCount, processor: processor)
  }

  package func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) throws(RetakeError) -> MaskUpdate {
    // Both see every frame, so that neither's state depends on the other.
    let newFirst = try first.update(input, into: firstMask, bands: bands)
    // Set now: the second source may throw, and the first reports `.new` only once.
    if newFirst == .new { isStale = true }
    let newSecond = try second.update(input, into: secondMask, bands: bands)
    let hadSecond = hasSecond
    hasSecond = newSecond != .missing
    if newSecond == .new || hadSecond != hasSecond { isStale = true }
    if newFirst == .missing || (!hasSecond && combination.rule == .intersection) { return .missing }
    guard isStale else { return .held }
    let one = MaskCombination.Operand(firstMask.plane, soft: firstMask.soft)
    let other = hasSecond ? MaskCombination.Operand(secondMask.plane, soft: secondMask.soft) : nil
    bands.run(rowCount: mask.plane.height) { rows, thread in
      combination.combine(one, other, to: mask.plane, soft: mask.soft, rows: rows, thread: thread)
    }
    mask.emptyColors = firstMask.emptyColors
    // A mask that is held has the colours of an earlier picture.
    mask.colors = newFirst == .new ? firstMask.colors : nil
    isStale = false
    return .new
  }

  package func carryOn(from old: any MaskSource) {
    first.carryOn(from: old)
    second.carryOn(from: old)
  }
}
