import CKernels

/// Aligns a matte's edges with the picture's: the fast guided filter of He, Sun and Tang (2010,
/// 2015).
///
/// In each window of 2 r + 1 mask pixels, cut at the edges, the matte p is modelled as a linear
/// function of grey I: a = cov(I, p) / (var(I) + ε), b = mean p − a · mean I. The matte at a video
/// pixel is ā · I + b̄ with the video's own grey. ā and b̄ are means over the windows that contain
/// it, interpolated bilinearly between mask pixels. Flat parts stay exactly flat.
///
/// In integers: I has 32640 steps (`GreyReduction`), p 16320, and their sums are exact. a and b are
/// rounded to 14 fractional bits; taking b at mid grey halves the effect of a's error. Their means
/// have as many bits as fit in sixteen for this ε, and are rounded again when scaled along each
/// axis. The matte is rounded to nearest. Tests find an error of at most 0.91 of 255, at
/// ε = 0.0001, and usually below 0.6.
package final class GuidedFilter {
  package let radius: Int
  package let epsilon: Double
  package let width: Int
  package let height: Int
  /// Fractional bits of the means of a; those of b have one more.
  package let bits: Int
  package let reduction: GreyReduction
  package let horizontal: ScaleTable
  package let vertical: ScaleTable
  private let processor: Processor
  private let grey: PixelPlane<Int16>
  private let small: PixelPlane<Int16>
  private let a: PixelPlane<Int32>
  private let b: PixelPlane<Int32>
  private let pairs: PixelPlane<Int16>
  /// Per block, whether the windows around its pixels hold only zero, only one, or both. `reached`
  /// is the same for the windows around those.
  private let windows: PixelPlane<UInt8>
  private let reached: PixelPlane<UInt8>
  private let guide: RTKGuide
  private let scale: RTKScale
  private let scratch: KernelScratch

  /// - Parameter epsilon: variance of grey, on a scale of 0 ... 1, that counts as an edge.
  package init(
    radius: Int, epsilon: Double, horizontal: ScaleLine, vertical: ScaleLine, threadCount: Int,
    processor: Processor = .best
  ) {
    precondition((1...32).contains(radius) && (0.0001...1).contains(epsilon))
    self.radius = radius
    self.epsilon = epsilon
    self.processor = processor
    (width, height) = (horizontal.sourceLength, vertical.sourceLength)
    // |a| ≤ ¼ / √ε, since p's deviation is at most ½; |b| at mid grey ≤ 1 + |a| / 2.
    let steepest = 0.25 / epsilon.squareRoot()
    bits = (0...14).last { (2 + steepest * 1.001) * Double(1 << $0) <= 32_767 }!
    reduction = GreyReduction(
      horizontal: horizontal, vertical: vertical, threadCount: threadCount, processor: processor)
    self.horizontal = .shared(.bilinear, horizontal)
    self.vertical = .shared(.bilinear, vertical)
    let blockCount = (width + MatteSamples.blockWidth - 1) / MatteSamples.blockWidth
    let stride = blockCount * MatteSamples.blockWidth
    grey = PixelPlane(width: horizontal.targetLength, height: vertical.targetLength)
    small = PixelPlane(width: stride, height: height)
    a = PixelPlane(width: stride, height: height)
    b = PixelPlane(width: stride, height: height)
    pairs = PixelPlane(width: width, height: height, channels: 2)
    windows = PixelPlane(width: blockCount, height: height)
    reached = PixelPlane(width: blockCount, height: height)
    var guide = RTKGuide(
      width: Int32(width), height: Int32(height), radius: Int32(radius), epsilon: Self.scaledEpsilon(epsilon),
      bits: Int32(bits))
    var scale = RTKScale(self.horizontal, self.vertical)
    (self.guide, self.scale) = (guide, scale)
    scratch = KernelScratch(
      byteCount: max(rtk_guide_scratch(&guide), rtk_guide_scratch_for_scale(&scale)), threadCount: threadCount)
  }

  /// In squared steps of grey.
  package static func scaledEpsilon(_ epsilon: Double) -> UInt64 {
    let one = Double(RTKGreyOne)
    return UInt64((epsilon * one * one).rounded(.toNearestOrEven))
  }

  /// `matte` has the mask's size; the picture, RGB, and the finished matte have the video's.
  package func apply(
    _ matte: MatteSamples, picture: PixelPlane<UInt8>, to result: PixelPlane<UInt8>, bands: BandRunner
  ) {
    bands.run(rowCount: grey.height) { rows in
      GreyReduction.grey(
        picture.row(rows.lowerBound), to: grey.row(rows.lowerBound), count: rows.count * grey.width,
        processor: processor)
    }
    bands.run(rowCount: height) { rows, thread in
      reduction.apply(grey.samples, to: small.samples, rows: rows, thread: thread)
      spread(matte.blocks, isWindows: false, to: windows, rows)
    }
    bands.run(rowCount: height) { rows, thread in
      var guide = guide
      rtk_guide_coefficients(
        processor.choice, &guide, small.samples, matte.samples, windows.samples, a.samples, b.samples,
        Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
      spread(windows.samples, isWindows: true, to: reached, rows)
    }
    bands.run(rowCount: height) { rows, thread in
      var guide = guide
      rtk_guide_means(
        processor.choice, &guide, a.samples, b.samples, reached.samples, pairs.samples, Int32(rows.lowerBound),
        Int32(rows.count), scratch.piece(thread))
    }
    bands.run(rowCount: grey.height) { rows, thread in
      var (guide, scale) = (guide, scale)
      rtk_guide_matte(
        processor.choice, &guide, &scale, pairs.samples, reached.samples, grey.samples, result.samples,
        Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
    }
  }

  private func spread(
    _ blocks: UnsafePointer<UInt8>, isWindows: Bool, to windows: PixelPlane<UInt8>, _ rows: Range<Int>
  ) {
    rtk_spread_blocks(
      blocks, isWindows ? 1 : 0, windows.samples, Int32(windows.width), Int32(height), Int32(radius),
      Int32(rows.lowerBound), Int32(rows.count))
  }
}
