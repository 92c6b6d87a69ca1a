import CKernels

/// Blurs a picture by its matte: σ is the radius where the matte is 0, and 0 where it is 255.
///
/// Levels of σ = radius, radius/2, radius/4 and so on apply at mattes of 0, 127, 191, 223, …, and
/// the sharp picture at 255. Neighbouring levels are mixed in between, as in Core Image's masked
/// variable blur. As there, person and background are blurred as one picture: the person's colours
/// bleed into the background nearby.
package final class VariableBlur: Sendable {
  package struct Step: Sendable {
    let request: BlurLevels.Request
    /// The level replaces the less blurred one while the matte falls by `length` from this value.
    package let from: Int
    package let length: Int
    package var gain: Int { 32768 / length }
  }

  private static let smallestSigma = 1.6

  package let steps: [Step]
  package let levels: BlurLevels
  private let blur: RTKVariableBlur
  private let processor: Processor
  private let scratch: KernelScratch

  /// - Parameter radius: σ, pixels, 1 to 64.
  package init(radius: Double, width: Int, height: Int, threadCount: Int, processor: Processor = .best) {
    let steps = Self.steps(radius)
    self.steps = steps
    self.processor = processor
    levels = BlurLevels(
      width: width, height: height, steps.map(\.request), threadCount: threadCount, processor: processor)
    var blur = Self.kernelBlur(levels, steps)
    self.blur = blur
    scratch = KernelScratch(byteCount: rtk_variable_blur_scratch(&blur), threadCount: threadCount)
  }

  private static func steps(_ radius: Double) -> [Step] {
    var sigmas = [radius, radius / 2]
    while sigmas.count < Int(RTKMaximumLevels), sigmas.last! / 2 >= smallestSigma { sigmas.append(sigmas.last! / 2) }
    return sigmas.enumerated().map { k, sigma in
      let strongest = 256 >> k
      let faded = k + 1 < sigmas.count ? strongest / 2 : 0
      // The strongest level covers most of the picture, so its interpolation must not show.
      return Step(
        request: BlurLevels.Request(sigma: sigma, detail: k == 0 ? 2.4 : 1.25), from: 255 - faded,
        length: min(strongest, 255) - faded)
    }
  }

  private static func kernelBlur(_ levels: BlurLevels, _ steps: [Step]) -> RTKVariableBlur {
    var blur = RTKVariableBlur()
    blur.width = Int32(levels.width)
    blur.levelCount = Int32(steps.count)
    withUnsafeMutableBytes(of: &blur.levels) { bytes in
      let target = bytes.assumingMemoryBound(to: RTKBlurLevel.self)
      for (k, step) in steps.enumerated() {
        target[k] = RTKBlurLevel(
          soft: levels.levels[k].kernelLevel, from: Int16(step.from), length: Int16(step.length),
          gain: Int16(step.gain))
      }
    }
    return blur
  }

  /// - Parameter out: not the picture itself.
  package func apply(
    _ picture: UnsafePointer<UInt8>, matte: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>,
    bands: BandRunner
  ) {
    levels.update(picture, bands: bands)
    let (choice, scratch) = (processor.choice, scratch)
    bands.run(rowCount: levels.height) { rows, thread in
      var blur = blur
      rtk_variable_blur(
        choice, &blur, picture, matte, out, Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
    }
    withExtendedLifetime(self) {}
  }
}
