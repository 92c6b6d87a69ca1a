import CKernels

/// Colour operations on single pixels of packed RGB. `count` is in pixels.
package enum PixelColors {
  /// (r, g, b) becomes (r, 0, b).
  package static func rosy(
    _ source: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, count: Int, processor: Processor = .best
  ) {
    rtk_rosy(processor.choice, source, out, count)
  }

  /// A 3 × 3 matrix with a bias: each output is (Σ weight · byte + bias + 2¹¹) >> 12, clamped.
  package struct Matrix: Sendable {
    /// One row of input weights for each output channel, in 1/4096.
    package let weights: [[Int32]]
    /// In 1/4096 of a byte's step.
    package let bias: [Int32]
    private let kernelMatrix: RTKColorTransform

    /// One row per output channel. Weights are limited to ±100, the bias to ±25500 byte steps.
    package init(rows: [[Double]], bias: [Double] = [0, 0, 0]) {
      func fixed(_ value: Double, _ limit: Double) -> Int32 {
        Int32((min(max(value, -limit), limit) * 4096).rounded(.toNearestOrEven))
      }
      let weights = rows.map { row in row.map { fixed($0, 100) } }
      let bias = bias.map { fixed($0, 25500) }
      var kernelMatrix = RTKColorTransform()
      withUnsafeMutableBytes(of: &kernelMatrix.weights) { $0.copyBytes(from: weights.flatMap { $0 }.bytes) }
      withUnsafeMutableBytes(of: &kernelMatrix.bias) { $0.copyBytes(from: bias.bytes) }
      (self.weights, self.bias, self.kernelMatrix) = (weights, bias, kernelMatrix)
    }

    /// Green's row is zero (seed system E.22).
    package static let rosy = Matrix(rows: [[1, 0, 0], [0, 0, 0], [0, 0, 1]])

    package func apply(
      _ source: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, count: Int, processor: Processor = .best
    ) {
      var matrix = kernelMatrix
      rtk_color_matrix(processor.choice, &matrix, source, out, count)
    }
  }

  /// Colour that the old background reflected onto the person.
  package enum Spill: String, CaseIterable, Sendable {
    case green, blue
  }

  /// Subtracts (amount · e + 2¹⁴) >> 15 from a colour, where e ≥ 0 is its excess over both others.
  /// - Parameter amount: 0 to 1.
  package static func despill(
    _ source: UnsafePointer<UInt8>, _ spill: Spill, amount: Double, to out: UnsafeMutablePointer<UInt8>, count: Int,
    processor: Processor = .best
  ) {
    rtk_despill(processor.choice, source, out, count, spill == .green ? 1 : 2, Int32(fixed(amount, 15)))
  }

  /// Mixes grey into each byte in place: (v · (2¹⁴ − share) + grey · share + 2¹³) >> 14.
  package static func mixGrey(
    _ grey: UnsafePointer<UInt8>, share: Double, into picture: UnsafeMutablePointer<UInt8>, count: Int,
    processor: Processor = .best
  ) {
    rtk_mix_grey(processor.choice, picture, grey, Int32(fixed(share, 14)), count)
  }

  package static func fixed(_ part: Double, _ bits: Int) -> Int {
    Int((min(max(part, 0), 1) * Double(1 << bits)).rounded(.toNearestOrEven))
  }
}

extension [Int32] {
  fileprivate var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}
