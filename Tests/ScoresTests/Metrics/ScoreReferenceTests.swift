import Foundation
import Scores
import TestSupport
import Testing

/// Every score beside one that numpy, scipy and scikit-image computed of the same mattes by its definition.
@Suite(.long) struct ScoreReferenceTests {
  @Test(
    arguments: [
      MatteSequence(width: 61, height: 47, frames: 9, seed: 1),
      MatteSequence(width: 96, height: 64, frames: 8, seed: 2, lag: 2),
      MatteSequence(width: 130, height: 97, frames: 6, seed: 3, noise: 120),
    ])
  func `scores are those of the definitions`(sequence: MatteSequence) throws {
    let reference = try Self.reference(sequence)
    let frames = try #require(reference["frames"] as? [[String: Any]])
    #expect(frames.count == sequence.mattes.count)
    let memory = ScoreMemory(width: sequence.width, height: sequence.height)
    let features = MatteFeatures(width: sequence.width, height: sequence.height)
    var areas = AreaSeries()
    var lag = LagEstimate(limit: 4)
    for (i, expected) in frames.enumerated() {
      try sequence.withFrame(i) { matte, truth, grey in
        features.take(matte)
        let trueFeatures = TruthFeatures(truth, memory)
        let error = AlphaError(features, trueFeatures)
        expect("sad", error.sumOfAbsoluteDifferences, expected["sad"])
        expect("mse", error.meanSquaredError, expected["mse"])
        let boundary = try #require(expected["boundary"] as? [String: Any])
        expect("overlap", RegionOverlap.intersectionOverUnion(features, trueFeatures), expected["overlap"])
        let match = BoundaryMatch(features, trueFeatures)
        expect("precision", match.precision, boundary["precision"])
        expect("recall", match.recall, boundary["recall"])
        expect("f", match.f, boundary["f"])
        let gradient = try #require(expected["gradient"] as? Double)
        // In 16-bit fixed point.
        #expect(abs(GradientError.sum(features, trueFeatures, memory) - gradient) <= 1e-4 * max(1, gradient))
        expect("connectivity", ConnectivityError.sum(features, trueFeatures, memory), expected["connectivity"])
        let shape = MaskShape(features)
        let pieces = MaskPieces(features, memory)
        let shapes = try #require(expected["shape"] as? [String: Any])
        expect("area", shape.area, shapes["area"])
        expect("soft", shape.softShare, shapes["soft"])
        #expect(pieces.componentCount == shapes["components"] as? Int)
        #expect(pieces.holeCount == shapes["holes"] as? Int)
        #expect(pieces.holePixelCount == shapes["hole_pixels"] as? Int)
        let judged = MaskPieces(features, memory, truth: trueFeatures)
        #expect(judged.holePixelCount == expected["true_hole_pixels"] as? Int)
        expect("haze", Haze(features, trueFeatures).thousandths, expected["haze"])
        expect("alignment", EdgeAlignment.ratio(features, grey), expected["alignment"])
        let face = FaceCoverage.share(
          matte, columns: sequence.width / 3..<sequence.width + 5, rows: sequence.height / 4..<sequence.height / 2)
        expect("face", face, expected["face"])
        areas.append(shape.area)
        lag.add(ReducedPlane(matte), reference: ReducedPlane(truth))
        guard i > 0 else { return }
        sequence.withFrame(i - 1) { matteBefore, truthBefore, _ in
          let before = MatteFeatures(width: sequence.width, height: sequence.height)
          before.take(matteBefore)
          let packed = PackedMatte(width: sequence.width, height: sequence.height)
          packed.take(before)
          let change = TemporalError(
            features, after: packed, TruthChange(trueFeatures, after: TruthFeatures(truthBefore, memory)))
          expect("dtssd", change.rootMeanSquare, expected["dtssd"])
        }
      }
    }
    let series = try #require(reference["series"] as? [String: Any])
    expect("variation", areas.coefficientOfVariation, series["variation"])
    #expect(areas.dropOuts == series["drop_outs"] as? [Int])
    #expect(lag.frames == series["lag"] as? Int)
  }

  /// Equal but for the order in which floating-point sums were taken.
  private func expect(_ name: String, _ score: Double?, _ expected: Any?) {
    guard let score, let expected = expected as? Double else {
      #expect(score == nil && (expected == nil || expected is NSNull), "\(name): \(String(describing: score))")
      return
    }
    #expect(abs(score - expected) <= 1e-10 * max(1, abs(expected)), "\(name): \(score), not \(expected)")
  }

  private static func reference(_ sequence: MatteSequence) throws -> [String: Any] {
    let folder = try TemporaryFolder()
    var bytes = Data()
    for i in sequence.mattes.indices {
      for plane in [sequence.mattes[i], sequence.truths[i], sequence.greys[i]] { bytes.append(contentsOf: plane) }
    }
    try bytes.write(to: URL(fileURLWithPath: folder.path("mattes")))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("score_mattes.py")
      .path
    let result = try ChildProcess.run(
      Checkout.python,
      [script, "\(sequence.width)", "\(sequence.height)", "\(sequence.mattes.count)", folder.path("mattes")])
    try #require(result.status == 0, "\(result.errors)")
    return try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  }
}

extension MatteSequence: CustomTestStringConvertible {
  var testDescription: String { "\(width)x\(height)" }

  func withFrame(_ i: Int, _ body: (BytePlane, BytePlane, BytePlane) throws -> Void) rethrows {
    func plane(_ bytes: UnsafeBufferPointer<UInt8>) -> BytePlane {
      BytePlane(bytes.baseAddress!, width: width, height: height)
    }
    try mattes[i].withUnsafeBufferPointer { matte in
      try truths[i].withUnsafeBufferPointer { truth in
        try greys[i].withUnsafeBufferPointer { grey in try body(plane(matte), plane(truth), plane(grey)) }
      }
    }
  }
}
