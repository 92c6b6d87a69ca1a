/// Elementary functions with the same bits on every processor and C library.
///
/// A C library picks its `exp` by processor, with or without fused multiply-add, so its last bit
/// may differ. These use only + − × ÷, rounding to an integer and square root in a fixed order,
/// which IEEE 754 defines to the bit. The error is below 10⁻¹³ relative to the larger of 1 and the
/// result, far below the steps of a 16-bit table.
package enum PortableMath {
  package static let pi = 3.141592653589793
  static let ln2 = 0.6931471805599453

  /// 2 to the power of x, for |x| < 1000.
  package static func exp2(_ x: Double) -> Double {
    let whole = x.rounded(.toNearestOrEven)
    let t = (x - whole) * ln2  // |t| ≤ 0.347
    // Taylor series; the term after t¹⁶/16! is below 10⁻²².
    var sum = 1.0
    var k = 16.0
    while k >= 1 {
      sum = 1 + sum * t / k
      k -= 1
    }
    return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
  }

  /// The logarithm to base 2 of x > 0 (normal numbers).
  package static func log2(_ x: Double) -> Double {
    precondition(x > 0 && x.isNormal)
    var exponent = Double(x.exponent)
    var m = x.significand  // 1 ..< 2
    if m > 1.4142135623730951 {
      m /= 2
      exponent += 1
    }
    // ln m = 2 atanh(s), s = (m − 1) / (m + 1), |s| ≤ 0.172; the terms after s³¹ are below 10⁻²⁵.
    let s = (m - 1) / (m + 1)
    let s2 = s * s
    var sum = 0.0
    var k = 31.0
    while k >= 1 {
      sum = sum * s2 + 1 / k
      k -= 2
    }
    return exponent + 2 * s * sum / ln2
  }

  package static func exp(_ x: Double) -> Double { exp2(x / ln2) }

  /// x to the power of y for x ≥ 0; 0 to any power above 0 is 0, and any x to the power of 0 is 1.
  package static func pow(_ x: Double, _ y: Double) -> Double {
    if y == 0 { return 1 }
    if x <= 0 { return 0 }
    return exp2(y * log2(x))
  }

  /// The sine of x radians, for |x| ≤ 1000; the error is below 10⁻¹².
  package static func sin(_ x: Double) -> Double {
    let quarter = (x / (pi / 2)).rounded(.toNearestOrEven)
    // π/2 in two parts, so that the remainder keeps its precision.
    let r = (x - quarter * 1.5707963267948966) - quarter * 6.123233995736766e-17
    switch Int(quarter) & 3 {
    case 0: return sineNearZero(r)
    case 1: return cosineNearZero(r)
    case 2: return -sineNearZero(r)
    default: return -cosineNearZero(r)
    }
  }

  package static func cos(_ x: Double) -> Double { sin(x + pi / 2) }

  /// The angle of (x, y) in −π ... π.
  package static func atan2(_ y: Double, _ x: Double) -> Double {
    if x == 0 && y == 0 { return 0 }
    let steep = y.magnitude > x.magnitude
    let ratio = steep ? x.magnitude / y.magnitude : y.magnitude / x.magnitude
    var angle = arctangent(ratio)
    if steep { angle = pi / 2 - angle }
    if x < 0 { angle = pi - angle }
    return y < 0 ? -angle : angle
  }

  private static func sineNearZero(_ r: Double) -> Double {
    let r2 = r * r
    var sum = 1.0
    var k = 18.0
    while k >= 2 {
      sum = 1 - sum * r2 / (k * (k + 1))
      k -= 2
    }
    return r * sum
  }

  private static func cosineNearZero(_ r: Double) -> Double {
    let r2 = r * r
    var sum = 1.0
    var k = 17.0
    while k >= 1 {
      sum = 1 - sum * r2 / (k * (k + 1))
      k -= 2
    }
    return sum
  }

  /// For 0 ≤ t ≤ 1: halved twice by atan t = 2 atan(t / (1 + √(1 + t²))), then its series.
  private static func arctangent(_ t: Double) -> Double {
    let a = t / (1 + (1 + t * t).squareRoot())
    let b = a / (1 + (1 + a * a).squareRoot())  // ≤ 0.1989
    let b2 = b * b
    var sum = 0.0
    var k = 27.0
    while k >= 1 {
      sum = 1 / k - sum * b2
      k -= 2
    }
    return 4 * b * sum
  }
}
