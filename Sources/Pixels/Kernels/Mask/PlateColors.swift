import CKernels

/// Learns the colours of the empty scene, and corrects a mask by them where depth cannot be trusted:
///
/// - at the outline;
/// - near the person, where depth is missing;
/// - in filled gaps;
/// - where depth is nearer than the empty scene, but by too little to be certain.
package final class PlateColors {
  /// Distances in mask pixels: inside and outside the outline, and outside it where depth is missing.
  private enum Reach {
    static let inside = 4
    /// The person's colours are learned up to here.
    static let deeper = 12
    static let outside = 3
    static let holes = 24
  }
  /// Least deviation: two 8-bit steps, in 1/16 of a step, plus a sixteenth of the brightness, since
  /// shadows and light change colours in proportion.
  private static let (leastDoubt, brightnessShare): (Int16, Int16) = (32, 16)

  package let empty: ReducedColors
  /// Expected deviation of each colour, above 0.
  package let doubts: ReducedColors
  private let reduction: ColorReduction
  /// The last picture's.
  package let colors: ReducedColors
  /// The empty scene's in the light of the last picture that was corrected.
  package private(set) var lit: ReducedColors
  private let light: SceneLight
  /// Nil once learned.
  private var learning: (red: PlateLearning, green: PlateLearning, blue: PlateLearning)?
  private let learned: BackgroundPlate
  private let channel: PixelPlane<UInt16>
  private let measured: PixelPlane<UInt8>
  private let kinds: PixelPlane<UInt8>
  private let classes: PixelPlane<UInt8>
  private let likeness: PlateLikeness
  private let steps: [(morphology: MaskMorphology, plane: PixelPlane<UInt8>)]
  private let processor: Processor

  /// - Parameters:
  ///   - frameCount: frames to learn from, at least 1; nil if the caller fills `empty` and `doubts`.
  ///   - horizontal, vertical: from the mask to the video.
  package init(
    frameCount: Int?, horizontal: ScaleLine, vertical: ScaleLine, threadCount: Int, processor: Processor = .best
  ) {
    let (width, height) = (horizontal.sourceLength, vertical.sourceLength)
    self.processor = processor
    reduction = ColorReduction(
      horizontal: horizontal, vertical: vertical, threadCount: threadCount, processor: processor)
    func reduced() -> ReducedColors { ReducedColors(width: width, height: height) }
    (empty, doubts, colors) = (reduced(), reduced(), reduced())
    (lit, light) = (empty, SceneLight(width: width, height: height))
    learning = frameCount.map { count in
      func learner() -> PlateLearning {
        PlateLearning(frameCount: count, width: width, height: height, processor: processor)
      }
      return (learner(), learner(), learner())
    }
    learned = BackgroundPlate(width: width, height: height)
    channel = PixelPlane(width: width, height: height)
    func plane() -> PixelPlane<UInt8> { PixelPlane(width: width, height: height) }
    (measured, kinds, classes) = (plane(), plane(), plane())
    likeness = PlateLikeness(width: width, height: height, processor: processor)
    let sequence: [(MaskMorphology.Extreme, Int)] = [
      (.smallest, Reach.inside), (.smallest, Reach.deeper), (.largest, Reach.outside), (.largest, Reach.holes),
    ]
    steps = sequence.map { extreme, radius in
      let step = MaskMorphology(
        extreme, of: .twoValues, radius: radius, width: width, height: height, threadCount: threadCount,
        processor: processor)
      return (step, plane())
    }
  }

  /// Adds a picture of the empty scene; no-op once learned.
  package func add(_ picture: PixelPlane<UInt8>, bands: BandRunner) {
    guard let learning else { return }
    reduction.apply(picture, to: colors, bands: bands)
    add(colors.red, to: learning.red, bands)
    add(colors.green, to: learning.green, bands)
    add(colors.blue, to: learning.blue, bands)
  }

  private func add(_ plane: PixelPlane<Int16>, to learning: PlateLearning, _ bands: BandRunner) {
    bands.run(rowCount: channel.height) { rows in
      for y in rows {
        let (from, to) = (plane.row(y), channel.row(y))
        // Shifted by 1, since `PlateLearning` ignores 0, which is a hole in depth.
        for x in 0..<channel.width { to[x] = UInt16(from[x]) + 1 }
      }
    }
    learning.add(channel)
  }

  /// Ends learning.
  package func finish(bands: BandRunner) {
    guard let learning else { return }
    finish(learning.red, empty.red, doubts.red, bands)
    finish(learning.green, empty.green, doubts.green, bands)
    finish(learning.blue, empty.blue, doubts.blue, bands)
    for i in 0..<empty.red.count {
      let brightest = max(empty.red.samples[i], empty.green.samples[i], empty.blue.samples[i])
      let least = Self.leastDoubt + brightest / Self.brightnessShare
      doubts.red.samples[i] += least
      doubts.green.samples[i] += least
      doubts.blue.samples[i] += least
    }
    self.learning = nil
  }

  /// Takes a picture's colours where the scene has changed; no-op while it is learned.
  /// - Parameter changed: of the mask's size, 0 where nothing has.
  package func renew(_ changed: PixelPlane<UInt8>, from picture: PixelPlane<UInt8>, bands: BandRunner) {
    guard learning == nil else { return }
    reduction.apply(picture, to: colors, bands: bands)
    for y in 0..<changed.height {
      let row = changed.row(y)
      let now = (colors.red.row(y), colors.green.row(y), colors.blue.row(y))
      let scene = (empty.red.row(y), empty.green.row(y), empty.blue.row(y))
      let doubt = (doubts.red.row(y), doubts.green.row(y), doubts.blue.row(y))
      for x in 0..<changed.width where row[x] != 0 {
        (scene.0[x], scene.1[x], scene.2[x]) = light.unlit(now.0[x], now.1[x], now.2[x])
        let least = Self.leastDoubt + max(now.0[x], now.1[x], now.2[x]) / Self.brightnessShare
        // The noise here is not known anew; that of the last scene stays if it is larger.
        (doubt.0[x], doubt.1[x], doubt.2[x]) = (max(doubt.0[x], least), max(doubt.1[x], least), max(doubt.2[x], least))
      }
    }
  }

  private func finish(
    _ learning: PlateLearning, _ colors: PixelPlane<Int16>, _ doubts: PixelPlane<Int16>, _ bands: BandRunner
  ) {
    learning.finish(learned, bands: bands)
    for y in 0..<channel.height {
      let (median, spread) = (learned.millimeters.row(y), learned.spread.row(y))
      let (color, doubt) = (colors.row(y), doubts.row(y))
      for x in 0..<colors.width {
        let place = min(x, channel.width - 1)
        color[x] = Int16(max(median[place], 1) - 1)
        // The spread ignores the lowest sixteenth of the values, so it is about 1.5 σ of a pixel. The mean over 3 by 3
        // has a third of that noise, or more where it was compressed: half is expected.
        doubt[x] = Int16(spread[place] / 3)
      }
    }
  }

  /// Corrects a mask by the picture's colours.
  /// - Parameters:
  ///   - mask: 0 and 255, found by depth; replaced by the result.
  ///   - limits: depth nearer than this may be the person.
  ///   - clean: called before colour is used, to fill gaps in `mask` and to remove specks.
  package func correct(
    _ mask: PixelPlane<UInt8>, depth: PixelPlane<UInt16>, limits: PixelPlane<UInt16>, picture: PixelPlane<UInt8>,
    bands: BandRunner, clean: () -> Void
  ) {
    measured.samples.update(from: mask.samples, count: mask.count)
    clean()
    reduction.apply(picture, to: colors, bands: bands)
    lit = light.colors(of: empty, in: colors, mask: mask, depth: depth, bands: bands)
    let (view, width, lit) = (colors.view, mask.width, lit)
    bands.run(rowCount: mask.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
      let (from, count) = (rows.lowerBound * width, rows.count * width)
      for step in steps {
        step.morphology.apply(mask.samples, to: step.plane.samples, rows: rows, thread: thread)
      }
      var zone = RTKPlateZone(
        measured: measured.samples, mask: mask.samples, within: steps[0].plane.samples, deeper: steps[1].plane.samples,
        around: steps[2].plane.samples, near: steps[3].plane.samples)
      rtk_plate_kinds(processor.choice, &zone, depth.samples, limits.samples, kinds.samples, from, count)
      var view = view
      var plate = RTKPlateColors(
        colors: (
          UnsafePointer(lit.red.samples), UnsafePointer(lit.green.samples), UnsafePointer(lit.blue.samples)
        ),
        doubts: (
          UnsafePointer(doubts.red.samples), UnsafePointer(doubts.green.samples), UnsafePointer(doubts.blue.samples)
        ))
      rtk_plate_classes(
        processor.choice, &view, &plate, kinds.samples, classes.samples, Int32(rows.lowerBound), Int32(rows.count))
    }
    likeness.find(kinds, classes, bands: bands)
    // In a pass of its own, since the first one reads the mask beyond its own rows.
    bands.run(rowCount: mask.height) { rows in
      for y in rows {
        rtk_decide_by_color(
          processor.choice, kinds.samples, classes.samples, measured.samples, likeness.row(of: y), mask.samples,
          y * width, width)
      }
    }
  }
}
