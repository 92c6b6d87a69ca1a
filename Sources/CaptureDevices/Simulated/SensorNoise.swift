import PortableMath

/// Tables of bell-shaped noise, drawn once; every row of every frame reads them from a place of its own.
///
/// A frame of noise costs one addition a pixel, and still depends on (seed, frame, row) alone.
struct SensorNoise: Sendable {
  static let period = 1 << 16
  /// Reading starts anywhere in the period and goes on this far without looking for the end.
  static let longestRow = 3 * 4096

  /// Levels of 8-bit colour, σ = 1.8.
  let color: [Int8]
  /// σ = 1.
  let axial: [Float]
  /// Whole pixels, σ = 0.8.
  let lateral: [Int8]

  static let colorSigma: Float = 1.8
  static let lateralSigma: Float = 0.8

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x4E4F_4953))
    // The sum of eight uniform 16-bit numbers is bell-shaped out to 3.5 σ; its variance is 8 · 2³² / 12.
    let sigma = Float((8.0 * 4_294_967_295.0 / 12.0).squareRoot())
    func bell() -> Float {
      var sum: Int32 = -4 * 65_535
      for _ in 0..<2 {
        let word = generator.next()
        sum +=
          Int32(word & 0xFFFF) + Int32(word >> 16 & 0xFFFF) + Int32(word >> 32 & 0xFFFF) + Int32(word >> 48)
      }
      return Float(sum) / sigma
    }
    let axial = (0..<Self.period).map { _ in bell() }
    let color = axial.map { Int8(truncatingIfNeeded: ($0 * Self.colorSigma).nearestInteger) }
    let lateral = (0..<Self.period).map { _ in
      Int8(truncatingIfNeeded: (bell() * Self.lateralSigma).nearestInteger)
    }
    self.axial = axial + axial.prefix(Self.longestRow)
    self.color = color + color.prefix(Self.longestRow)
    self.lateral = lateral + lateral.prefix(Self.longestRow)
  }

  /// Where a row starts to read.
  @inline(__always)
  static func offset(_ seed: UInt64, _ frame: Int, _ row: Int, _ channel: UInt64) -> Int {
    Int(SeededGenerator.hash(seed, UInt64(bitPattern: Int64(frame)), UInt64(row), channel) & 0xFFFF)
  }
}
