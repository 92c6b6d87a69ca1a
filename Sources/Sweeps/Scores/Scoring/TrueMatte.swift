/// The true matte of a frame.
package struct TrueMatte: Hashable, Sendable {
  /// 255 for the person, rows without gaps; 0 where a pixel is left out.
  package let samples: [UInt8]
  /// 0 for each pixel to leave out, otherwise 255; nil if every pixel is judged.
  package let judged: [UInt8]?

  /// Whether any pixel is judged.
  var isJudged: Bool { judged?.contains(255) ?? true }

  /// - Parameter leftOut: whether to leave out the pixel with this index.
  init(_ samples: [UInt8], leftOut: (Int) -> Bool) {
    let judged = samples.indices.map { leftOut($0) ? UInt8(0) : 255 }
    self.judged = judged.contains(0) ? judged : nil
    self.samples = self.judged == nil ? samples : zip(samples, judged).map(&)
  }
}
