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
      minX: Swift.min(minX, other.minX), minY: Swift.min(minY, other.minY), maxX: Swift.max(maxX, other.maxX),
      maxY: Swift.max(maxY, other.maxY))
  }
}
