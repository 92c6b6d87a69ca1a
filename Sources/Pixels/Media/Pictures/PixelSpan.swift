extension Range<Int> {
  /// Cuts a span of pixels into squares of whole units; the last one takes the remainder.
  /// - Parameters:
  ///   - unit: pixels that change together, to which the span and the squares are widened.
  ///   - side: of a square, in pixels; nil leaves the span whole.
  ///   - samplePixels: pixels that one sample covers, a divisor of `unit`.
  ///   - limit: number of samples in the picture.
  /// - Returns: ranges of samples, without those outside the picture.
  package func squares(unit: Int, side: Int?, samplePixels: Int, limit: Int) -> [Range<Int>] {
    func widened(_ pixels: Int) -> Int { (pixels + unit - 1) / unit * unit }
    let (first, end) = (lowerBound / unit * unit, widened(upperBound))
    let length = Swift.max(unit, widened(side ?? end - first))
    let count = Swift.max(1, (end - first) / length)
    return (0..<count).compactMap { number in
      let begin = first + number * length
      let next = number == count - 1 ? end : begin + length
      let samples = (begin / samplePixels..<next / samplePixels).clamped(to: 0..<limit)
      return samples.isEmpty ? nil : samples
    }
  }
}
