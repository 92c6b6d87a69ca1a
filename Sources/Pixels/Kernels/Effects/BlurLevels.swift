import CKernels

/// Gaussian blurs of one picture, each computed on a downscaled copy, since a wide Gaussian of the
/// picture is a narrow one of a small copy.
///
/// Copies are halved with weights 1 3 3 1 along each axis as often as needed: a blur of variance
/// (s² − 1)/4 for a scale of s. Later linear interpolation between the copy's pixels adds
/// s²/6 + 1/12 on average. A Gaussian of the copy supplies the rest of σ².
package final class BlurLevels: @unchecked Sendable {
  // Unchecked, as its planes are: bands write disjoint rows.
  package struct Request: Hashable, Sendable {
    /// σ of the whole blur, in pixels of the picture.
    package let sigma: Double
    /// 1, 2, 4, 8 or 16.
    package let scale: Int

    init(sigma: Double, scale: Int) { (self.sigma, self.scale) = (sigma, scale) }

    /// - Parameter detail: minimum σ in pixels of the copy; a larger one hides the interpolation.
    package init(sigma: Double, detail: Double) {
      self.init(sigma: sigma, scale: [16, 8, 4, 2].first { Double($0) * detail <= sigma } ?? 1)
    }

    /// σ of the copy's Gaussian, in pixels of the copy.
    package var remainingSigma: Double {
      let s = Double(scale)
      let done = scale == 1 ? 0 : (s * s - 1) / 4 + s * s / 6 + 1.0 / 12
      return max(sigma * sigma - done, 0.16 * s * s).squareRoot() / s
    }
  }

  package struct Level {
    package let scale: Int
    package let weights: SoftWeights
    let plane: SoftPlane
    var kernelLevel: RTKSoftLevel { RTKSoftLevel(plane: plane.kernelPlane, scale: Int32(scale)) }
  }

  package let width: Int
  package let height: Int
  package let levels: [Level]
  /// Copies at scale 1, 2, 4, …; nil if not needed.
  package let copies: [SoftPlane?]
  /// Each copy blurred along x; nil if no level uses the copy.
  private let along: [SoftPlane?]
  private let processor: Processor
  private let scratch: KernelScratch

  package init(width: Int, height: Int, _ requests: [Request], threadCount: Int, processor: Processor = .best) {
    self.width = width
    self.height = height
    self.processor = processor
    let largest = requests.map(\.scale).max() ?? 1
    var copies: [SoftPlane?] = [requests.contains { $0.scale == 1 } ? SoftPlane(width: width, height: height) : nil]
    var size = (width, height)
    var scale = 2
    while scale <= largest {
      size = ((size.0 + 1) / 2, (size.1 + 1) / 2)
      copies.append(SoftPlane(width: size.0, height: size.1))
      scale *= 2
    }
    self.copies = copies
    func twin(_ plane: SoftPlane) -> SoftPlane { SoftPlane(width: plane.width, height: plane.height) }
    along = copies.enumerated().map { step, copy in
      requests.contains { $0.scale == 1 << step } ? copy.map(twin) : nil
    }
    levels = requests.map { request in
      Level(
        scale: request.scale, weights: SoftWeights(sigma: request.remainingSigma),
        plane: twin(copies[request.scale.trailingZeroBitCount]!))
    }
    scratch = KernelScratch(
      byteCount: max(rtk_half_scratch(Int32(width)), rtk_weigh_scratch(Int32(width))), threadCount: threadCount)
  }

  /// - Parameter hasLuma: gives the half-size copy luma as its fourth sample, before the blur.
  package func update(_ picture: UnsafePointer<UInt8>, hasLuma: Bool = false, bands: BandRunner) {
    let (choice, scratch) = (processor.choice, scratch)
    let (width, height) = (Int32(width), Int32(height))
    for step in copies.indices {
      guard let copy = copies[step] else { continue }
      let finer = step > 1 ? copies[step - 1] : nil
      bands.run(rowCount: copy.height) { rows, thread in
        var target = copy.kernelPlane
        let (first, count) = (Int32(rows.lowerBound), Int32(rows.count))
        if step == 0 {
          rtk_soften_rgb(choice, picture, &target, first, count)
        } else if let finer {
          var source = finer.kernelPlane
          rtk_half_soft(choice, &source, &target, first, count, scratch.piece(thread))
        } else {
          rtk_half_rgb(choice, picture, width, height, &target, first, count, scratch.piece(thread))
          if hasLuma { rtk_soft_luma(choice, &target, first, count) }
        }
      }
    }
    for level in levels {
      let step = level.scale.trailingZeroBitCount
      guard let copy = copies[step], let along = along[step] else { continue }
      bands.run(rowCount: copy.height) { rows, thread in
        var (weights, source, target) = (level.weights.kernelWeights, copy.kernelPlane, along.kernelPlane)
        rtk_weigh_along(
          choice, &weights, &source, &target, Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
      }
      bands.run(rowCount: copy.height) { rows in
        var (weights, source, target) = (level.weights.kernelWeights, along.kernelPlane, level.plane.kernelPlane)
        rtk_weigh_down(choice, &weights, &source, &target, Int32(rows.lowerBound), Int32(rows.count))
      }
    }
    withExtendedLifetime(self) {}
  }
}
