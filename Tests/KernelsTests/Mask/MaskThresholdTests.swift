import Kernels
import Testing

@Suite struct MaskThresholdTests {
  private static let cutoffs: [UInt16] = [0, 1, 2, 249, 250, 1000, 32_767, 32_768, 65_534, 65_535]

  /// By all processors, which must agree.
  private static func mask(_ cutoff: UInt16, _ depth: [UInt16]) -> [UInt8] {
    let results = Processor.available.map { processor in
      var mask = GuardedOutput<UInt8>(count: depth.count, poison: 0x77)
      mask.write {
        MaskThreshold.nearerThan(cutoff, depth: depth, mask: $0, count: depth.count, processor: processor)
      }
      #expect(mask.guardsHold(0x77))
      return mask.samples
    }
    #expect(results.allSatisfy { $0 == results[0] })
    return results[0]
  }

  @Test(arguments: cutoffs)
  func `the kernel gives the reference's bits for all 65536 depths`(cutoff: UInt16) {
    let depth = (0..<65_536).map { UInt16($0) }
    #expect(
      Self.mask(cutoff, depth) == depth.map { MaskThreshold.nearerThanReference(cutoff, depth: $0) })
  }

  @Test(arguments: cutoffs)
  func `exactly the depths from 1 mm to the cut-off are the person`(cutoff: UInt16) {
    let mask = Self.mask(cutoff, (0..<65_536).map { UInt16($0) })
    #expect(mask.count { $0 == 255 } == Int(cutoff))
    #expect(mask.count { $0 == 0 } == 65_536 - Int(cutoff))
    #expect(mask[0] == 0)
    #expect(mask[Int(cutoff)] == (cutoff == 0 ? 0 : 255))
    if cutoff < 65_535 { #expect(mask[Int(cutoff) + 1] == 0) }
  }

  @Test(arguments: 0..<70)
  func `any number of pixels is converted, and none beyond`(count: Int) {
    let depth = (0..<count).map { UInt16($0 * 37) }
    #expect(Self.mask(700, depth) == depth.map { $0 > 0 && $0 <= 700 ? 255 : 0 })
  }
}
