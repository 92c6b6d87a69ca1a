import Kernels
import Support
import TestSupport
import Testing

@Suite struct DepthFilterTests {
  static let sizes = [(1, 1), (1, 7), (9, 1), (2, 2), (17, 5), (31, 33), (33, 66), (130, 37)]

  /// Surfaces with noise, edges, holes, and the extremes.
  static func rough(_ width: Int, _ height: Int, seed: UInt64) -> [UInt16] {
    var generator = SeededGenerator(seed: seed)
    return (0..<width * height).map { i in
      switch generator.next(below: 12) {
      case 0, 1: return 0
      case 2: return 65_535
      case 3: return 1
      case 4: return UInt16(generator.next(below: 65_536))
      default: return UInt16((i % width > width / 2 ? 900 : 1000) + generator.next(below: 40))
      }
    }
  }

  private func processed(_ depth: [UInt16], _ body: (UnsafeMutablePointer<UInt16>) -> Void) -> [UInt16] {
    var copy = depth
    copy.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    return copy
  }

  @Test(arguments: sizes, [1, 2, 3, 4, 5, 6, 7, 8])
  func `each block becomes the median of its measured pixels, the lower one of an even number`(
    size: (Int, Int), factor: Int
  ) {
    let (width, height) = size
    for (seed, processor) in Processor.available.enumerated() {
      let depth = Self.rough(width, height, seed: UInt64(seed + factor))
      let decimation = DepthDecimation(width: width, height: height, factor: factor, processor: processor)
      let expected = DepthDecimation.reference(depth, width: width, height: height, factor: factor)
      for threadCount in [1, 2, 5] {
        var smaller = [UInt16](repeating: 7, count: decimation.smallerWidth * decimation.smallerHeight)
        smaller.withUnsafeMutableBufferPointer { target in
          let base = target.baseAddress!
          BandRunner(threadCount: threadCount).run(rowCount: decimation.smallerHeight) { rows in
            decimation.apply(depth, to: base, rows: rows)
          }
        }
        #expect(areSame(smaller, expected))
      }
    }
  }

