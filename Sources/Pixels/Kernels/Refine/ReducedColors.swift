import CKernels

/// A picture's red, green and blue at a mask's size: 0 ... 4080, in 1/16 of an 8-bit step.
package final class ReducedColors {
  package let width: Int
  package let height: Int
  /// Rows are padded to whole blocks.
  package let red: PixelPlane<Int16>
  package let green: PixelPlane<Int16>
  package let blue: PixelPlane<Int16>

  package init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    let blockWidth = MatteSamples.blockWidth
    let stride = (width + blockWidth - 1) / blockWidth * blockWidth
    func plane() -> PixelPlane<Int16> { PixelPlane(width: stride, height: height) }
    (red, green, blue) = (plane(), plane(), plane())
  }

  package static var one: Int16 { Int16(RTKColorOne) }
  var view: RTKColors {
    RTKColors(
      width: Int32(width), height: Int32(height), red: red.samples, green: green.samples, blue: blue.samples)
  }

  /// Writes half the difference from other colours, plus half of white so that none is negative.
  func writeDifference(from other: ReducedColors, to result: ReducedColors, rows: Range<Int>, processor: Processor) {
    func write(_ plane: PixelPlane<Int16>, _ old: PixelPlane<Int16>, _ out: PixelPlane<Int16>) {
      rtk_color_difference(
        processor.choice, plane.samples, old.samples, out.samples, rows.lowerBound * red.width,
        rows.count * red.width)
    }
    write(red, other.red, result.red)
    write(green, other.green, result.green)
    write(blue, other.blue, result.blue)
  }
}

/// Reduces a picture to a mask's size. Each sample is the picture's mean under a box as wide as a
/// mask pixel or a video pixel, whichever is wider, rounded along y and then along x.
package struct ColorReduction: Sendable {
  private let columns: GreyReduction.Taps
  private let rows: GreyReduction.Taps
  private let reduction: RTKReduction
  private let scratch: KernelScratch
  private let processor: Processor

  /// `horizontal` and `vertical` lead from the mask to the video.
  package init(horizontal: ScaleLine, vertical: ScaleLine, threadCount: Int, processor: Processor = .best) {
    columns = GreyReduction.Taps(horizontal, multiple: 2, padding: MatteSamples.blockWidth)
    rows = GreyReduction.Taps(vertical, multiple: 1, padding: 1)
    var reduction = RTKReduction(horizontal, vertical, columns, rows)
    self.reduction = reduction
    scratch = KernelScratch(byteCount: rtk_reduce_rgb_scratch(&reduction), threadCount: threadCount)
    self.processor = processor
  }

  /// - Parameter picture: packed RGB of the video's size.
  package func apply(_ picture: PixelPlane<UInt8>, to colors: ReducedColors, bands: BandRunner) {
    bands.run(rowCount: colors.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
      var reduction = reduction
      withExtendedLifetime((columns, self.rows)) {
        rtk_reduce_rgb(
          processor.choice, &reduction, picture.samples, colors.red.samples, colors.green.samples,
          colors.blue.samples, Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
      }
    }
  }
}
