import CKernels

/// Finds a matte's edge from colour, within a belt round the mask's outline: the unknown part of a
/// trimap.
///
/// 1. In cells of 8 by 8 mask pixels, the colours known to be inside and outside give the direction
///    in which the two differ most relative to their spread (Fisher 1936). A pixel's position between
///    their means is its first matte. The less the two can be told apart, the more the mask counts.
/// 2. Twice: a guided filter in colour (He, Sun, Tang 2010) over windows of 7 by 7 pixels with
///    ε = 5 · 10⁻⁵, then α = (α − 0.1) / 0.8. Pixels outside the belt keep the mask's value.
/// 3. The filter's coefficients are computed once more, scaled to the video and applied to its colours.
/// 4. A gate keeps the plain matte where the models put too many known pixels on the wrong side.
///
/// With the colours of the empty scene, step 1 uses differences from them, which separates the person
/// from clutter. All arithmetic is in integers. Tests compare it with a plain reference.
package final class ColorRefinement {
  /// Two of the same make give the same mattes: none remembers a frame.
  package struct Make: Hashable, Sendable {
    package var reach: RefinementBelt.Reach
    /// Share of known pixels that colour may put on the wrong side, 0 to 1.
    package var doubt: Double
    /// From the mask to the video.
    package var horizontal: ScaleLine
    package var vertical: ScaleLine

    package init(_ reach: RefinementBelt.Reach, doubt: Double, horizontal: ScaleLine, vertical: ScaleLine) {
      (self.reach, self.doubt, self.horizontal, self.vertical) = (reach, doubt, horizontal, vertical)
    }
  }

  private static let iterationCount = 2
  /// 0.1 in matte samples.
  private static let stretch = Int32(RTKMatteOne / 10)
  /// 5 · 10⁻⁵ of white squared, times the window's pixel count squared.
  private static let epsilon: UInt64 = {
    let one = UInt64(RTKColorOne)
    return 49 * 49 * one * one / 20_000
  }()

  package let make: Make
  private let reduction: ColorReduction
  private let own: ReducedColors
  /// The picture's: `own`, or those that the caller has.
  private var colors: ReducedColors
  private let difference: ReducedColors
  private let belt: RefinementBelt
  private let cells: CellModels
  private let samples: MatteSamples
  /// For each block, whether the windows round its pixels are all outside, all inside or mixed.
  /// `reached` is the same for the windows round the pixels of those windows.
  private let windows: PixelPlane<UInt8>
  private let reached: PixelPlane<UInt8>
  /// Whether an unsure pixel reads the window round a pixel; only in rows with mixed windows.
  private let needed: PixelPlane<UInt8>
  /// `RTKWindowValues` for each pixel.
  private let models: PixelPlane<Int32>
  private let coefficients: PixelPlane<Int32>
  private let gated: PixelPlane<Int32>
  /// Of blocks with unsure pixels: the means of the models' constants, and how much they count.
  private let constants: PixelPlane<Int32>
  private let shares: PixelPlane<UInt16>
  private let unsureBlocks: PixelPlane<UInt8>
  private let gatedBlocks: PixelPlane<UInt8>
  /// How many blocks lie between the first and the last that a block of video pixels is scaled from.
  private let reachOfScaling: Int32
  private let horizontal: ScaleTable
  private let vertical: ScaleTable
  private let scale: RTKScale
  private let scratch: KernelScratch
  private let processor: Processor

  package init(_ make: Make, threadCount: Int, processor: Processor = .best) {
    self.make = make
    let (horizontal, vertical) = (make.horizontal, make.vertical)
    let (width, height) = (horizontal.sourceLength, vertical.sourceLength)
    self.processor = processor
    reduction = ColorReduction(
      horizontal: horizontal, vertical: vertical, threadCount: threadCount, processor: processor)
    own = ReducedColors(width: width, height: height)
    colors = own
    difference = ReducedColors(width: width, height: height)
    belt = RefinementBelt(make.reach, width: width, height: height, threadCount: threadCount, processor: processor)
    cells = CellModels(width: width, height: height, doubt: make.doubt, processor: processor)
    samples = MatteSamples(width: width, height: height)
    let (stride, blockCount) = (samples.stride, samples.stride / MatteSamples.blockWidth)
    windows = PixelPlane(width: blockCount, height: height)
    reached = PixelPlane(width: blockCount, height: height)
    gatedBlocks = PixelPlane(width: blockCount, height: height)
    needed = PixelPlane(width: width, height: height)
    models = PixelPlane(width: stride, height: height, channels: Int(RTKWindowValues))
    coefficients = PixelPlane(width: stride, height: height * Int(RTKCoefficients))
    gated = PixelPlane(width: stride, height: height * Int(RTKCoefficients))
    constants = PixelPlane(width: stride, height: height)
    shares = PixelPlane(width: stride, height: height)
    unsureBlocks = PixelPlane(width: blockCount, height: height)
    self.horizontal = .shared(.bilinear, horizontal)
    self.vertical = .shared(.bilinear, vertical)
    reachOfScaling = Self.reach(of: self.horizontal)
    var scale = RTKScale(self.horizontal, self.vertical)
    self.scale = scale
    scratch = KernelScratch(
      byteCount: max(rtk_color_window_scratch(Int32(width)), rtk_refine_matte_scratch(&scale)),
      threadCount: threadCount)
  }

  private static func reach(of table: ScaleTable) -> Int32 {
    let (width, last) = (MatteSamples.blockWidth, table.sourceLength - 1)
    func block(_ place: Int32) -> Int { min(max(Int(place), 0), last) / width }
    let starts = table.starts.elements
    let reaches = stride(from: 0, to: starts.count, by: width).map { from in
      block(starts[from + width - 1] + 2) - block(starts[from] + 1)
    }
    return Int32(reaches.max() ?? 0)
  }

  /// Finds the edge. Several `finish` may follow, for mattes of the same mask.
  /// - Parameters:
  ///   - mask: values from 128 on are the person.
  ///   - depth: of the mask's size, 0 where it is missing; nil if there is none.
  ///   - empty: the colours of the empty scene, if they are known.
  ///   - picture: packed RGB of the video's size.
  ///   - reduced: the picture's colours at the mask's size, if they are known.
  package func learn(
    _ mask: PixelPlane<UInt8>, depth: PixelPlane<UInt16>?, empty: ReducedColors?, picture: PixelPlane<UInt8>,
    reduced: ReducedColors? = nil, bands: BandRunner
  ) {
    colors = reduced ?? own
    if reduced == nil { reduction.apply(picture, to: own, bands: bands) }
    belt.find(mask, depth: depth, bands: bands)
    var seen = colors
    if let empty {
      bands.run(rowCount: colors.height) {
        colors.writeDifference(from: empty, to: difference, rows: $0, processor: processor)
      }
      seen = difference
    }
    cells.learn(seen, belt, bands: bands)
    project(seen, mask, bands)
    filter(bands)
    average(depth, bands)
  }

  private func project(_ seen: ReducedColors, _ mask: PixelPlane<UInt8>, _ bands: BandRunner) {
    let view = seen.view
    bands.run(rowCount: mask.height) { rows in
      var view = view
      rtk_project(
        processor.choice, &view, belt.kinds.samples, mask.samples, cells.models, samples.samples, samples.blocks,
        Int32(rows.lowerBound), Int32(rows.count))
    }
    spread(samples.blocks, isWindows: false, to: windows, bands)
    spread(windows.samples, isWindows: true, to: reached, bands)
  }

  private func spread(
    _ blocks: UnsafePointer<UInt8>, isWindows: Bool, to windows: PixelPlane<UInt8>, _ bands: BandRunner
  ) {
    bands.run(rowCount: windows.height) { rows in
      rtk_spread_blocks(
        blocks, isWindows ? 1 : 0, windows.samples, Int32(windows.width), Int32(windows.height), 3,
        Int32(rows.lowerBound), Int32(rows.count))
    }
  }

  private func filter(_ bands: BandRunner) {
    let view = colors.view
    bands.run(rowCount: colors.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
      var view = view
      rtk_color_windows(
        processor.choice, &view, belt.kinds.samples, windows.samples, Self.epsilon, needed.samples, models.samples,
        Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
    }
    for _ in 0..<Self.iterationCount {
      findCoefficients(view, bands)
      bands.run(rowCount: colors.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
        var view = view
        rtk_color_samples(
          processor.choice, &view, coefficients.samples, belt.kinds.samples, samples.blocks, windows.samples,
          Self.stretch, samples.samples, Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
      }
    }
    findCoefficients(view, bands)
  }

  private func findCoefficients(_ view: RTKColors, _ bands: BandRunner) {
    bands.run(rowCount: colors.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
      var view = view
      rtk_color_coefficients(
        processor.choice, &view, samples.samples, needed.samples, windows.samples, models.samples,
        coefficients.samples, Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
    }
  }

  private func average(_ depth: PixelPlane<UInt16>?, _ bands: BandRunner) {
    let (view, gate) = (colors.view, gate(depth))
    bands.run(rowCount: colors.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
      var (view, gate) = (view, gate)
      rtk_mean_coefficients(
        processor.choice, &gate, &view, coefficients.samples, reached.samples, gated.samples, constants.samples,
        shares.samples, unsureBlocks.samples, Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
    }
  }

  private func gate(_ depth: PixelPlane<UInt16>?) -> RTKGate {
    RTKGate(
      width: Int32(colors.width), height: Int32(colors.height), belt: belt.kinds.samples, cells: cells.gate.samples,
      holes: cells.holeGate.samples, depth: depth?.samples)
  }

  /// - Parameters:
  ///   - plain: the unrefined matte, kept where colour does not help.
  ///   - depth, picture: as they were learned from.
  ///   - result: the refined matte, of the video's size.
  package func finish(
    _ plain: MatteSamples, depth: PixelPlane<UInt16>?, picture: PixelPlane<UInt8>, to result: PixelPlane<UInt8>,
    bands: BandRunner
  ) {
    let gate = gate(depth)
    bands.run(rowCount: colors.height, partsPerThread: BandRunner.finePartsPerThread) { rows, _ in
      var gate = gate
      rtk_gated_coefficients(
        processor.choice, &gate, constants.samples, shares.samples, unsureBlocks.samples, plain.samples,
        reachOfScaling, gated.samples, gatedBlocks.samples, Int32(rows.lowerBound), Int32(rows.count))
    }
    bands.run(rowCount: result.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
      var scale = scale
      rtk_refine_matte(
        processor.choice, &scale, gated.samples, gatedBlocks.samples, picture.samples, result.samples,
        Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
    }
  }
}
