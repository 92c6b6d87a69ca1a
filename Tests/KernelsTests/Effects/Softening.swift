import Kernels
import Testing

/// Blur and bend of a mask, both at once and one after the other, and the finished matte.
struct Softening {
  let blur: MaskBlur
  let bend: MatteBend

  init(
    sigma: Double, power: Double, feather: Feather = .both, _ size: ImageSize, threadCount: Int = 2,
    processor: Processor
  ) {
    blur = MaskBlur(
      sigma: sigma, width: size.width, height: size.height, threadCount: threadCount, processor: processor)
    bend = MatteBend(power: power, feather: feather, processor: processor)
  }

  func reference(_ mask: [UInt8]) -> [Int16] { blur.reference(mask, bend: bend) }

  /// What comes of a mask at once; expects the same of both steps.
  /// - Parameter frames: before the mask, by the same planes.
  func apply(_ mask: [UInt8], after frames: [[UInt8]] = [], bands: [Range<Int>]) -> MatteSamples {
    let (atOnce, inSteps) = (Self.unknownMatte(blur), Self.unknownMatte(blur))
    let blurred = BlurredMask(width: blur.width, height: blur.height)
    blurred.samples.update(repeating: 1, count: blurred.stride * blurred.height)
    blurred.blocks.update(repeating: 2, count: blurred.stride / BlurredMask.blockWidth * blurred.height)
    var finished = [UInt8](repeating: 7, count: blur.width * blur.height)
    for mask in frames + [mask] {
      for (i, rows) in bands.enumerated() {
        blur.apply(mask, bend: bend, to: atOnce, rows: rows, thread: i % 2)
        blur.apply(mask, to: blurred, rows: rows, thread: i % 2)
        bend.apply(blurred, to: inSteps, rows: rows)
        finished.withUnsafeMutableBufferPointer { bend.apply(blurred, to: $0.baseAddress!, rows: rows) }
      }
    }
    expectBlocksTellTheTruth(atOnce)
    expectBlocksTellTheTruth(inSteps)
    #expect(atOnce.packed == inSteps.packed, "one blur for many settings gives other bits")
    #expect(finished == inSteps.packed.map { UInt8(($0 + 32) >> 6) }, "a matte in one pass has other bits")
    return atOnce
  }

  /// Nothing is known of it, so all must be written, the padding too.
  private static func unknownMatte(_ blur: MaskBlur) -> MatteSamples {
    let matte = MatteSamples(width: blur.width, height: blur.height)
    matte.samples.update(repeating: -1, count: matte.stride * matte.height)
    matte.blocks.update(repeating: 2, count: matte.stride / MatteSamples.blockWidth * matte.height)
    return matte
  }
}
