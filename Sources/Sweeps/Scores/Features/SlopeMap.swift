import CKernels
import Support

/// Gradient magnitudes of a matte, by Gaussian derivatives of σ 1.4 (Rhemann et al. 2009).
///
/// Stored only for quads (four pixels of a row) that have a slope. Filtered in 16-bit fixed point, with the same bits
/// on every machine; a magnitude differs by at most 0.0002 from the exact filter's, which is about 3 at
/// a hard edge.
struct SlopeMap {
  /// Four values for each quad in `quads`, row by row, in steps of `unit`.
  let lengths: [Float]
  let quads: BitPlane

  init(_ matte: MatteFeatures, _ memory: ScoreMemory) {
    precondition(memory.fits(matte))
    let quads = matte.slopeQuads
    self.quads = quads
    let count = 4 * quads.countShared(with: quads, matte.processor)
    // The kernel writes whole blocks.
    lengths = [Float](unsafeUninitializedCapacity: count + 12) { buffer, initializedCount in
      initializedCount = count
      guard let start = buffer.baseAddress else { return }
      withUnsafePointer(to: Self.kernel) {
        rtk_slope_lengths(
          matte.processor, $0, matte.plane.samples, quads.words, Int32(matte.width), Int32(matte.height), start,
          memory.slopes.start)
      }
    }
  }

  /// The Gaussian and its derivative at 0 … 4, beyond which it is below 0.01, with 15 and 16 fractional bits.
  private static let weights: (smooth: [Int16], slope: [Int16]) = {
    let sigma = 1.4
    let smooth = (0...4).map { x in
      PortableMath.exp(-Double(x * x) / (2 * sigma * sigma)) / (sigma * (2 * PortableMath.pi).squareRoot())
    }
    let slope = smooth.enumerated().map { Double($0.offset) * $0.element / (sigma * sigma) }
    return (smooth.map { Int16(($0 * 32768).rounded()) }, slope.map { Int16(($0 * 65536).rounded()) })
  }()

  static let kernel: RTKSlopeKernel = {
    func five(_ half: [Int16]) -> (Int16, Int16, Int16, Int16, Int16) { (half[0], half[1], half[2], half[3], half[4]) }
    return RTKSlopeKernel(smooth: five(weights.smooth), slope: five(weights.slope))
  }()

  /// A magnitude's step, so that the squares of the kernel's 81 values sum to 1 for samples from 0 to 1.
  static let unit: Double = {
    func squares(_ half: [Int16], _ one: Double) -> Double {
      let shares = half.map { Double($0) / one }
      return shares.dropFirst().reduce(shares[0] * shares[0]) { $0 + 2 * $1 * $1 }
    }
    let norm = (squares(weights.smooth, 32768) * squares(weights.slope, 65536)).squareRoot()
    return 1 / (255 * Double(1 << RTKSlopeLengthBits) * norm)
  }()
}