  @Test
  func `a block's median is a distance that was measured: written out`() {
    let depth: [UInt16] = [
      0, 0, 10, 20, 5,
      0, 0, 30, 40, 0,
      0, 9, 7, 0, 0,
    ]
    #expect(
      DepthDecimation.reference(depth, width: 5, height: 3, factor: 2) == [
        0, 20, 5,
        9, 7, 0,
      ])
  }

  @Test(arguments: sizes)
  func `the spatial filter is its reference on any size, processor and number of threads`(width: Int, height: Int) {
    for (alpha, delta) in [(0.25, 20), (0.5, 1), (0.61, 1000), (1, 50)] {
      for processor in Processor.available {
        let depth = Self.rough(width, height, seed: UInt64(delta))
        for threadCount in [1, 2, 5] {
          let filter = DepthSpatialFilter(
            width: width, height: height, alpha: alpha, deltaMillimeters: delta, threadCount: threadCount,
            processor: processor)
          let result = processed(depth) { filter.apply($0, bands: BandRunner(threadCount: threadCount)) }
          #expect(areSame(result, filter.reference(depth)))
          #expect(alpha < 1 || areSame(result, depth))
        }
      }
    }
  }

  @Test
  func `the spatial filter takes noise from a surface, and leaves an edge and holes where they are`() {
    var generator = SeededGenerator(seed: 4)
    let (width, height) = (64, 48)
    let depth: [UInt16] = (0..<width * height).map { i in
      if i % 97 == 0 { return 0 }
      return UInt16((i % width < 30 ? 800 : 2000) + generator.next(below: 11))
    }
    let filter = DepthSpatialFilter(
      width: width, height: height, alpha: 0.5, deltaMillimeters: 20, threadCount: 1)
    var result = depth
    for _ in 0..<2 { result = processed(result) { filter.apply($0, bands: BandRunner(threadCount: 1)) } }
    func deviation(_ plane: [UInt16]) -> Double {
      let near = plane.indices.filter { $0 % width < 30 && plane[$0] != 0 }.map { Double(plane[$0]) - 805 }
      return (near.reduce(0) { $0 + $1 * $1 } / Double(near.count)).squareRoot()
    }
    #expect(deviation(depth) > 3 && deviation(result) < 1)
    for i in depth.indices {
      #expect((result[i] == 0) == (depth[i] == 0))
      #expect(result[i] == 0 || (result[i] < 1000) == (i % width < 30))
    }
  }

  @Test(arguments: DepthPersistence.allCases)
  func `a pixel follows its past by the rule, whatever the codes`(persistence: DepthPersistence) {
    let (width, height) = (21, 3)
    for processor in Processor.available {
      for (alpha, delta) in [(0.4, 20), (0.05, 1000), (1, 1)] {
        let following = DepthFollowing(
          width: width, height: height, alpha: alpha, deltaMillimeters: delta, persistence: persistence,
          processor: processor)
        var references = [DepthFollowing.Reference](
          repeating: .init(alpha: alpha, deltaMillimeters: delta, persistence: persistence), count: width * height)
        for frame in 0..<24 {
          let depth = Self.rough(width, height, seed: UInt64(frame + 100)).map { frame % 5 == 3 ? 0 : $0 }
          let result = processed(depth) { plane in
            BandRunner(threadCount: 1 + frame % 3).run(rowCount: height) { following.apply(plane, rows: $0) }
          }
          #expect(result == depth.indices.map { references[$0].next(depth[$0]) })
        }
      }
    }
  }

  @Test
  func `with a small share depth still arrives where it is heading`() {
    var pixel = DepthFollowing.Reference(alpha: 0.05, deltaMillimeters: 20, persistence: .never)
    _ = pixel.next(1000)
    let last = (0..<200).map { _ in pixel.next(1010) }.last
    #expect(last == 1010)
  }

  @Test
  func `E.25: depth lies between the frames before and after, and holes are filled from them`() {
    var generator = SeededGenerator(seed: 9)
    let values: [UInt16] = [0, 1, 999, 1000, 1001, 1019, 1020, 1021, 2000, 65_534, 65_535]
    let count = 1003
    func plane() -> [UInt16] { (0..<count).map { _ in values[Int(generator.next(below: values.count))] } }
    for processor in Processor.available {
      for delta in [0, 20, 1000] {
        let (before, depth, after) = (plane(), plane(), plane())
        var result = depth
        result.withUnsafeMutableBufferPointer { out in
          DepthInterpolation.apply(
            before: before, depth, after: after, deltaMillimeters: delta, to: out.baseAddress!, count: count,
            processor: processor)
        }
        #expect(
          result
            == depth.indices.map {
              DepthInterpolation.reference(before[$0], depth[$0], after[$0], deltaMillimeters: delta)
            })
        // Against the formula in double precision: within half a millimetre.
        for i in depth.indices where depth[i] != 0 {
          func near(_ other: UInt16) -> Double {
            other != 0 && abs(Int(other) - Int(depth[i])) <= delta ? Double(other) : Double(depth[i])
          }
          #expect(abs(Double(result[i]) - (near(before[i]) + 2 * Double(depth[i]) + near(after[i])) / 4) <= 0.5)
        }
      }
    }
  }

  @Test(arguments: sizes)
  func `a hole gets the farthest of the nearest measured pixels along its row and column`(width: Int, height: Int) {
    var generator = SeededGenerator(seed: 12)
    for processor in Processor.available {
      for share in [1, 5, 9, 10] {
        let depth = Self.rough(width, height, seed: UInt64(share)).map {
          generator.next(below: 10) < share ? 0 : $0
        }
        let expected = DepthFill.reference(depth, width: width, height: height)
        for threadCount in [1, 2, 5] {
          let fill = DepthFill(width: width, height: height, processor: processor)
          #expect(areSame(processed(depth) { fill.apply($0, bands: BandRunner(threadCount: threadCount)) }, expected))
        }
      }
    }
  }
}
