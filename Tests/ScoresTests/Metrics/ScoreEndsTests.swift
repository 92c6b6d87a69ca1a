import Scores
import Testing

/// Scores where there is nothing to score, or nothing wrong.
@Suite struct ScoreEndsTests {
  private func withPlane(_ bytes: [UInt8], width: Int, _ body: (BytePlane) -> Void) {
    bytes.withUnsafeBufferPointer { body(BytePlane($0.baseAddress!, width: width, height: bytes.count / width)) }
  }

  private func features(_ matte: BytePlane) -> MatteFeatures {
    let features = MatteFeatures(width: matte.width, height: matte.height)
    features.take(matte)
    return features
  }

  private func packed(_ matte: BytePlane) -> PackedMatte {
    let packed = PackedMatte(width: matte.width, height: matte.height)
    packed.take(features(matte))
    return packed
  }

  @Test(arguments: [0, 255] as [UInt8])
  func `a flat matte has no edge, no hole and no error against itself`(value: UInt8) {
    withPlane([UInt8](repeating: value, count: 35), width: 7) { flat in
      let memory = ScoreMemory(width: 7, height: 5)
      let matte = features(flat)
      let truth = TruthFeatures(flat, memory)
      let pieces = MaskPieces(matte, memory)
      #expect(pieces.componentCount == (value == 255 ? 1 : 0))
      #expect(pieces.holeCount == 0 && MaskShape(matte).softCount == 0)
      #expect(MaskShape(matte).area == Double(value) / 255)
      #expect(AlphaError(matte, truth).absoluteSteps == 0)
      #expect(ConnectivityError.sum(matte, truth, memory) == 0)
      #expect(GradientError.sum(matte, truth, memory) == 0)
      #expect(BoundaryMatch(matte, truth).f == 1)
      #expect(EdgeAlignment.ratio(matte, flat) == nil)
      #expect(Haze(matte, truth).thousandths == (value == 255 ? nil : 0))
      #expect(MaskPieces(matte, memory, truth: truth).holeThousandths == (value == 255 ? 0 : nil))
    }
  }

  @Test func `one pixel is scored too`() {
    withPlane([200], width: 1) { pixel in
      withPlane([100], width: 1) { truth in
        let memory = ScoreMemory(width: 1, height: 1)
        let matte = features(pixel)
        #expect(AlphaError(matte, TruthFeatures(truth, memory)).absoluteSteps == 100)
        #expect(MaskPieces(matte, memory).componentCount == 1)
        #expect(BoundaryMatch(matte, TruthFeatures(truth, memory)).f == 1)
        #expect(ConnectivityError.sum(matte, TruthFeatures(truth, memory), memory) > 0)
      }
    }
  }

  @Test func `an edge that one of two mattes has alone matches nothing`() {
    let half = (0..<64).map { UInt8($0 % 8 < 4 ? 255 : 0) }
    withPlane(half, width: 8) { half in
      withPlane([UInt8](repeating: 0, count: 64), width: 8) { none in
        let memory = ScoreMemory(width: 8, height: 8)
        let match = BoundaryMatch(features(half), TruthFeatures(none, memory))
        #expect(match.precision == 0 && match.recall == 1 && match.f == 0)
        #expect(BoundaryMatch(features(none), TruthFeatures(half, memory)).f == 0)
      }
    }
  }

  @Test(arguments: [(640, 2), (1280, 4), (1, 1), (320, 1), (479, 1), (480, 2), (1920, 6)])
  func `the tolerance is 2 pixels per 640 of the width, rounded, and at least 1`(width: Int, expected: Int) {
    #expect(BoundaryMatch.tolerance(width: width) == expected)
  }

  @Test func `a face outside of the picture has no coverage`() {
    withPlane([255, 255, 0, 0], width: 2) { matte in
      #expect(FaceCoverage.share(matte, columns: 5..<9, rows: 0..<2) == nil)
      #expect(FaceCoverage.share(matte, columns: -3..<9, rows: -3..<9) == 0.5)
    }
  }

  @Test func `flicker is measured where nothing moves, and has no value where all does`() throws {
    let (width, height) = (96, 80)
    let sequence = MatteSequence(width: width, height: height, frames: 1, seed: 9)
    func colors(_ grey: [UInt8]) -> PlaneCopy<UInt8> {
      let rgb = grey.flatMap { [$0, $0, $0] }
      return PlaneCopy(rgb, count: rgb.count)
    }
    let (grey, matte) = (sequence.greys[0], sequence.truths[0])
    let finder = MovementFinder(width: width, height: height)
    let still = finder.still((colors(grey), colors(grey)), truth: nil, depth: nil)
    #expect(still.count == width * height)
    withPlane(matte, width: width) { before in
      // A tenth of the opacity is lost everywhere.
      withPlane(matte.map { $0 - $0 / 10 }, width: width) { dimmed in
        let steps = zip(matte, matte.map { $0 - $0 / 10 }).reduce(0) { $0 + Int($1.0 - $1.1) }
        let flicker = Flicker(features(dimmed), after: packed(before), still)
        #expect(flicker.thousandths == 1000 * Double(steps) / Double(255 * width * height))
      }
    }
    let inverted = colors(grey.map { 255 - $0 })
    let none = finder.still((inverted, colors(grey)), truth: nil, depth: nil)
    #expect(none.count == 0)
    withPlane(matte, width: width) { matte in
      #expect(Flicker(features(matte), after: packed(matte), none).thousandths == nil)
    }
  }

  @Test(arguments: [0, 1, 3])
  func `a matte that comes late is known to`(lag: Int) {
    let late = MatteSequence(width: 48, height: 40, frames: 14, seed: 4, lag: lag, noise: 5)
    var estimate = LagEstimate(limit: 6)
    for i in late.truths.indices {
      withPlane(late.truths[max(0, i - lag)], width: 48) { matte in
        withPlane(late.truths[i], width: 48) { estimate.add(ReducedPlane(matte), reference: ReducedPlane($0)) }
      }
    }
    #expect(estimate.frames == lag)
    #expect(estimate.frameCount == 8)
  }

  @Test func `a matte without anything has no lag`() {
    let moving = MatteSequence(width: 48, height: 40, frames: 14, seed: 4, lag: 0, noise: 5)
    var estimate = LagEstimate(limit: 6)
    for truth in moving.truths {
      withPlane([UInt8](repeating: 0, count: truth.count), width: 48) { matte in
        withPlane(truth, width: 48) { estimate.add(ReducedPlane(matte), reference: ReducedPlane($0)) }
      }
    }
    #expect(estimate.frameCount == 8 && estimate.frames == nil)
  }

  @Test func `drop-outs are frames where the person is all but gone`() {
    #expect(AreaSeries([0.2, 0.21, 0, 0.19, 0.04, 0.2]).dropOuts == [2, 4])
    #expect(AreaSeries([0, 0]).dropOuts.isEmpty && AreaSeries([0, 0]).coefficientOfVariation == nil)
    #expect(AreaSeries([0.3, 0.3]).coefficientOfVariation == 0)
    #expect(AreaSeries().coefficientOfVariation == nil)
  }
}
