extension BinaryInteger {
  /// Its digits, with zeros before them where there are fewer than `width`. For numbers that are not negative.
  package func zeroPadded(_ width: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
