import Kernels
import Support
import Testing

@Suite struct MaskHoleTests {
  private static let limits: [UInt16] = [0, 1, 2, 999, 1000, 32_767, 32_768, 65_534, 65_535]

  /// By all processors, which must agree.
  private static func mask(
    _ depth: [UInt16], _ body: (UnsafeMutablePointer<UInt8>, Processor) -> Void
  ) -> [UInt8] {
    let results = Processor.available.map { processor in
      var mask = GuardedOutput<UInt8>(count: depth.count, poison: 0x55)
      mask.write { body($0, processor) }
      #expect(mask.guardsHold(0x55))
      return mask.samples
    }
    #expect(results.allSatisfy { $0 == results[0] })
    return results[0]
  }

  @Test(arguments: limits)
  func `holes are the person, and so is what is as near as the cut-off, for all 65536 depths`(limit: UInt16) {
    let depth = (0..<65_536).map { UInt16($0) }
    let mask = Self.mask(depth) { MaskThreshold.upTo(limit, depth: depth, mask: $0, count: depth.count, processor: $1) }
    #expect(mask == depth.map { MaskThreshold.upToReference(limit, depth: $0) })
    #expect(mask[0] == 255 && mask.count { $0 == 255 } == Int(limit) + 1)
  }

  @Test(arguments: [0, 255] as [UInt8])
  func `each pixel has its own limit, for all depths and limits of interest`(hole: UInt8) {
    var generator = SeededGenerator(seed: 3)
    let depth = (0..<65_536).map { UInt16($0) }
    for limit in Self.limits {
      // Neighbours have other limits.
      let limits = depth.indices.map { $0 % 3 == 0 ? limit : UInt16(generator.next(below: 65_536)) }
      let mask = Self.mask(depth) {
        MaskThreshold.nearerThanEach(
          limits, depth: depth, hole: hole, mask: $0, count: depth.count, processor: $1)
      }
      let expected = depth.indices.map {
        MaskThreshold.nearerThanEachReference(limits[$0], depth: depth[$0], hole: hole)
      }
      #expect(mask == expected)
    }
  }

  @Test(arguments: 0..<50)
  func `any number of pixels is made, and none beyond`(count: Int) {
    let depth = (0..<count).map { UInt16($0 * 7 % 40) }
    let limits = (0..<count).map { UInt16($0 % 30) }
    let kinds = (0..<count).map { UInt8($0 % 3) }
    let upTo = Self.mask(depth) { MaskThreshold.upTo(17, depth: depth, mask: $0, count: count, processor: $1) }
    let expectedUpTo = depth.map { depth -> UInt8 in depth <= 17 ? 255 : 0 }
    #expect(upTo == expectedUpTo)
    let each = Self.mask(depth) {
      MaskThreshold.nearerThanEach(limits, depth: depth, hole: 255, mask: $0, count: count, processor: $1)
    }
    let expectedEach = (0..<count).map { i -> UInt8 in depth[i] == 0 || depth[i] <= limits[i] ? 255 : 0 }
    #expect(each == expectedEach)
    let added = Self.mask(depth) { mask, processor in
      for i in 0..<count { mask[i] = UInt8(i % 2) }
      MaskThreshold.add(kind: 2, of: kinds, to: mask, count: count, processor: processor)
    }
    let expectedAdded = (0..<count).map { i -> UInt8 in i % 3 == 2 ? 255 : UInt8(i % 2) }
    #expect(added == expectedAdded)
  }
}

@Suite struct MatteFillingTests {
  @Test(arguments: ImageSize.odd, TestPattern.allCases)
  func `blocks of samples that were written by hand tell the truth`(size: ImageSize, pattern: TestPattern) {
    let mask = pattern.bytes(size, seed: 1)
    var generator = SeededGenerator(seed: 2)
    for processor in Processor.available {
      let soft = MatteSamples(packed: mask.map { Int16($0) * 64 }, width: size.width, height: size.height)
      // What a stage wrote by hand, with blocks that tell of something else.
      for y in 0..<size.height { for x in 0..<size.width { soft.row(y)[x] = Int16((x + y) / 20 % 2) * 16_320 } }
      for rows in randomBands(of: size.height, parts: 2, &generator) {
        soft.markBlocks(rows: rows, processor: processor)
      }
      expectBlocksTellTheTruth(soft)
      let flat = (0..<size.height * soft.stride / MatteSamples.blockWidth).count { block in
        let samples = UnsafeBufferPointer(start: soft.samples + block * 16, count: 16)
        let isFlat = samples.allSatisfy { $0 == 0 } || samples.allSatisfy { $0 == 16_320 }
        return isFlat && soft.blocks[block] == 2
      }
      #expect(flat == 0, "a block that is flat is known to be")
      soft.add(kind: 4, of: [UInt8](repeating: 4, count: size.count), rows: 0..<size.height, processor: processor)
      #expect(soft.packed.allSatisfy { $0 == 16_320 })
      expectBlocksTellTheTruth(soft)
    }
  }
}
