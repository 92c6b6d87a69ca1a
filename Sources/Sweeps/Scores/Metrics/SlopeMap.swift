import CKernels
import Support

/// Gradient magnitudes of a matte, by Gaussian derivatives of σ 1.4 (Rhemann et al. 2009).
///
/// Stored only for quads (four pixels of a row) that have a slope. Floating point in a fixed order
/// with portable functions, so the result is bit-identical on every machine.
struct SlopeMap {
  /// Four values for each quad in `quads`, row by row.
  let lengths: [Double]
  let quads: BitPlane

  init(_ matte: MatteFeatures, _ memory: ScoreMemory) {
    precondition(memory.fits(matte))
    let (quads, uneven) = matte.slopeQuads
    self.quads = quads
    var marked = RTKSlopeQuads(busy: quads.words, uneven: uneven.words)
    let count = 4 * quads.countShared(with: quads, matte.processor)
    lengths = [Double](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = count
      guard let start = buffer.baseAddress else { return }
      withUnsafePointer(to: Self.kernel) {
        rtk_slope_lengths(
          matte.processor, $0, matte.plane.samples, &marked, Int32(matte.width), Int32(matte.height), start,
          memory.slopes.start)
      }
    }
  }

  private static let sigma = 1.4
  /// The Gaussian and its derivative at 0 … 4, beyond which it is below 0.01. Scaled so that the
  /// squares of the kernel's 81 values sum to 1; the byte versions also divide by 255.
  static let kernel: RTKSlopeKernel = {
    let smooth = (0...4).map { x in
      PortableMath.exp(-Double(x * x) / (2 * sigma * sigma)) / (sigma * (2 * PortableMath.pi).squareRoot())
    }
    let slope = smooth.enumerated().map { Double($0.offset) * $0.element / (sigma * sigma) }
    func squares(_ half: [Double]) -> Double { half.dropFirst().reduce(0) { $0 + 2 * $1 * $1 } + half[0] * half[0] }
    let norm = (squares(smooth) * squares(slope)).squareRoot()
    func five(_ half: [Double], by factor: Double) -> (Double, Double, Double, Double, Double) {
      (half[0] * factor, half[1] * factor, half[2] * factor, half[3] * factor, half[4] * factor)
    }
    return RTKSlopeKernel(
      smoothBytes: five(smooth, by: 1 / 255.0), slopeBytes: five(slope, by: 1 / (255 * norm)),
      smooth: five(smooth, by: 1), slope: five(slope, by: 1 / norm))
  }()
}
