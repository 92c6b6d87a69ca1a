import Support

/// The noise of both sensors, generated once. Each row of each frame reads it at its own offset, so
/// it costs one addition per pixel and depends on (seed, frame, row) alone.
struct SensorNoise: Sendable {
  /// Standard deviations, in levels of an 8-bit mosaic. Flat parts of a frame of TUM's
  /// fr3/walking_xyz have 1.2 ... 1.6 in red and green and 2.5 ... 4.9 in blue, at any brightness,
  /// with about half shared between direct neighbours. Independent noise of these values fits:
  /// bilinear demosaicing leaves 0.75 of it in red and blue and 0.79 in green.
  static let redSigma: Float = 2
  static let greenSigma: Float = 1.8
  static let blueSigma: Float = 5

  private static let period = 1 << 16
  /// A row may start anywhere in the period and reads on without wrapping.
  private static let longestRow = 4096

  /// Noise of green-red rows, and of blue-green rows.
  private let greenRed: [Int8]
  private let blueGreen: [Int8]
  let field: NoiseField

  /// - Parameter grain: factor of the colour noise.
  init(seed: UInt64, grain: Double = 1) {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x4E4F_4953))
    // Sums of eight uniform 16-bit numbers are bell-shaped to 3.5 σ; variance 8 · 2³² / 12.
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
    let bells = (0..<Self.period).map { _ in bell() }
    func levels(_ even: Float, _ odd: Float) -> [Int8] {
      let levels = bells.indices.map {
        let level = (bells[$0] * ($0 & 1 == 0 ? even : odd) * Float(grain)).clamped(-127, 127)
        return Int8(truncatingIfNeeded: level.nearestInteger)
      }
      return levels + levels.prefix(Self.longestRow)
    }
    greenRed = levels(Self.greenSigma, Self.redSigma)
    blueGreen = levels(Self.blueSigma, Self.greenSigma)
    field = NoiseField(seed: SeededGenerator.hash(seed, 0x4649_454C))
  }

  /// Calls `body` with the noise of one row of the mosaic, of at least `longestRow` pixels.
  @inline(__always)
  func withMosaicRow(seed: UInt64, frame: Int, row: Int, _ body: (UnsafePointer<Int8>) -> Void) {
    let hash = SeededGenerator.hash(seed, UInt64(bitPattern: Int64(frame)), UInt64(row), 0x434F)
    // Even, so that each pixel gets the noise of its colour.
    let start = Int(hash % UInt64(Self.period)) & ~1
    (row & 1 == 0 ? greenRed : blueGreen).withUnsafeBufferPointer { table in
      if let table = table.baseAddress { body(table + start) }
    }
  }
}
