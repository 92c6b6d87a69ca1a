import CKernels
import Scores
import Support
import Testing

/// Every fast form of a score beside its plain one, on every processor's kernels.
@Suite struct PlainScoreTests {
  private static let processors: [RTKProcessor] =
    rtk_processor() == RTKProcessorPlain ? [RTKProcessorPlain] : [RTKProcessorPlain, RTKProcessorAVX2]

  @Test(arguments: TestMattes.sizes)
  func `scores of pairs of mattes equal their plain forms, bit for bit`(size: [Int]) {
    let (width, height) = (size[0], size[1])
    let components = PlainComponents(width: width, height: height)
    let planes = TestMattes.allCases.enumerated().map {
      $0.element.plane(width: width, height: height, seed: UInt64($0.offset + 1))
    }
    for processor in Self.processors {
      // The same memory for all of them: nothing may be left over from the one before.
      let memory = ScoreMemory(width: width, height: height, processor)
      let features = MatteFeatures(width: width, height: height, processor)
      let other = MatteFeatures(width: width, height: height, processor)
      let packed = PackedMatte(width: width, height: height)
      for (j, truth) in planes.enumerated() {
        let trueFeatures = truth.withPlane { TruthFeatures($0, memory) }
        for (i, matte) in planes.enumerated() {
          let name = "\(TestMattes.allCases[i]) beside \(TestMattes.allCases[j]) by \(processor)"
          matte.withPlane { matte in features.take(matte) }
          let match = BoundaryMatch(features, trueFeatures)
          let expectedMatch = PlainScores.boundary(matte, truth)
          expect(match.precision, expectedMatch.precision, "precision", name)
          expect(match.recall, expectedMatch.recall, "recall", name)
          expect(
            RegionOverlap.intersectionOverUnion(features, trueFeatures), PlainScores.overlap(matte, truth), "overlap",
            name)
          expect(
            GradientError.sum(features, trueFeatures, memory), PlainSlopes(matte).error(PlainSlopes(truth)), "gradient",
            name)
          expect(
            ConnectivityError.sum(features, trueFeatures, memory),
            PlainScores.connectivity(matte, truth, components), "connectivity", name)
          expect(
            EdgeAlignment.ratio(features, trueFeatures.plane), PlainScores.alignment(matte, truth), "alignment", name)
          let error = AlphaError(features, trueFeatures)
          let expected = PlainScores.differences(matte, truth)
          #expect(error.absoluteSteps == expected.absolute && error.squaredSteps == expected.squared, "sums: \(name)")
          // Each is the other's frame before.
          packed.take(truth.features(other))
          let change = TemporalError(
            features, after: packed,
            TruthChange(trueFeatures, after: matte.withPlane { TruthFeatures($0, memory) }))
          #expect(
            change.squaredSteps == PlainScores.changes(matte, after: truth, truth, after: matte), "changes: \(name)")
        }
      }
    }
  }

  @Test(arguments: TestMattes.sizes)
  func `what a matte looks like by itself equals its plain form`(size: [Int]) {
    let (width, height) = (size[0], size[1])
    let components = PlainComponents(width: width, height: height)
    for processor in Self.processors {
      let memory = ScoreMemory(width: width, height: height, processor)
      let features = MatteFeatures(width: width, height: height, processor)
      for (i, pattern) in TestMattes.allCases.enumerated() {
        let matte = pattern.plane(width: width, height: height, seed: UInt64(i + 31))
        let shape = MaskShape(matte.features(features))
        #expect(shape.areaSteps == matte.samples.reduce(0) { $0 + Int($1) }, "\(pattern)")
        #expect(shape.softCount == matte.samples.count { (13...242).contains($0) }, "\(pattern)")
        let pieces = MaskPieces(features, memory)
        #expect(
          [pieces.componentCount, pieces.holeCount, pieces.holePixelCount] == PlainScores.pieces(matte, components),
          "\(pattern)")
        #expect(matte.samples.elementsEqual(UnsafeBufferPointer(start: features.plane.samples, count: width * height)))
        let colors = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        let contrast = EdgeContrast(features, colors)
        #expect((contrast.steps, contrast.pairCount) == PlainScores.contrast(matte, colors), "\(pattern)")
        let box = (columns: -1..<width * 2 / 3 + 1, rows: height / 3..<height + 4)
        let inside = matte.samples.indices.filter {
          box.columns.contains($0 % width) && box.rows.contains($0 / width)
        }
        let share = Double(inside.reduce(0) { $0 + Int(matte.samples[$1]) }) / (255 * Double(inside.count))
        for (j, truth) in TestMattes.allCases.enumerated() {
          let truth = truth.plane(width: width, height: height, seed: UInt64(j + 5))
          let judged = truth.withPlane { MaskPieces(features, memory, truth: TruthFeatures($0, memory)) }
          #expect(judged.componentCount == pieces.componentCount && judged.holeCount == pieces.holeCount)
          #expect(judged.holePixelCount == PlainScores.pieces(matte, components, truth: truth)[2], "\(pattern)")
        }
        expect(
          FaceCoverage.share(features.plane, columns: box.columns, rows: box.rows, processor), share, "face",
          "\(pattern)")
      }
    }
  }

  @Test(arguments: TestMattes.sizes)
  func `scores with pixels left out equal their plain forms, whatever the tolerance`(size: [Int]) {
    let (width, height) = (size[0], size[1])
    let components = PlainComponents(width: width, height: height)
    let planes = TestMattes.allCases.enumerated().map {
      $0.element.plane(width: width, height: height, seed: UInt64($0.offset + 11))
    }
    for (k, processor) in Self.processors.enumerated() {
      let memory = ScoreMemory(width: width, height: height, processor)
      for (j, truth) in planes.enumerated() {
        let tolerance = [1, 3, 9][(j + k) % 3]
        // A person, or noise, tells what is left out.
        let judged = planes[(j + 3) % planes.count].samples.map { $0 < 128 ? UInt8(255) : 0 }
        func kept(_ plane: PlainPlane) -> PlainPlane {
          PlainPlane(zip(plane.samples, judged).map(&), width: width, height: height)
        }
        let trueFeatures = truth.withPlane { truth in
          PlainPlane(judged, width: width, height: height).withPlane {
            TruthFeatures(truth, judged: $0, tolerance: tolerance, memory)
          }
        }
        let features = MatteFeatures(width: width, height: height, tolerance: tolerance, processor)
        for (i, matte) in planes.enumerated() {
          let name = "\(TestMattes.allCases[i]) beside \(TestMattes.allCases[j]) by \(processor)"
          matte.withPlane { features.take($0, judgedBy: trueFeatures) }
          let (own, other) = (kept(matte), kept(truth))
          let match = BoundaryMatch(features, trueFeatures)
          let expected = PlainScores.boundary(own, other, tolerance: tolerance, judged: judged)
          expect(match.precision, expected.precision, "precision", name)
          expect(match.recall, expected.recall, "recall", name)
          let haze = Haze(features, trueFeatures)
          #expect(
            (haze.steps, haze.outsideCount) == PlainScores.haze(own, other, tolerance: tolerance, judged: judged),
            "haze: \(name)")
          let overlap = RegionOverlap.intersectionOverUnion(features, trueFeatures)
          expect(overlap, PlainScores.overlap(own, other), "overlap", name)
          let error = AlphaError(features, trueFeatures)
          let sums = PlainScores.differences(own, other)
          #expect(error.absoluteSteps == sums.absolute && error.squaredSteps == sums.squared, "sums: \(name)")
          #expect(error.count == judged.count { $0 != 0 })
          expect(
            ConnectivityError.sum(features, trueFeatures, memory), PlainScores.connectivity(own, other, components),
            "connectivity", name)
          expect(
            GradientError.sum(features, trueFeatures, memory), PlainSlopes(own).error(PlainSlopes(other)), "gradient",
            name)
          // All pixels are judged in the frame before.
          let before = planes[(i + 1) % planes.count]
          let packed = before.packed(MatteFeatures(width: width, height: height, processor))
          let truthBefore = matte.withPlane { TruthFeatures($0, memory) }
          let raw = matte.features(MatteFeatures(width: width, height: height, processor))
          let change = TemporalError(raw, after: packed, TruthChange(trueFeatures, after: truthBefore))
          let wanted = judged.indices.filter { judged[$0] != 0 }.reduce(0) { sum, p in
            let difference =
              Int(matte.samples[p]) - Int(before.samples[p]) - Int(truth.samples[p]) + Int(matte.samples[p])
            return sum + difference * difference
          }
          #expect(change.squaredSteps == wanted && change.count == error.count, "changes: \(name)")
        }
      }
    }
  }

  @Test(arguments: TestMattes.sizes)
  func `still pixels, and flicker on them, equal their plain forms`(size: [Int]) {
    let (width, height) = (size[0], size[1])
    var random = SeededGenerator(seed: UInt64(width * 1000 + height))
    let planes = TestMattes.allCases.enumerated().map {
      $0.element.plane(width: width, height: height, seed: UInt64($0.offset + 1))
    }
    // Half as large as the picture, and larger than it on one side.
    let (deepWidth, deepHeight) = ((width + 1) / 2, height + 3)
    let grid = DepthGrid(
      width: deepWidth, height: deepHeight, columns: (0..<width).map { Int32($0 / 2) },
      rows: (0..<height).map { Int32($0 + 2) })
    let all = [UInt8](repeating: 255, count: width * height)
    for (k, shape) in planes.enumerated() {
      let noise = [1, 3, 12][k % 3]
      let before = (0..<3 * width * height).map { UInt8($0 * 37 % 191 + random.next(below: noise)) }
      let picture = before.indices.map { i in
        UInt8(min(255, Int(before[i]) + random.next(below: noise) + Int(shape.samples[i / 3]) / 8))
      }
      let deepBefore = (0..<deepWidth * deepHeight).map { _ in UInt16([0, 800, 2500][random.next(below: 3)]) }
      let deep = deepBefore.map { $0 == 0 || random.next(below: 3) == 0 ? 800 : $0 + UInt16(random.next(below: 90)) }
      let (truth, truthBefore) = (planes[(k + 1) % planes.count], planes[(k + 2) % planes.count])
      let judged = truth.samples.map { $0 < 128 ? UInt8(255) : 0 }
      let expected = [
        PlainMovement(picture, after: before, width: width, height: height),
        PlainMovement(picture, after: before, width: width, height: height, depth: (deep, deepBefore, grid)),
        PlainMovement(
          picture, after: before, width: width, height: height,
          truths: (zip(truth.samples, judged).map(&), truthBefore.samples, [judged, all])),
      ]
      for processor in Self.processors {
        let memory = ScoreMemory(width: width, height: height, processor)
        let finder = MovementFinder(width: width, height: height, depth: grid, processor)
        let colors = (PlaneCopy(picture, count: picture.count), PlaneCopy(before, count: before.count))
        let change = TruthChange(
          truth.withPlane { truth in
            PlainPlane(judged, width: width, height: height).withPlane { TruthFeatures(truth, judged: $0, memory) }
          }, after: truthBefore.withPlane { TruthFeatures($0, memory) })
        let depths = (PlaneCopy(deep, count: deep.count), PlaneCopy(deepBefore, count: deep.count))
        let found = [
          finder.still(colors, truth: nil, depth: nil), finder.still(colors, truth: nil, depth: depths),
          finder.still(colors, truth: change, depth: depths),
        ]
        for (still, expected) in zip(found, expected) {
          #expect(still.count == expected.stillCount, "\(TestMattes.allCases[k]) by \(processor)")
          let isSame = (0..<width * height).allSatisfy {
            still.isStill(x: $0 % width, y: $0 / width) == expected.isStill($0)
          }
          #expect(isSame, "\(TestMattes.allCases[k]) by \(processor)")
          let flicker = Flicker(
            truth.features(MatteFeatures(width: width, height: height, processor)),
            after: shape.packed(MatteFeatures(width: width, height: height, processor)), still)
          #expect(flicker.steps == PlainScores.flicker(truth, after: shape, expected))
        }
      }
    }
  }

  @Test func `sums of a large picture that is all wrong are not too large`() {
    let (width, height) = (1027, 801)
    let count = width * height
    let nothing = PlainPlane([UInt8](repeating: 0, count: count), width: width, height: height)
    let all = PlainPlane([UInt8](repeating: 255, count: count), width: width, height: height)
    for processor in Self.processors {
      let memory = ScoreMemory(width: width, height: height, processor)
      let features = all.features(MatteFeatures(width: width, height: height, processor))
      let truths = (
        all: all.withPlane { TruthFeatures($0, memory) }, nothing: nothing.withPlane { TruthFeatures($0, memory) }
      )
      let error = AlphaError(features, truths.nothing)
      #expect(error.absoluteSteps == 255 * count && error.squaredSteps == 65_025 * count)
      let change = TemporalError(
        features, after: nothing.packed(MatteFeatures(width: width, height: height, processor)),
        TruthChange(truths.nothing, after: truths.all))
      #expect(change.squaredSteps == 4 * 65_025 * count)
      #expect(FaceCoverage.share(features.plane, columns: 0..<width, rows: 0..<height, processor) == 1)
      #expect(MaskShape(features).area == 1)
      // All of it is lost at once, and none of it can hang on.
      #expect(ConnectivityError.sum(features, truths.nothing, memory) == Double(count))
    }
  }

  @Test func `outlines of the widest pictures are matched from far away`() {
    // The tolerance is more than a word's 64 pixels.
    let (width, height, tolerance) = (8200, 70, 66)
    for processor in Self.processors {
      let memory = ScoreMemory(width: width, height: height, processor)
      let features = MatteFeatures(width: width, height: height, tolerance: tolerance, processor)
      var matte = PlainPlane([UInt8](repeating: 0, count: width * height), width: width, height: height)
      var truth = matte
      for x in [0, 63, 700, 4096, 8199] { matte.samples[35 * width + x] = 255 }
      for x in [60, 130, 634, 635, 4161, 8133, 8136] { truth.samples[(x % 70) * width + x] = 255 }
      let match = BoundaryMatch(
        matte.features(features), truth.withPlane { TruthFeatures($0, tolerance: tolerance, memory) })
      let expected = PlainScores.boundary(matte, truth, tolerance: tolerance)
      #expect((0.1..<0.9).contains(expected.precision) && (0.1..<0.9).contains(expected.recall))
      #expect(match.precision == expected.precision && match.recall == expected.recall)
    }
  }

  /// The very same bits.
  private func expect(_ score: Double?, _ expected: Double?, _ kind: String, _ name: String) {
    #expect(score?.bitPattern == expected?.bitPattern, "\(kind), \(name): \(score ?? .nan), not \(expected ?? .nan)")
  }
}
