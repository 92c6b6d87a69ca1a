import FrameModel
import Support

extension CameraIntrinsics {
  /// Largest absolute value of a distortion coefficient. Rational models of real lenses stay below 100.
  private static let largestCoefficient = 1000.0

  /// Focal lengths and principal point, in pixels.
  package struct Pinhole: Hashable, Sendable {
    package var fx: Double
    package var fy: Double
    package var cx: Double
    package var cy: Double
    package init(fx: Double, fy: Double, cx: Double, cy: Double) {
      (self.fx, self.fy, self.cx, self.cy) = (fx, fy, cx, cy)
    }

    /// - Parameter matrix: 3 × 3, row by row.
    /// - Throws: `.corrupt` if it is not a camera matrix without skew.
    package init(matrix: [Double]) throws(RetakeError) {
      guard matrix.count == 9 else {
        throw RetakeError(.corrupt, "A camera matrix has \(matrix.count) numbers instead of 9.")
      }
      for (place, wanted) in [(1, 0.0), (3, 0), (6, 0), (7, 0), (8, 1)] where matrix[place] != wanted {
        throw RetakeError(
          .corrupt,
          "A camera matrix has \(matrix[place]) in row \(place / 3 + 1), column \(place % 3 + 1) instead of "
            + "\(Int(wanted)).")
      }
      self.init(fx: matrix[0], fy: matrix[4], cx: matrix[2], cy: matrix[5])
    }
  }

  /// The lens of pictures of a size, with limits that every real camera keeps.
  /// - Parameter distortion: in OpenCV's order: k1, k2, p1, p2, k3, k4, k5, k6; none, or the first 4, 5
  ///   or 8. Further ones (thin prism, tilt) have to be 0.
  /// - Throws: `.corrupt` for an impossible number, which the sentence names; `.unsupported` for other
  ///   coefficients.
  package init(_ pinhole: Pinhole, distortion: [Double], width: Int, height: Int) throws(RetakeError) {
    let sides = 1...FrameLayout.largestSide
    guard sides.contains(width), sides.contains(height) else {
      throw RetakeError(
        .corrupt, "Pictures of \(width)x\(height) do not exist: sides are 1 to \(FrameLayout.largestSide).")
    }
    let longest = Double(max(width, height))
    for (name, value) in [("fx", pinhole.fx), ("fy", pinhole.fy)] {
      guard (longest / 20...longest * 100).contains(value) else {
        throw RetakeError(
          .corrupt,
          "The focal length \(name) = \(value) is impossible for pictures of \(width)x\(height): it is in pixels, "
            + "\(longest / 20) to \(longest * 100).")
      }
    }
    for (name, value, side) in [("cx", pinhole.cx, width), ("cy", pinhole.cy, height)] {
      guard Double(-side)...Double(2 * side) ~= value else {
        throw RetakeError(
          .corrupt,
          "The principal point \(name) = \(value) is impossible for pictures of \(width)x\(height): it is in pixels, "
            + "\(-side) to \(2 * side).")
      }
    }
    for (place, value) in distortion.enumerated() {
      guard abs(value) <= Self.largestCoefficient else {
        throw RetakeError(
          .corrupt,
          "Distortion coefficient \(place + 1) is \(value); the limit is ±\(Int(Self.largestCoefficient)).")
      }
    }
    guard [0, 4, 5, 8, 12, 14].contains(distortion.count) else {
      throw RetakeError(.unsupported, "A lens has \(distortion.count) distortion coefficients instead of 0, 4, 5 or 8.")
    }
    guard distortion.dropFirst(8).allSatisfy({ $0 == 0 }) else {
      throw RetakeError(.unsupported, "Distortion by thin prisms or a tilted sensor is not supported.")
    }
    let d = (0..<8).map { $0 < distortion.count ? distortion[$0] : 0 }
    guard
      let lens = CameraIntrinsics(
        [pinhole.fx, pinhole.fy, pinhole.cx, pinhole.cy, d[0], d[1], d[4], d[5], d[6], d[7], d[2], d[3]])
    else { throw RetakeError(.corrupt, "The intrinsics have a number that is not finite.") }
    self = lens
  }

  /// In OpenCV's order: k1, k2, p1, p2, k3, and k4, k5, k6 if one of them is not 0.
  package var distortion: [Double] {
    let first = [self[.k1], self[.k2], self[.p1], self[.p2], self[.k3]]
    let rest = [self[.k4], self[.k5], self[.k6]]
    return rest.allSatisfy { $0 == 0 } ? first : first + rest
  }

  /// Row by row.
  package var matrix: [Double] { [self[.fx], 0, self[.cx], 0, self[.fy], self[.cy], 0, 0, 1] }
}
