import Kernels
import Support
import TestSupport
import Testing

@Suite struct BlendTests {
  private static let seed: UInt64 = 4

  /// By all processors, which must agree.
  private static func blended(
    _ foreground: [UInt8], _ background: [UInt8], _ matte: [UInt8], from start: Int = 0
  ) -> [UInt8] {
    let count = matte.count - start
    let results = Processor.available.map { processor in
      var out = GuardedOutput<UInt8>(count: 3 * count, poison: 0x5A)
      foreground.withUnsafeBufferPointer { foreground in
        background.withUnsafeBufferPointer { background in
          matte.withUnsafeBufferPointer { matte in
            out.write {
              Blend.rgb(
                foreground: foreground.baseAddress! + 3 * start,
                background: background.baseAddress! + 3 * start,
                matte: matte.baseAddress! + start, to: $0, count: count, processor: processor)
            }
          }
        }
      }
      #expect(out.guardsHold(0x5A))
      return out.samples
    }
    #expect(results.allSatisfy { $0 == results[0] })
    return results[0]
  }

  private static func reference(_ foreground: [UInt8], _ background: [UInt8], _ matte: [UInt8]) -> [UInt8] {
    foreground.indices.map {
      Blend.reference(foreground: foreground[$0], background: background[$0], matte: matte[$0 / 3])
    }
  }

  @Test
  func `the reference is the exact mean, rounded to nearest, of all values`() {
    var wrong = 0
    for matte in UInt8.min...UInt8.max {
      for near in UInt8.min...UInt8.max {
        for far in [UInt8(0), 1, 77, 128, 254, 255] {
          let exact = Double(matte) * Double(near) + Double(255 - matte) * Double(far)
          let out = Blend.reference(foreground: near, background: far, matte: matte)
          // 255 is odd: there is no tie.
          if out != UInt8((exact / 255).rounded()) { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [0, 1, 77, 128, 254, 255])
  func `the kernel gives the reference's bits for all values`(far: Int) {
    var foreground: [UInt8] = []
    var matte: [UInt8] = []
    for near in UInt8.min...UInt8.max {
      for m in UInt8.min...UInt8.max {
        foreground += [near, 255 - near, near ^ 0x55]
        matte.append(m)
      }
    }
    let background = (0..<foreground.count).map { UInt8((far + $0 % 3) & 255) }
    #expect(
      Self.blended(foreground, background, matte) == Self.reference(foreground, background, matte))
  }

  @Test
  func `any number of pixels from any start: opaque and clear runs, their ends and what lies between`() {
    var generator = SeededGenerator(seed: Self.seed)
    for count in 1...140 {
      var matte: [UInt8] = []
      while matte.count < count {
        let run = 1 + generator.next(below: 80)
        let value = [0, 255, UInt8(generator.next(below: 256))][generator.next(below: 3)]
        matte += [UInt8](repeating: value, count: run)
      }
      matte = Array(matte.prefix(count))
      let foreground = (0..<3 * count).map { _ in UInt8(generator.next(below: 256)) }
      let background = (0..<3 * count).map { _ in UInt8(generator.next(below: 256)) }
      let start = generator.next(below: count)
      let expected = Self.reference(foreground, background, matte)
      #expect(
        Self.blended(foreground, background, matte, from: start) == Array(expected[(3 * start)...]),
        "\(count) pixels from \(start)")
    }
  }

  @Test(arguments: 0..<32)
  func `one pixel among 32 that differs is blended, wherever it is`(position: Int) {
    let foreground = [UInt8](repeating: 200, count: 96)
    let background = [UInt8](repeating: 10, count: 96)
    for (around, alone) in [(UInt8(0), UInt8(1)), (255, 254), (0, 255), (255, 0)] {
      var matte = [UInt8](repeating: around, count: 32)
      matte[position] = alone
      #expect(
        Self.blended(foreground, background, matte) == Self.reference(foreground, background, matte))
    }
  }
}
