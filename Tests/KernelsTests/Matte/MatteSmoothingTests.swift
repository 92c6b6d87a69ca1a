import Foundation
import Kernels
import Support
import Testing

@Suite struct MatteSmoothingTests {
  private static let seed: UInt64 = 4_711

  /// Mattes with flat and mixed blocks, which change from frame to frame.
  private static func mattes(_ size: ImageSize, count: Int) -> [[Int16]] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { n in
      let pattern = TestPattern.allCases[n % TestPattern.allCases.count]
      return pattern.bytes(size, seed: seed + UInt64(n)).map { byte in
        byte == 0 || byte == 255 ? Int16(byte) * 64 : Int16(byte) * 64 + Int16(generator.next(below: 64))
      }
    }
  }

  @Test(
    arguments: ImageSize.odd,
    [MatteSmoothing.Rule.average, .uncertainty])
  func `the kernels give the rule's bits, and blocks tell the truth`(size: ImageSize, rule: MatteSmoothing.Rule) {
    for weight in [0, 0.15, 0.7, 0.98] {
      let mattes = Self.mattes(size, count: 9)
      for processor in Processor.available {
        for threadCount in [1, 2, 5] {
          let smoothing = MatteSmoothing(
            rule, weight: weight, width: size.width, height: size.height, processor: processor)
          var old = [UInt16?](repeating: nil, count: size.count)
          for matte in mattes {
            smoothing.apply(
              MatteSamples(packed: matte, width: size.width, height: size.height),
              bands: BandRunner(threadCount: threadCount))
            let expected = matte.indices.map { smoothing.reference(matte[$0], old: old[$0]) }
            old = expected.map(\.old)
            #expect(smoothing.output.packed == expected.map(\.sample), "\(processor) \(weight)")
            expectBlocksTellTheTruth(smoothing.output)
          }
        }
      }
    }
  }

  @Test(arguments: [MatteSmoothing.Rule.average, .uncertainty], [0.15, 0.5, 0.85, 0.98])
  func `a sequence stays within 1/255 of new + (old − new) · w · u in double precision`(
    rule: MatteSmoothing.Rule, weight: Double
  ) {
    let size = ImageSize(33, 17)
    let smoothing = MatteSmoothing(rule, weight: weight, width: 33, height: 17)
    var exact: [Double]?
    var worst = 0.0
    for matte in Self.mattes(size, count: 60) {
      smoothing.apply(MatteSamples(packed: matte, width: 33, height: 17), bands: BandRunner(threadCount: 1))
      let new = matte.map { Double($0) / Double(MatteSamples.one) }
      let old = exact ?? new
      exact = new.indices.map { i in
        let p = new[i]
        let entropy = p <= 0 || p >= 1 ? 0 : -(p * Foundation.log2(p) + (1 - p) * Foundation.log2(1 - p))
        return p + (old[i] - p) * weight * (rule == .average ? 1 : entropy * entropy)
      }
      for (sample, value) in zip(smoothing.output.packed, exact!) {
        worst = max(worst, abs(Double(sample) / 64 - 255 * value))
      }
    }
    print("Smoothing \(rule) \(weight): at most \(worst) of 255 from double precision")
    #expect(worst <= 0.5, "so that the finished byte is within 1/255")
  }

  @Test
  func `u is 1 where the matte is ½, 0 where it is sure, and what MediaPipe's fit gives between`() {
    #expect(MatteSmoothing.uncertainty(0.5) == 1)
    #expect(MatteSmoothing.uncertainty(0) == 0 && MatteSmoothing.uncertainty(1) == 0)
    for (p, u) in [(0.25, 0.658), (0.75, 0.658), (0.1, 0.220), (0.9, 0.220), (0.4, 0.943)] {
      #expect(abs(MatteSmoothing.uncertainty(p) - u) < 0.002, "\(p)")
    }
  }

  @Test(arguments: [0.5, 0.98])
  func `what stands still is reached exactly, and becomes flat again`(weight: Double) {
    let smoothing = MatteSmoothing(.average, weight: weight, width: 32, height: 1)
    let bands = BandRunner(threadCount: 1)
    smoothing.apply(
      MatteSamples(packed: [Int16](repeating: MatteSamples.one, count: 32), width: 32, height: 1), bands: bands)
    let next = [Int16](repeating: 0, count: 16) + [Int16](repeating: 777, count: 16)
    smoothing.apply(MatteSamples(packed: next, width: 32, height: 1), bands: bands)
    #expect(smoothing.output.packed.allSatisfy { $0 > 1000 }, "it lags first")
    for _ in 0..<1000 { smoothing.apply(MatteSamples(packed: next, width: 32, height: 1), bands: bands) }
    #expect(smoothing.output.packed == next)
    #expect(smoothing.output.blocks[0] == 0)
  }

  @Test
  func `one that carries on gives what the old one would have given; a reset one begins anew`() {
    let size = ImageSize(19, 5)
    let mattes = Self.mattes(size, count: 4)
    func samples(_ matte: [Int16]) -> MatteSamples { MatteSamples(packed: matte, width: 19, height: 5) }
    let bands = BandRunner(threadCount: 1)
    let old = MatteSmoothing(.average, weight: 0.6, width: 19, height: 5)
    for matte in mattes[0..<3] { old.apply(samples(matte), bands: bands) }
    let new = MatteSmoothing(.average, weight: 0.6, width: 19, height: 5)
    new.carryOn(from: old)
    let other = MatteSmoothing(.average, weight: 0.6, width: 20, height: 5)
    other.carryOn(from: old)
    new.apply(samples(mattes[3]), bands: bands)
    old.apply(samples(mattes[3]), bands: bands)
    #expect(new.output.packed == old.output.packed && new.output.packed != mattes[3])
    let wider = mattes[3].prefix(19) + [5]
    other.apply(
      MatteSamples(packed: Array(repeating: wider, count: 5).flatMap { $0 }, width: 20, height: 5), bands: bands)
    #expect(Array(other.output.packed.prefix(20)) == Array(wider), "of another size, it begins anew")
  }
}
