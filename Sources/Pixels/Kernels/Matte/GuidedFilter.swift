import CKernels

/// Draws a matte's edges to those of the picture: the fast guided filter of He, Sun and Tang (2010, 2015).
///
/// In each window of the mask, of 2 r + 1 pixels each way and cut at the edges, the matte p is taken for a linear function of
/// the grey I: a = cov(I, p) / (var(I) + ε), b = mean p − a · mean I. The matte at a pixel of the video is then
/// ā · I + b̄, with the means of a and b over the windows that hold it, bilinear between the mask's pixels, and the video's
/// own grey. Flat parts of the matte stay exactly flat.
///
/// In whole numbers: I has 32640 steps (`GreyReduction`), p 16320, and their sums are exact. a is rounded to 14 fractional
/// bits, and b, which is taken at mid grey (so that errors of a count half), too; their means to as many bits as fit
/// sixteen for this ε, and again when they are scaled each way; the matte to nearest. Tests find 0.91 of 255 from exact
/// numbers at most, at ε = 0.0001, and as a rule below 0.6.
package final class GuidedFilter {
  package let radius: Int
  package let epsilon: Double
  package let width: Int
  package let height: Int
  /// Fractional bits of the means of a; those of b have one more.
  let bits: Int
  let reduction: GreyReduction
  let horizontal: ScaleTable
  let vertical: ScaleTable
  private let processor: Processor
  private let grey: PixelPlane<Int16>
  private let small: PixelPlane<Int16>
  private let a: PixelPlane<Int32>
  private let b: PixelPlane<Int32>
  private let pairs: PixelPlane<Int16>
  /// Of blocks: what the windows round their pixels hold, and what the windows round those hold.
  private let windows: PixelPlane<UInt8>
  private let reached: PixelPlane<UInt8>
  private let scratch: KernelScratch

  /// - Parameters:
  ///   - radius: mask pixels, 1 to 32.
  ///   - epsilon: variance of grey, of 0 ... 1, that is taken for an edge; 0.0001 to 1.
  ///   - horizontal, vertical: of the mask along the video.
  ///   - threadCount: how many bands may be made at once.
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
    self.horizontal = ScaleTable(.bilinear, horizontal)
    self.vertical = ScaleTable(.bilinear, vertical)
    let blockCount = (width + MatteSamples.blockWidth - 1) / MatteSamples.blockWidth
    let stride = blockCount * MatteSamples.blockWidth
    grey = PixelPlane(width: horizontal.targetLength, height: vertical.targetLength)
    small = PixelPlane(width: stride, height: height)
    a = PixelPlane(width: stride, height: height)
    b = PixelPlane(width: stride, height: height)
    pairs = PixelPlane(width: width, height: height, channels: 2)
    windows = PixelPlane(width: blockCount, height: height)
    reached = PixelPlane(width: blockCount, height: height)
    var guide = Self.guide(width: width, height: height, radius: radius, epsilon: epsilon, bits: bits)
    var scale = MatteScaling.scale(self.horizontal, self.vertical)
    scratch = KernelScratch(
      byteCount: max(rtk_guide_scratch(&guide), rtk_guide_scratch_for_scale(&scale)), threadCount: threadCount)
  }

  private static func guide(width: Int, height: Int, radius: Int, epsilon: Double, bits: Int) -> RTKGuide {
    RTKGuide(
      width: Int32(width), height: Int32(height), radius: Int32(radius), epsilon: scaledEpsilon(epsilon),
      bits: Int32(bits))
  }

  /// In steps of grey, squared.
  static func scaledEpsilon(_ epsilon: Double) -> UInt64 {
    let one = Double(RTKGreyOne)
    return UInt64((epsilon * one * one).rounded(.toNearestOrEven))
  }

  /// - Parameters:
  ///   - matte: at the mask's size.
  ///   - picture: RGB at the video's size.
  ///   - result: the finished matte, at the video's size.
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
      var guide = Self.guide(width: width, height: height, radius: radius, epsilon: epsilon, bits: bits)
      rtk_guide_coefficients(
        processor.choice, &guide, small.samples, matte.samples, windows.samples, a.samples, b.samples,
        Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
      spread(windows.samples, isWindows: true, to: reached, rows)
    }
    bands.run(rowCount: height) { rows, thread in
      var guide = Self.guide(width: width, height: height, radius: radius, epsilon: epsilon, bits: bits)
      rtk_guide_means(
        processor.choice, &guide, a.samples, b.samples, reached.samples, pairs.samples, Int32(rows.lowerBound),
        Int32(rows.count), scratch.piece(thread))
    }
    bands.run(rowCount: grey.height) { rows, thread in
      var guide = Self.guide(width: width, height: height, radius: radius, epsilon: epsilon, bits: bits)
      var scale = MatteScaling.scale(horizontal, vertical)
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
