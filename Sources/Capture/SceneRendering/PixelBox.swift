/// A rectangle of whole pixels; upper bounds are exclusive.
struct PixelBox: Hashable, Sendable {
  var minX: Int
  var minY: Int
  var maxX: Int
  var maxY: Int

  static let empty = PixelBox(minX: .max, minY: .max, maxX: .min, maxY: .min)

  var isEmpty: Bool { minX >= maxX || minY >= maxY }

  func union(_ other: PixelBox) -> PixelBox {
    PixelBox(
      minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY))
  }
}
