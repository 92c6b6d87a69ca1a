import CKernels

/// A matte that is kept until the next frame, without its flat parts, which are most of it.
package final class PackedMatte {
  private let width: Int
  private let height: Int
  private let notZero: BitPlane
  private let notOne: BitPlane
  private var samples: [UInt8] = [0]

  /// All zero.
  package init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    let quads = Int(rtk_quad_count(Int32(width)))
    notZero = BitPlane(width: quads, height: height)
    notOne = BitPlane(width: quads, height: height)
  }

  /// - Parameter matte: of this size.
  package func take(_ matte: MatteFeatures) {
    precondition(isSameSize(as: matte))
    var found = matte.found
    let count = rtk_packed_byte_count(&found, Int32(width), Int32(height))
    // With some more, since the next ones may need it.
    if samples.count < count { samples = [UInt8](repeating: 0, count: count + count / 4) }
    withPacked { rtk_pack_matte(&found, Int32(width), Int32(height), $0) }
  }

  func isSameSize(as matte: MatteFeatures) -> Bool { matte.width == width && matte.height == height }

  func withPacked(_ body: (UnsafeMutablePointer<RTKPackedMatte>) -> Void) {
    samples.withUnsafeMutableBufferPointer { samples in
      var packed = RTKPackedMatte(samples: samples.baseAddress, notZero: notZero.words, notOne: notOne.words)
      body(&packed)
    }
  }
}
