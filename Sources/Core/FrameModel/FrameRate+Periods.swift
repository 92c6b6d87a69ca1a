extension FrameRate {
  /// ⌊nanoseconds · rate⌋, exact for up to 73 years; saturates where the result does not fit.
  package func periods(in nanoseconds: Int64) -> Int {
    let product = Int(nanoseconds.magnitude).multipliedFullWidth(by: numerator)
    let divisor = denominator * 1_000_000_000
    guard product.high < divisor / 2 else { return nanoseconds < 0 ? .min : .max }
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    return nanoseconds < 0 ? -quotient - (remainder > 0 ? 1 : 0) : quotient
  }
}
