import CKernels
import Scores
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
          expectSums(matte, truth, processor, name)
        }
      }
    }
  }

  private func expectSums(_ matte: PlainPlane, _ truth: PlainPlane, _ processor: RTKProcessor, _ name: String) {
    matte.withPlane { a in
      truth.withPlane { b in
        let error = AlphaError(a, b, processor)
        let expected = PlainScores.differences(matte, truth)
        #expect(error.absoluteSteps == expected.absolute && error.squaredSteps == expected.squared, "sums: \(name)")
        expect(
          RegionOverlap.intersectionOverUnion(a, b, processor), PlainScores.overlap(matte, truth), "overlap", name)
        // Each is the other's frame before.
        let change = TemporalError(a, after: b, truth: b, after: a, processor)
        #expect(
          change.squaredSteps == PlainScores.changes(matte, after: truth, truth, after: matte), "changes: \(name)")
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
        let isCopy = matte.withPlane { AlphaError($0, features.plane).absoluteSteps == 0 }
        #expect(isCopy, "\(pattern)")
        let box = (columns: -1..<width * 2 / 3 + 1, rows: height / 3..<height + 4)
        let inside = matte.samples.indices.filter {
          box.columns.contains($0 % width) && box.rows.contains($0 / width)
        }
        let share = Double(inside.reduce(0) { $0 + Int(matte.samples[$1]) }) / (255 * Double(inside.count))
        expect(
          FaceCoverage.share(features.plane, columns: box.columns, rows: box.rows, processor), share, "face",
          "\(pattern)")
      }
    }
  }

  @Test(arguments: TestMattes.sizes)
  func `movement, and flicker beside it, equal their plain forms`(size: [Int]) {
    let (width, height) = (size[0], size[1])
    let planes = TestMattes.allCases.enumerated().map {
      $0.element.plane(width: width, height: height, seed: UInt64($0.offset + 1))
    }
    for processor in Self.processors {
      var features = MatteFeatures(width: width, height: height, processor)
      var featuresBefore = MatteFeatures(width: width, height: height, processor)
      featuresBefore.takeNothing()
      var before = PlainPlane([UInt8](repeating: 0, count: width * height), width: width, height: height)
      for (i, picture) in planes.enumerated() {
        // Moved to the right and up, with some noise; or another picture altogether.
        var pictureBefore = i % 3 == 2 ? planes[i - 1] : picture
        for k in pictureBefore.samples.indices where i % 3 != 2 {
          let moved = picture.sample(nearX: k % width - 5 * i, y: k / width + 2 * i)
          pictureBefore.samples[k] = UInt8(min(255, moved + k * 7 % 5))
        }
        let motion = picture.withPlane { picture in
          pictureBefore.withPlane {
            BlockMotion(PictureFeatures(picture, processor), after: PictureFeatures($0, processor))
          }
        }
        let expected = PlainMotion(picture, after: pictureBefore).vectors
        #expect(motion.vectors == expected, "\(TestMattes.allCases[i]) by \(processor)")
        for (j, matte) in planes.enumerated() {
          let flicker = Flicker(matte.features(features), after: featuresBefore, motion)
          let plain = PlainScores.flicker(matte, after: before, expected)
          #expect(
            flicker.steps == plain.steps && flicker.bandCount == plain.bandCount,
            "\(TestMattes.allCases[j]) in \(TestMattes.allCases[i]) by \(processor)")
          swap(&features, &featuresBefore)
          before = matte
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
      nothing.withPlane { nothing in
        all.withPlane { all in
          let error = AlphaError(nothing, all, processor)
          #expect(error.absoluteSteps == 255 * count && error.squaredSteps == 65_025 * count)
          let change = TemporalError(all, after: nothing, truth: nothing, after: all, processor)
          #expect(change.squaredSteps == 4 * 65_025 * count)
          #expect(FaceCoverage.share(all, columns: 0..<width, rows: 0..<height, processor) == 1)
        }
      }
      let memory = ScoreMemory(width: width, height: height, processor)
      let features = all.features(MatteFeatures(width: width, height: height, processor))
      #expect(MaskShape(features).area == 1)
      // All of it is lost at once, and none of it can hang on.
      #expect(ConnectivityError.sum(features, nothing.withPlane { TruthFeatures($0, memory) }, memory) == Double(count))
    }
  }

  @Test func `outlines of the widest pictures are matched from far away`() {
    // The tolerance is more than a word's 64 pixels.
    let (width, height) = (8200, 70)
    for processor in Self.processors {
      let memory = ScoreMemory(width: width, height: height, processor)
      let features = MatteFeatures(width: width, height: height, processor)
      var matte = PlainPlane([UInt8](repeating: 0, count: width * height), width: width, height: height)
      var truth = matte
      for x in [0, 63, 700, 4096, 8199] { matte.samples[35 * width + x] = 255 }
      for x in [60, 130, 634, 635, 4161, 8133, 8136] { truth.samples[(x % 70) * width + x] = 255 }
      let match = BoundaryMatch(matte.features(features), truth.withPlane { TruthFeatures($0, memory) })
      let expected = PlainScores.boundary(matte, truth)
      #expect((0.1..<0.9).contains(expected.precision) && (0.1..<0.9).contains(expected.recall))
      #expect(match.precision == expected.precision && match.recall == expected.recall)
    }
  }

  /// The very same bits.
  private func expect(_ score: Double?, _ expected: Double?, _ kind: String, _ name: String) {
    #expect(score?.bitPattern == expected?.bitPattern, "\(kind), \(name): \(score ?? .nan), not \(expected ?? .nan)")
  }
}
