import Support

/// Points of a Sobol sequence, spread evenly in every prefix (Joe and Kuo 2008, new-joe-kuo-6).
///
/// Whole-number arithmetic; the seed shifts each axis by exclusive or, which keeps the spread. Axes
/// beyond the table are hashed, so they are as even as independent draws.
struct SobolPoints {
  private let axes: [SearchLattice.Axis]
  private let seed: UInt64
  private let directions: [[UInt32]]
  private var index: UInt32 = 0

  init(_ axes: [SearchLattice.Axis], seed: UInt64) {
    (self.axes, self.seed) = (axes, seed)
    directions = axes.indices.map(Self.directions)
  }

  /// Repeats after 2³² points.
  mutating func next() -> SearchLattice.Point {
    defer { index &+= 1 }
    let gray = index ^ (index >> 1)
    return axes.indices.map { axis in
      let shift = UInt32(truncatingIfNeeded: SeededGenerator.hash(seed, UInt64(axis), 0x50B0))
      var word = shift
      if directions[axis].isEmpty {
        word ^= UInt32(truncatingIfNeeded: SeededGenerator.hash(seed, UInt64(axis), UInt64(index)) >> 32)
      } else {
        for bit in 0..<32 where gray >> UInt32(bit) & 1 == 1 { word ^= directions[axis][bit] }
      }
      return Int((UInt64(word) * UInt64(axes[axis].levelCount)) >> 32)
    }
  }

  /// Direction numbers of an axis; none beyond the table.
  private static func directions(_ axis: Int) -> [UInt32] {
    guard axis > 0 else { return (0..<32).map { 1 << UInt32(31 - $0) } }
    guard axis <= polynomials.count else { return [] }
    let (a, initial) = polynomials[axis - 1]
    let degree = initial.count
    var m = initial
    for k in degree..<32 {
      var value = m[k - degree] ^ (m[k - degree] << UInt32(degree))
      for i in 1..<max(1, degree) where a >> UInt32(degree - 1 - i) & 1 == 1 { value ^= m[k - i] << UInt32(i) }
      m.append(value)
    }
    return m.enumerated().map { $0.element << UInt32(31 - $0.offset) }
  }

  /// Coefficients of the primitive polynomial, and the first direction numbers, from the second axis.
  private static let polynomials: [(a: UInt32, m: [UInt32])] = [
    (0, [1]), (1, [1, 3]), (1, [1, 3, 1]), (2, [1, 1, 1]), (1, [1, 1, 3, 3]), (4, [1, 3, 5, 13]),
    (2, [1, 1, 5, 5, 17]), (4, [1, 1, 5, 5, 5]), (7, [1, 1, 7, 11, 19]), (11, [1, 1, 5, 1, 1]),
    (13, [1, 1, 1, 3, 11]), (14, [1, 3, 5, 5, 31]), (1, [1, 3, 3, 9, 7, 49]), (13, [1, 1, 1, 15, 21, 21]),
    (16, [1, 3, 1, 13, 27, 49]), (19, [1, 1, 1, 15, 7, 5]), (22, [1, 3, 1, 15, 13, 25]),
    (25, [1, 1, 5, 5, 19, 61]), (1, [1, 3, 7, 11, 23, 15, 103]), (4, [1, 3, 7, 13, 13, 15, 69]),
  ]
}
