import Kernels
import Support
import Testing

@Suite struct PackedSamplesTests {
  /// The highest bit first, without gaps.
  private static func pack(_ samples: [UInt16], _ width: PackedSamples.Width) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: PackedSamples.byteCount(width, count: samples.count))
    var position = 0
    for sample in samples {
      for bit in (0..<width.rawValue).reversed() {
        bytes[position / 8] |= UInt8(sample >> bit & 1) << (7 - position % 8)
        position += 1
      }
    }
    return bytes
  }

  @Test(arguments: PackedSamples.Width.allCases)
  func `every sample comes back, at any count`(_ width: PackedSamples.Width) {
    var generator = SeededGenerator(seed: 5)
    for count in [0, 1, 7, 8, 9, 16, 63, 640, 2048, 4099] {
      let largest = 1 << width.rawValue
      let samples = (0..<count).map { i in
        UInt16(
          count == 2048 ? i % largest : [0, largest - 1, generator.next(below: largest)][generator.next(below: 3)])
      }
      // No byte more than there must be: reading past the end is seen where memory is guarded.
      let packed = Self.pack(samples, width)
      var output = GuardedOutput<UInt16>(count: count, poison: 0x5A5A)
      packed.withUnsafeBufferPointer { source in
        guard let base = source.baseAddress else { return }
        output.write { PackedSamples.unpack(base, width, to: $0, count: count) }
      }
      #expect(output.samples == samples, "\(count) samples")
      #expect(output.guardsHold(0x5A5A))
      var plain = GuardedOutput<UInt16>(count: count, poison: 0x5A5A)
      packed.withUnsafeBufferPointer { source in
        guard let base = source.baseAddress else { return }
        plain.write { PackedSamples.unpackOneByOne(base, width, to: $0, samples: 0..<count) }
      }
      #expect(plain.samples == samples)
    }
  }

  @Test(arguments: [0, 2, 6, 14, 16, 18, 30, 32, 34, 1280]) func `the bytes of pairs change places`(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 1 + $0 &* 7) }
    var output = GuardedOutput<UInt8>(count: count, poison: 0xEE)
    // At no address in particular.
    ([0] + bytes).withUnsafeBufferPointer { source in
      output.write { PackedSamples.swapPairs(source.baseAddress! + 1, to: $0, byteCount: count) }
    }
    #expect(output.samples == (0..<count).map { bytes[$0 ^ 1] })
    #expect(output.guardsHold(0xEE))
  }
}
