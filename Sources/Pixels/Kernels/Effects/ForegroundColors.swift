import CKernels

/// Estimates the person's own colours at soft edges, so that the old room does not show in front of
/// the new background.
///
/// P and R are the mean colours of the person and the room near a soft pixel, over 48 by 48 video
/// pixels with weights α⁸ and (1 − α)⁸, interpolated. With matte α and colour I, the person's colour
/// is P + α / (α² + (1 − α)²) · (I − α P − (1 − α) R). This is the smallest change of P and R that
/// explains I (one step of the blur fusion of Forte 2021).
package final class ForegroundColors {
  private static let weights = KernelTable(
    (0...255).map { matte -> UInt16 in
      // Weights and gains use only IEEE 754's four operations, so they are the same on every machine.
      let alpha = Double(matte) / 255
      let squared = alpha * alpha
      let fourth = squared * squared
      return UInt16((4095 * fourth * fourth).rounded(.toNearestOrEven))
    })
  private static let gains = KernelTable(
    (0...255).map { matte -> Int16 in
      let alpha = Double(matte) / 255
      return Int16((4096 * alpha / (alpha * alpha + (1 - alpha) * (1 - alpha))).rounded(.toNearestOrEven))
    })

  private let width: Int
  private let cells: RTKCells
  private let kinds: PixelPlane<UInt8>
  private let sums: UnsafeMutablePointer<RTKForegroundSums>
  private let colors: UnsafeMutablePointer<RTKForegroundColors>
  private let processor: Processor

  /// `width` and `height` are the video's.
  package init(width: Int, height: Int, processor: Processor = .best) {
    self.width = width
    self.processor = processor
    cells = rtk_foreground_cells(Int32(width), Int32(height))
    let count = Int(cells.columns * cells.rows)
    kinds = PixelPlane(width: Int(cells.columns), height: Int(cells.rows))
    sums = .allocate(capacity: count)
    sums.initialize(repeating: RTKForegroundSums(), count: count)
    colors = .allocate(capacity: count)
    colors.initialize(repeating: RTKForegroundColors(), count: count)
  }

  deinit {
    sums.deallocate()
    colors.deallocate()
  }

  /// - Parameters:
  ///   - picture: packed RGB.
  ///   - result: the picture with the person's colours where the matte is soft. Where the matte is 0, it may be
  ///     anything.
  package func apply(
    _ picture: PixelPlane<UInt8>, matte: PixelPlane<UInt8>, to result: PixelPlane<UInt8>, bands: BandRunner
  ) {
    let foreground = RTKForeground(
      width: Int32(matte.width), height: Int32(matte.height), weights: Self.weights.address, gains: Self.gains.address)
    let choice = processor.choice
    bands.run(rowCount: kinds.height) { rows in
      rtk_matte_cells(
        choice, matte.samples, foreground.width, foreground.height, kinds.samples, Int32(rows.lowerBound),
        Int32(rows.count))
    }
    bands.run(rowCount: kinds.height) { rows in
      var foreground = foreground
      rtk_foreground_sums(
        choice, &foreground, picture.samples, matte.samples, kinds.samples, sums, Int32(rows.lowerBound),
        Int32(rows.count))
    }
    bands.run(rowCount: kinds.height) { rows in
      var foreground = foreground
      rtk_foreground_colors(
        choice, &foreground, sums, kinds.samples, colors, Int32(rows.lowerBound), Int32(rows.count))
    }
    bands.run(rowCount: matte.height) { rows in
      var foreground = foreground
      rtk_show_foreground(
        choice, &foreground, colors, kinds.samples, picture.samples, matte.samples, result.samples,
        Int32(rows.lowerBound), Int32(rows.count))
    }
  }
}
