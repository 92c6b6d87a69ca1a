import Kernels
import Support
import TestSupport
import Testing

/// Blur, comic and light wrap in C against their formulas in plain Swift, bit by bit.
@Suite struct SoftEffectsTests {
  static let sizes = [
    ImageSize(1, 1), ImageSize(1, 37), ImageSize(41, 1), ImageSize(2, 2), ImageSize(3, 5), ImageSize(17, 33),
    ImageSize(32, 16), ImageSize(61, 47),
  ]

  static func picture(_ size: ImageSize, _ pattern: TestPattern, seed: UInt64 = 5) -> [UInt8] {
    pattern.bytes(ImageSize(3 * size.width, size.height), seed: seed)
  }

  static func matte(_ size: ImageSize, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var matte: [UInt8] = []
    while matte.count < size.count {
      let value = [0, 255, UInt8(generator.next(below: 256))][generator.next(below: 3)]
      matte += [UInt8](repeating: value, count: 1 + generator.next(below: 30))
    }
    return Array(matte.prefix(size.count))
  }

  /// What a kernel makes on every processor and several threads; all of it has to be the same.
  private static func everyWay(
    _ size: ImageSize, _ body: (Processor, BandRunner, UnsafeMutablePointer<UInt8>) -> Void
  ) -> [UInt8] {
    var results: [[UInt8]] = []
    for processor in Processor.available {
      for threadCount in [1, 2, 5] {
        var out = GuardedOutput<UInt8>(count: 3 * size.count, poison: 0xA5)
        out.write { body(processor, BandRunner(threadCount: threadCount), $0) }
        #expect(out.guardsHold(0xA5))
        results.append(out.samples)
      }
    }
    #expect(results.allSatisfy { areSame($0, results[0]) }, "\(size)")
    return results[0]
  }

  @Test(arguments: sizes)
  func `C.16: the variable blur gives its reference's bits at any size, radius and matte`(size: ImageSize) {
    for (radius, pattern) in [(1.0, TestPattern.noise), (3, .extremes), (10, .noise), (40, .blobs), (64, .ones)] {
      let picture = Self.picture(size, pattern)
      for seed in [UInt64(1), 2] {
        let matte = Self.matte(size, seed: seed)
        var expected: [UInt8] = []
        let out = Self.everyWay(size) { processor, bands, out in
          let blur = VariableBlur(
            radius: radius, width: size.width, height: size.height, threadCount: bands.threadCount,
            processor: processor)
          if expected.isEmpty { expected = blur.reference(picture, matte: matte) }
          blur.apply(picture, matte: matte, to: out, bands: bands)
        }
        #expect(areSame(out, expected), "\(size), radius \(radius)")
      }
    }
  }

  @Test(arguments: sizes)
  func `C.17: the comic gives its reference's bits at any size`(size: ImageSize) {
    for pattern in TestPattern.allCases {
      let picture = Self.picture(size, pattern)
      var expected: [UInt8] = []
      let out = Self.everyWay(size) { processor, bands, out in
        let comic = Comic(
          width: size.width, height: size.height, threadCount: bands.threadCount, processor: processor)
        if expected.isEmpty { expected = comic.reference(picture) }
        comic.apply(picture, to: out, bands: bands)
      }
      #expect(areSame(out, expected), "\(size) \(pattern)")
    }
  }

  @Test
  func `C.17: a comic that is drawn round a person is the same wherever the matte is not 255`() {
    let size = ImageSize(61, 47)
    let picture = Self.picture(size, .noise)
    let matte = Self.matte(size, seed: 9)
    let comic = Comic(width: size.width, height: size.height, threadCount: 1)
    var (whole, part) = (picture, [UInt8](repeating: 0, count: picture.count))
    let bands = BandRunner(threadCount: 1)
    comic.apply(picture, to: &whole, bands: bands)
    comic.apply(picture, matte: matte, to: &part, bands: bands)
    #expect(whole.indices.allSatisfy { matte[$0 / 3] == 255 || whole[$0] == part[$0] })
    // In place, as a filter.
    var inPlace = picture
    inPlace.withUnsafeMutableBufferPointer { comic.apply($0.baseAddress!, to: $0.baseAddress!, bands: bands) }
    #expect(areSame(inPlace, whole))
  }

  @Test(arguments: sizes)
  func `light wrap gives its reference's bits at any size, amount and radius`(size: ImageSize) {
    for (amount, radius, pattern) in [(1.0, 12.0, TestPattern.noise), (0.3, 1, .extremes), (1, 64, .ones)] {
      let background = Self.picture(size, pattern)
      let matte = Self.matte(size, seed: 4)
      let composite = Self.picture(size, .noise, seed: 8)
      var expected: [UInt8] = []
      let out = Self.everyWay(size) { processor, bands, out in
        let wrap = LightWrap(
          amount: amount, radius: radius, width: size.width, height: size.height, threadCount: bands.threadCount,
          processor: processor)
        if expected.isEmpty {
          expected = wrap.reference(background: background, matte: matte, composite: composite)
        }
        out.update(from: composite, count: composite.count)
        wrap.apply(background: background, matte: matte, to: out, bands: bands)
      }
      #expect(areSame(out, expected), "\(size), radius \(radius)")
    }
  }

  @Test(arguments: [1, 7, 10, 33])
  func `where the matte is 255 the blur changes nothing, and one colour stays that colour`(radius: Int) {
    let size = ImageSize(61, 47)
    let picture = Self.picture(size, .noise)
    let matte = Self.matte(size, seed: 3)
    let blur = VariableBlur(radius: Double(radius), width: size.width, height: size.height, threadCount: 1)
    var out = picture
    blur.apply(picture, matte: matte, to: &out, bands: BandRunner(threadCount: 1))
    #expect(picture.indices.allSatisfy { matte[$0 / 3] < 255 || out[$0] == picture[$0] })
    for value in [UInt8(0), 1, 127, 254, 255] {
      let flat = [UInt8](repeating: value, count: picture.count)
      blur.apply(flat, matte: matte, to: &out, bands: BandRunner(threadCount: 1))
      #expect(areSame(out, flat), "\(value)")
    }
  }
}
