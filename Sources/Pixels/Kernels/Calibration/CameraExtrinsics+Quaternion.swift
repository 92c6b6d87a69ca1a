import Support

extension CameraExtrinsics {
  /// - Parameters:
  ///   - rotation: row-major.
  ///   - translationMillimeters: less than 100 m.
  /// - Throws: `.corrupt` for an impossible number, which the sentence names.
  package init(checking rotation: [Double], translationMillimeters translation: [Double]) throws(RetakeError) {
    guard rotation.count == 9, translation.count == 3 else {
      throw RetakeError(
        .corrupt,
        "A pose has \(rotation.count) numbers of a rotation and \(translation.count) of a translation instead of 9 and 3."
      )
    }
    if let far = translation.first(where: { !(abs($0) < 1e5) }) {
      throw RetakeError(.corrupt, "Two cameras are \(far) mm apart; the limit is 100000 mm.")
    }
    guard let pose = CameraExtrinsics(rotation: rotation, translationMillimeters: translation) else {
      throw RetakeError(
        .corrupt,
        "The matrix \(rotation) is no rotation: its rows have to be orthogonal, 1 long and right-handed.")
    }
    self = pose
  }

  /// - Parameter quaternion: x, y, z, w; its length has to be 1 within 1 %, and becomes 1.
  /// - Throws: `.corrupt` for another length.
  package static func rotation(quaternion: [Double]) throws(RetakeError) -> [Double] {
    guard quaternion.count == 4 else {
      throw RetakeError(.corrupt, "A quaternion has \(quaternion.count) numbers instead of 4.")
    }
    let squares = quaternion.map { $0 * $0 }
    let length = (squares[0] + squares[1] + squares[2] + squares[3]).squareRoot()
    guard (0.99...1.01).contains(length) else {
      throw RetakeError(.corrupt, "The quaternion \(quaternion) is \(length) long instead of 1.")
    }
    let (x, y, z, w) = (quaternion[0] / length, quaternion[1] / length, quaternion[2] / length, quaternion[3] / length)
    return [
      1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
      2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
      2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
    ]
  }

  /// x, y, z, w, with w not negative. From the largest of the four, which keeps the most digits.
  package var quaternion: [Double] {
    let r = rotation
    let traces = [
      1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8], 1 - r[0] - r[4] + r[8], 1 + r[0] + r[4] + r[8],
    ]
    let largest = traces.indices.max { traces[$0] < traces[$1] } ?? 3
    let size = 2 * traces[largest].squareRoot()
    let (a, b, c) = (r[7] - r[5], r[2] - r[6], r[3] - r[1])
    let (xy, xz, yz) = (r[1] + r[3], r[2] + r[6], r[5] + r[7])
    let products: [Double] =
      switch largest {
      case 0: [size * size / 4, xy, xz, a]
      case 1: [xy, size * size / 4, yz, b]
      case 2: [xz, yz, size * size / 4, c]
      default: [a, b, c, size * size / 4]
      }
    let sign = products[3] < 0 ? -1.0 : 1.0
    return products.map { sign * $0 / size }
  }

  package static let identity = CameraExtrinsics(
    trusting: [1, 0, 0, 0, 1, 0, 0, 0, 1], translationMillimeters: [0, 0, 0])

  /// The pose for a point that goes through this one first.
  package func followed(by next: CameraExtrinsics) -> CameraExtrinsics {
    let (a, b) = (next.rotation, rotation)
    var product = [Double](repeating: 0, count: 9)
    var translation = next.translationMillimeters
    for i in 0..<3 {
      for k in 0..<3 {
        for j in 0..<3 { product[3 * i + j] += a[3 * i + k] * b[3 * k + j] }
        translation[i] += a[3 * i + k] * translationMillimeters[k]
      }
    }
    return CameraExtrinsics(trusting: product, translationMillimeters: translation)
  }

  package var inverse: CameraExtrinsics {
    let (r, t) = (rotation, translationMillimeters)
    let transposed = [r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]]
    let back = (0..<3).map {
      -(transposed[3 * $0] * t[0] + transposed[3 * $0 + 1] * t[1] + transposed[3 * $0 + 2] * t[2])
    }
    return CameraExtrinsics(trusting: transposed, translationMillimeters: back)
  }
}
