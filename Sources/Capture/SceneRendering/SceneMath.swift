import Support

/// Points, directions (metres; x right, y down, z away from the camera) and colours (0 to 1, as
/// displayed).
///
/// The scene uses Float with only + − × ÷ and square root, which IEEE 754 defines to the bit and
/// Swift never fuses. So a frame has the same bytes on every machine. Sines and powers are computed
/// by `PortableMath` or replaced by polynomials.
typealias Vector3 = SIMD3<Float>

extension SIMD3 where Scalar == Float {
  @inline(__always) func dot(_ other: Self) -> Float { x * other.x + y * other.y + z * other.z }

  @inline(__always) func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  @inline(__always) var normalized: Self {
    let length = dot(self).squareRoot()
    return length > 0 ? self / length : self
  }

  @inline(__always) func mixed(with other: Self, _ share: Float) -> Self { self + (other - self) * share }
}

extension Float {
  @inline(__always) func clamped(_ low: Float, _ high: Float) -> Float {
    Swift.min(Swift.max(self, low), high)
  }

  /// 0 below `low`, 1 above `high`, and a smooth cubic between.
  @inline(__always) func smoothstep(_ low: Float, _ high: Float) -> Float {
    let t = ((self - low) / (high - low)).clamped(0, 1)
    return t * t * (3 - 2 * t)
  }

  @inline(__always) func mixed(with other: Float, _ share: Float) -> Float { self + (other - self) * share }

  /// Rounds to the nearest integer, ties to even, for magnitudes below 2²². Adding 1.5·2²³ leaves
  /// the integer in the significand's low bits, in two instructions that vectorise.
  @inline(__always) var nearestInteger: Int32 {
    Int32(bitPattern: (self + 12_582_912).bitPattern &- Float(12_582_912).bitPattern)
  }

  /// Rounds down, for magnitudes below 2³¹.
  @inline(__always) var floorInteger: Int32 {
    let truncated = Int32(self)
    return Float(truncated) > self ? truncated &- 1 : truncated
  }
}

enum Shape {
  /// A soft elliptical spot: 1 in the centre, falling smoothly to 0 at the edge.
  @inline(__always)
  static func spot(_ x: Float, _ y: Float, _ halfWidth: Float, _ halfHeight: Float) -> Float {
    let a = x / halfWidth
    let b = y / halfHeight
    let inside = max(0, 1 - a * a - b * b)
    return inside * inside
  }

  /// Share of a pixel of side `pixel` inside an edge at `distance` (> 0 inside).
  @inline(__always)
  static func coverage(_ distance: Float, _ pixel: Float) -> Float { (distance / pixel + 0.5).clamped(0, 1) }

  /// Distance from a point to the segment a–b, and the position of its foot on it (0 to 1).
  @inline(__always)
  static func segment(
    _ x: Float, _ y: Float, from a: SIMD2<Float>, to b: SIMD2<Float>
  ) -> (distance: Float, along: Float) {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let t = (((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy)).clamped(0, 1)
    let ex = x - a.x - t * dx
    let ey = y - a.y - t * dy
    return ((ex * ex + ey * ey).squareRoot(), t)
  }
}

extension SeededGenerator {
  /// Uniform in 0 ..< 1, in steps of 2⁻²⁴.
  mutating func nextFloat() -> Float { Float(next() >> 40) * 0x1p-24 }
}

/// Smooth random patterns that depend only on place and seed.
struct ValueNoise: Sendable {
  private let lattice: [Float]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    lattice = (0..<4096).map { _ in generator.nextFloat() }
  }

  /// 0 to 1, with features of size 1; repeats after 64.
  func callAsFunction(_ x: Float, _ y: Float) -> Float {
    let column = x.floorInteger
    let row = y.floorInteger
    let tx = x - Float(column)
    let ty = y - Float(row)
    let sx = tx * tx * (3 - 2 * tx)
    let sy = ty * ty * (3 - 2 * ty)
    let upper = corner(column, row).mixed(with: corner(column &+ 1, row), sx)
    let lower = corner(column, row &+ 1).mixed(with: corner(column &+ 1, row &+ 1), sx)
    return upper.mixed(with: lower, sy)
  }

  private func corner(_ column: Int32, _ row: Int32) -> Float {
    lattice[Int((row & 63) << 6 | (column & 63))]
  }
}
