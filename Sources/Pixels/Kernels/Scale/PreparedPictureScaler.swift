import CKernels

/// Scales packed RGB between two fixed sizes. Applying it allocates nothing.
///
/// Each output pixel is the source's mean weighted by a triangle, whose half-width is an output
/// pixel or a source pixel, whichever is larger. Along x: (Σ weight · byte + 128) >> 8. Along y:
/// (Σ weight · that + 2²³) >> 24. The weights of an output sample add up to 65536.
package final class PreparedPictureScaler: Sendable {
  package typealias Size = (width: Int, height: Int)

  /// A part of the source's line in samples, and the target samples it is scaled to.
  struct Span: Sendable {
    var start: Double
    var length: Double
    var target: Range<Int>
  }

  package let sourceWidth: Int
  package let sourceHeight: Int
  package let width: Int
  package let height: Int
  package let columns: ResamplingTable
  package let rows: ResamplingTable
  /// The pixels of the target that are written; the rest stays unchanged.
  package let covered: (columns: Range<Int>, rows: Range<Int>)
  private let resample: RTKResample
  private let processor: Processor
  private let scratch: KernelScratch

  package init(
    from source: Size, to target: Size, _ fit: PictureFit, threadCount: Int, processor: Processor = .best
  ) {
    (sourceWidth, sourceHeight) = source
    (width, height) = target
    let spans = Self.spans(source, target, fit)
    covered = (spans.columns.target, spans.rows.target)
    columns = ResamplingTable(spans.columns, sourceLength: source.width)
    rows = ResamplingTable(spans.rows, sourceLength: source.height)
    self.processor = processor
    var resample = RTKResample(
      sourceWidth: Int32(source.width), width: Int32(columns.count), height: Int32(rows.count),
      columns: columns.kernelTable, rows: rows.kernelTable, rowTaps: Int32(rows.mostTaps))
    self.resample = resample
    scratch = KernelScratch(byteCount: rtk_resample_scratch(&resample), threadCount: threadCount)
  }

  private static func spans(_ source: Size, _ target: Size, _ fit: PictureFit) -> (columns: Span, rows: Span) {
    func whole(_ source: Int, _ target: Int) -> Span {
      Span(start: 0, length: Double(source), target: 0..<target)
    }
    var columns = whole(source.width, target.width)
    var rows = whole(source.height, target.height)
    // Compares the aspect ratios in integers.
    let isWider = source.width * target.height >= source.height * target.width
    switch fit {
    case .stretch: break
    case .fill:
      if isWider {
        columns.length = Double(source.height * target.width) / Double(target.height)
      } else {
        rows.length = Double(source.width * target.height) / Double(target.width)
      }
      columns.start = (Double(source.width) - columns.length) / 2
      rows.start = (Double(source.height) - rows.length) / 2
    case .fit:
      func middle(_ numerator: Int, _ denominator: Int, of length: Int) -> Range<Int> {
        let part = min(max((numerator + denominator / 2) / denominator, 1), length)
        return (length - part) / 2..<(length - part) / 2 + part
      }
      if isWider {
        rows.target = middle(source.height * target.width, source.width, of: target.height)
      } else {
        columns.target = middle(source.width * target.height, source.height, of: target.width)
      }
    case .crop:
      let (acrossCount, downCount) = (min(source.width, target.width), min(source.height, target.height))
      columns = Span(start: 0, length: Double(acrossCount), target: 0..<acrossCount)
      rows = Span(
        start: Double(source.height - downCount), length: Double(downCount),
        target: target.height - downCount..<target.height)
    }
    return (columns, rows)
  }

  /// Scales packed RGB. Only the `covered` part of the target is written.
  package func apply(
    _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, bands: BandRunner
  ) {
    let out = target + 3 * (covered.rows.lowerBound * width + covered.columns.lowerBound)
    bands.run(rowCount: rows.count) { band, thread in
      if columns.isCopy && rows.isCopy {
        for y in band {
          let line = source + 3 * ((y + rows.firstSource) * sourceWidth + columns.firstSource)
          (out + 3 * width * y).update(from: line, count: 3 * columns.count)
        }
        return
      }
      var resample = resample
      rtk_resample_rgb(
        processor.choice, &resample, source, out, 3 * width, Int32(band.lowerBound), Int32(band.count),
        scratch.piece(thread))
    }
    withExtendedLifetime(self) {}
  }
}
