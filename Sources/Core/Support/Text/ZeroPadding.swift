extension BinaryInteger {
  /// Digits with leading zeros up to `width`, for non-negative numbers.
  package func zeroPadded(_ width: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
