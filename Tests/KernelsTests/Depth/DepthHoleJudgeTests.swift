import Kernels
import Testing

@Suite struct DepthHoleJudgeTests {
  /// The kinds in one row after several frames of it.
  private func kinds(_ frames: [[UInt16]], _ side: DepthHoleJudge.ShadowSide = .either) -> [DepthHole] {
    let judge = DepthHoleJudge(width: frames[0].count, height: 1, shadowSide: side)
    var kinds = [UInt8](repeating: 99, count: frames[0].count)
    for frame in frames {
      kinds.withUnsafeMutableBufferPointer { judge.judge(frame, to: $0.baseAddress!, rows: 0..<1) }
    }
    return kinds.map { DepthHole(rawValue: $0)! }
  }

  private func row(_ parts: (UInt16, Int)...) -> [UInt16] {
    parts.flatMap { Array(repeating: $0.0, count: $0.1) }
  }

  @Test
  func `beside a near surface a hole is its shadow, on the side where the camera casts one`() {
    let left = row((2500, 30), (0, 6), (900, 40), (2500, 24))
    #expect(kinds([left])[30..<36].allSatisfy { $0 == .shadow })
    #expect(kinds([left], .left)[30..<36].allSatisfy { $0 == .shadow })
    #expect(kinds([left], .right)[30..<36].allSatisfy { $0 == .neverMeasured })
    #expect(kinds([left])[0..<30].allSatisfy { $0 == .measured })
  }

  @Test
  func `a hole that is longer than a shadow can be is none`() {
    // 0.9 · 100 px · 75 mm · (1/900 − 1/1100) · 1.5 + 2 = 4.04 pixels.
    let four = row((1100, 40), (0, 4), (900, 56))
    let five = row((1100, 40), (0, 5), (900, 55))
    #expect(kinds([four])[40] == .shadow)
    #expect(kinds([five])[40] == .neverMeasured)
  }

  @Test
  func `what came near and was lost is too near; what was near and stood still is not known`() {
    let far = row((2000, 30))
    let hand = { (distance: UInt16) in self.row((2000, 10), (distance, 10), (2000, 10)) }
    let approaching = [far, far, hand(800), hand(700), hand(590), hand(0)]
    #expect(kinds(approaching)[10..<20].allSatisfy { $0 == .tooNear })
    #expect(kinds(approaching + [hand(0), hand(0)])[10..<20].allSatisfy { $0 == .tooNear })
    let still = [[UInt16]](repeating: hand(590), count: 30) + [hand(0)]
    #expect(kinds(still)[10..<20].allSatisfy { $0 == .unknown })
    #expect(kinds([row((500, 10), (0, 10), (550, 10))])[10..<20].allSatisfy { $0 == .tooNear })
  }

  @Test
  func `far away, by what was there or by what is beside it, a hole is too far`() {
    let wall = row((4500, 30))
    #expect(kinds([wall, row((0, 30))]).allSatisfy { $0 == .tooFar })
    #expect(kinds([row((4200, 10), (0, 10), (4100, 10))])[10..<20].allSatisfy { $0 == .tooFar })
  }

  @Test
  func `a hole since the start was never measured, and one of no other reason is not known`() {
    let never = row((1500, 10), (0, 10), (1500, 10))
    #expect(kinds([never, never])[10..<20].allSatisfy { $0 == .neverMeasured })
    #expect(kinds([row((1500, 30)), never])[10..<20].allSatisfy { $0 == .unknown })
    #expect(kinds([row((0, 7))]).allSatisfy { $0 == .neverMeasured })
  }

  @Test
  func `kinds of many rows do not depend on how they were split, and a reset forgets`() {
    let (width, height) = (37, 23)
    let frames = (0..<5).map { DepthFilterTests.rough(width, height, seed: UInt64($0)) }
    func run(_ threadCount: Int, _ judge: DepthHoleJudge) -> [UInt8] {
      var kinds = [UInt8](repeating: 99, count: width * height)
      for frame in frames {
        kinds.withUnsafeMutableBufferPointer { target in
          let base = target.baseAddress!
          BandRunner(threadCount: threadCount).run(rowCount: height) { judge.judge(frame, to: base, rows: $0) }
        }
      }
      return kinds
    }
    func judge() -> DepthHoleJudge { DepthHoleJudge(width: width, height: height, shadowSide: .either) }
    let expected = run(1, judge())
    #expect(run(2, judge()) == expected)
    #expect(run(5, judge()) == expected)
    #expect(zip(expected, frames[4]).allSatisfy { ($0 == DepthHole.measured.rawValue) == ($1 != 0) })
  }
}
