import Kernels

extension GreyImage {
  /// Enlargement of a picture, each way.
  ///
  /// Cascades find faces reliably from about twice their window on. Enlarged, small faces are that large.
  enum Zoom: Int, CaseIterable {
    case none = 1
    case double = 2
    case fourfold = 4
  }

  /// Grey pixels of a part of a picture. The samples stay valid until the next call or frame.
  struct Part {
    var samples: UnsafePointer<UInt8>
    var width: Int
    var height: Int
    var bytesPerRow: Int
  }

  /// A part of the picture, enlarged: the frame's own pixels where it has that many, else interpolated ones.
  /// - Parameters: edges in pixels of this picture, inside of it.
  func part(left: Int, top: Int, right: Int, bottom: Int, _ zoom: Zoom) -> Part {
    let plane = plane(zoom, left: left, top: top, right: right, bottom: bottom)
    let factor = zoom.rawValue
    return Part(
      samples: UnsafePointer(plane.samples) + factor * (top * plane.width + left), width: factor * (right - left),
      height: factor * (bottom - top), bytesPerRow: plane.width)
  }

  private func plane(_ zoom: Zoom, left: Int, top: Int, right: Int, bottom: Int) -> PixelPlane<UInt8> {
    switch zoom {
    case .none: return plane
    case .double:
      if let fine { return fine }
      let larger = doubled ?? PixelPlane(width: 2 * width, height: 2 * height)
      doubled = larger
      Self.double(plane, left: left, top: top, right: right, bottom: bottom, to: larger)
      return larger
    case .fourfold:
      // Interpolation also reads the pixels beside the part.
      let half = plane(
        .double, left: max(left - 1, 0), top: max(top - 1, 0), right: min(right + 1, width),
        bottom: min(bottom + 1, height))
      let larger = quadrupled ?? PixelPlane(width: 4 * width, height: 4 * height)
      quadrupled = larger
      Self.double(half, left: 2 * left, top: 2 * top, right: 2 * right, bottom: 2 * bottom, to: larger)
      return larger
    }
  }

  /// Bilinear: each new pixel is 9, 3, 3 and 1 sixteenths of the four nearest, rounded to nearest.
  private static func double(
    _ plane: PixelPlane<UInt8>, left: Int, top: Int, right: Int, bottom: Int, to larger: PixelPlane<UInt8>
  ) {
    for y in top..<bottom {
      let row = plane.row(y)
      for isLower in 0...1 {
        let other = plane.row(min(max(isLower == 1 ? y + 1 : y - 1, 0), plane.height - 1))
        let out = larger.row(2 * y + isLower)
        for x in left..<right {
          let (before, after) = (max(x - 1, 0), min(x + 1, plane.width - 1))
          let middle = 3 * Int(row[x]) + Int(other[x])
          out[2 * x] = UInt8(truncatingIfNeeded: (3 * middle + 3 * Int(row[before]) + Int(other[before]) + 8) >> 4)
          out[2 * x + 1] = UInt8(truncatingIfNeeded: (3 * middle + 3 * Int(row[after]) + Int(other[after]) + 8) >> 4)
        }
      }
    }
  }
}
