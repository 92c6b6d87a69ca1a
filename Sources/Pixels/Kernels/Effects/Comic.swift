import CKernels

/// A comic effect: ink outlines, colours in steps, and the halftone dots of a colour print.
///
/// On a copy of half the size, with S its Gaussian blur:
/// 1. Luma is Y = 0.3 R + 0.59 G + 0.11 B. There is ink where the copy is darker than its
///    surroundings: remaining light = 1 − clamp(14 · (Y(S) − Y(copy) − 0.012), 0, 1).
/// 2. Luma is quantised to steps of ⅙, whose edges are three times steeper than the luma. Each
///    colour keeps its distance from luma, enlarged by 3/8: C = clamp(stepped Y + 1.375 · (S − Y)).
///
/// The result is interpolated to full size and printed: dot = clamp(½ + 3 · (C − screen), 0, 1),
/// colour = C + 0.4 · (dot − C), times the remaining light. Dark lines about two pixels wide get an
/// outline; wide soft shadows get none.
package final class Comic: @unchecked Sendable {
  // Unchecked, as its planes are: bands write disjoint rows.
  private static let sigma = 3.7

  package let levels: BlurLevels
  private let paper: SoftPlane
  package let screens: ComicScreens
  private let print: RTKComicPrint
  private let processor: Processor
  private let scratch: KernelScratch
  package static let tone = RTKComicTone(step: 2720, steepness: 3, saturation: 12288, inkThreshold: 192, inkGain: 14)
  package static let dotGain: Int16 = 3
  package static let dotShare: Int16 = 13107

  package init(width: Int, height: Int, threadCount: Int, processor: Processor = .best) {
    levels = BlurLevels(
      width: width, height: height, [BlurLevels.Request(sigma: Self.sigma, scale: 2)], threadCount: threadCount,
      processor: processor)
    paper = SoftPlane(width: (width + 1) / 2, height: (height + 1) / 2)
    screens = ComicScreens(height: height)
    self.processor = processor
    var print = RTKComicPrint(
      width: Int32(width), paper: RTKSoftLevel(plane: paper.kernelPlane, scale: 2), screen: screens.samples.address,
      period: Int32(screens.period), dotGain: Self.dotGain, dotShare: Self.dotShare)
    self.print = print
    scratch = KernelScratch(byteCount: rtk_comic_print_scratch(&print), threadCount: threadCount)
  }

  /// `out` may be the picture. It may stay unchanged in blocks where `matte` is all 255.
  package func apply(
    _ picture: UnsafePointer<UInt8>, matte: UnsafePointer<UInt8>? = nil, to out: UnsafeMutablePointer<UInt8>,
    bands: BandRunner
  ) {
    levels.update(picture, hasLuma: true, bands: bands)
    let (choice, scratch, paper) = (processor.choice, scratch, paper)
    guard let copy = levels.copies[1] else { return }
    let smooth = levels.levels[0].plane
    bands.run(rowCount: paper.height) { rows in
      var (tone, fine, soft, target) = (Self.tone, copy.kernelPlane, smooth.kernelPlane, paper.kernelPlane)
      rtk_comic_tone(choice, &tone, &fine, &soft, &target, Int32(rows.lowerBound), Int32(rows.count))
    }
    bands.run(rowCount: levels.height) { rows, thread in
      var print = print
      rtk_comic_print(
        choice, &print, matte, out, Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
    }
    withExtendedLifetime(self) {}
  }
}
