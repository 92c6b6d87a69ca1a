import Kernels
import Support
import Testing

@Suite struct MaskMorphologyTests {
  private static let seed: UInt64 = 808
  private static let extremes = [MaskMorphology.Extreme.largest, .smallest]

  private static func result(
    _ extreme: MaskMorphology.Extreme, of samples: MaskMorphology.Samples = .grey, _ radius: Int, _ mask: [UInt8],
    _ size: ImageSize, _ processor: Processor, _ bands: [Range<Int>]
  ) -> [UInt8] {
    let morphology = MaskMorphology(
      extreme, of: samples, radius: radius, width: size.width, height: size.height, threadCount: 2,
      processor: processor)
    var output = GuardedOutput<UInt8>(count: size.count, poison: 0x5A)
    for (i, rows) in bands.enumerated() {
      output.write { morphology.apply(mask, to: $0, rows: rows, thread: i % 2) }
    }
    #expect(output.guardsHold(0x5A))
    return output.samples
  }

  private static func reference(
    _ extreme: MaskMorphology.Extreme, _ radius: Int, _ mask: [UInt8], _ size: ImageSize
  ) -> [UInt8] {
    MaskMorphology(extreme, radius: radius, width: size.width, height: size.height, threadCount: 1).reference(mask)
  }

  /// The last reaches farther than most of the images.
  @Test(arguments: ImageSize.odd, [0, 1, 2, 5, 32])
  func `the kernels give the rule's bits on grey and binary masks`(size: ImageSize, radius: Int) {
    for extreme in Self.extremes {
      for (i, pattern) in TestPattern.allCases.enumerated() {
        let mask = pattern.bytes(size, seed: Self.seed + UInt64(i))
        let expected = Self.reference(extreme, radius, mask, size)
        for processor in Processor.available {
          let result = Self.result(extreme, radius, mask, size, processor, [0..<size.height])
          #expect(result == expected, "\(processor) \(pattern) \(extreme)")
          let twoValues = Self.result(extreme, of: .twoValues, radius, mask, size, processor, [0..<size.height])
          // The largest sample is above a limit where any is.
          #expect(twoValues == expected.map { $0 < 128 ? 0 : 255 }, "\(processor) \(pattern) \(extreme)")
        }
      }
    }
  }

  @Test(arguments: 0...32)
  func `every radius up to 32 is the disc's, from a single pixel`(radius: Int) {
    let size = ImageSize(71, 69)
    var mask = [UInt8](repeating: 0, count: size.count)
    mask[34 * 71 + 35] = 200
    let result = Self.result(.largest, radius, mask, size, .best, [0..<69])
    for i in result.indices {
      let (dx, dy) = (i % 71 - 35, i / 71 - 34)
      // Pixels whose middle is nearer than r + ½: squares of whole numbers are never r² + r + ¼.
      let isUnder = (Double(dx * dx + dy * dy)).squareRoot() < Double(radius) + 0.5
      #expect(result[i] == (isUnder ? 200 : 0))
    }
    let twoValues = Self.result(.largest, of: .twoValues, radius, mask, size, .best, [0..<69])
    #expect(twoValues == result.map { $0 == 0 ? 0 : 255 })
  }

  @Test(arguments: [1, 7, 20])
  func `rows split anywhere into 1 to 7 bands give the same bits`(radius: Int) {
    var generator = SeededGenerator(seed: Self.seed)
    let size = ImageSize(61, 47)
    for pattern in [TestPattern.blobs, .noise] {
      let mask = pattern.bytes(size, seed: Self.seed)
      for extreme in Self.extremes {
        let expected = Self.reference(extreme, radius, mask, size)
        for processor in Processor.available {
          for parts in 1...7 {
            let bands = randomBands(of: size.height, parts: parts, &generator)
            #expect(Self.result(extreme, radius, mask, size, processor, bands) == expected, "\(bands)")
            let twoValues = Self.result(extreme, of: .twoValues, radius, mask, size, processor, bands)
            #expect(twoValues == expected.map { $0 < 128 ? 0 : 255 }, "\(bands)")
          }
        }
      }
    }
  }

  @Test(arguments: [1, 4, 9])
  func `repeating the mask's edge outside of it changes nothing`(radius: Int) {
    let (size, wide) = (ImageSize(23, 11), ImageSize(63, 51))
    let mask = TestPattern.noise.bytes(size, seed: Self.seed)
    let padded = (0..<wide.count).map { i -> UInt8 in
      let (x, y) = (min(max(i % 63 - 20, 0), 22), min(max(i / 63 - 20, 0), 10))
      return mask[y * 23 + x]
    }
    for extreme in Self.extremes {
      let result = Self.result(extreme, radius, mask, size, .best, [0..<11])
      let inside = Self.result(extreme, radius, padded, wide, .best, [0..<51])
      let middle = (0..<size.count).map { i -> UInt8 in
        let (x, y) = (i % 23 + 20, i / 23 + 20)
        return inside[y * 63 + x]
      }
      #expect(result == middle)
    }
  }
}
