extension FrameRate {
  /// ⌊time · rate⌋ for times up to 73 years.
  package func periods(in nanoseconds: Int64) -> Int {
    let product = Int(nanoseconds.magnitude).multipliedFullWidth(by: numerator)
    let divisor = denominator * 1_000_000_000
    guard product.high < divisor / 2 else { return nanoseconds < 0 ? .min : .max }
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    return nanoseconds < 0 ? -quotient - (remainder > 0 ? 1 : 0) : quotient
  }
}
