import CKernels

/// An effect's intermediate picture: four samples per pixel (red, green, blue and one more) of
/// 0 ... 16320, six bits of them fractional. Rows are padded to eight pixels.
package final class SoftPlane: @unchecked Sendable {
  // Unchecked because of the pointer: kernels write disjoint rows, one stage after another.
  package static let one = 255 * 64

  let width: Int
  let height: Int
  let stride: Int
  var samples: UnsafeMutablePointer<Int16> { memory.samples }
  private let memory: ZeroedMemory<Int16>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    stride = (4 * width + 31) / 32 * 32
    memory = ZeroedMemory(count: stride * height)
  }

  deinit { memory.deallocate() }

  /// Valid as long as the plane lives.
  var kernelPlane: RTKSoftPlane {
    RTKSoftPlane(samples: samples, width: Int32(width), height: Int32(height), stride: Int32(stride))
  }
}

/// A Gaussian's weights with 16 fractional bits, out to 4 σ. Both sides add up to exactly one.
package struct SoftWeights: Sendable {
  /// From the middle outwards.
  package let half: [Int]
  let kernelWeights: RTKSoftWeights

  /// - Parameter sigma: 0.4 to 7, pixels.
  init(sigma: Double) {
    let weights = GaussianWeights(sigma: sigma)
    let radius = min(Int((4 * sigma).rounded(.up)), Int(RTKMaximumTaps) - 1)
    let sum = (1...radius).reduce(Double(weights.half[0])) { $0 + 2 * Double(weights.half[$1]) }
    var half = (0...radius).map { Int((Double(weights.half[$0]) / sum * 65536).rounded(.toNearestOrEven)) }
    half[0] = 65536 - 2 * half.dropFirst().reduce(0, +)
    var kernelWeights = RTKSoftWeights()
    kernelWeights.radius = Int32(radius)
    withUnsafeMutableBytes(of: &kernelWeights.half) { bytes in
      for (k, weight) in half.enumerated() {
        bytes.storeBytes(of: UInt16(weight), toByteOffset: 2 * k, as: UInt16.self)
      }
    }
    self.half = half
    self.kernelWeights = kernelWeights
  }
}
