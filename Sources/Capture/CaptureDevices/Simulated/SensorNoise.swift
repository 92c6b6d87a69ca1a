import Support

/// The noise of both sensors, drawn once; every row of every frame reads it from a place of its own.
///
/// A frame of noise costs one addition a pixel, and still depends on (seed, frame, row) alone.
struct SensorNoise: Sendable {
  /// Levels of an 8-bit mosaic by the colour of the filter. In flat parts of a frame of TUM's fr3/walking_xyz the
  /// standard deviations are 1.2 ... 1.6 for red and for green and 2.5 ... 4.9 for blue, at any brightness, with about
  /// half shared between direct neighbours. That is what bilinear demosaicing leaves of independent noise of these: 0.75 of
  /// it in red and in blue, 0.79 in green.
  static let redSigma: Float = 2
  static let greenSigma: Float = 1.8
  static let blueSigma: Float = 5

  private static let period = 1 << 16
  /// Reading starts anywhere in the period and goes on this far without looking for the end.
  private static let longestRow = 4096

  /// What a row of green and red gets, and one of blue and green.
  private let greenRed: [Int8]
  private let blueGreen: [Int8]
  let field: NoiseField

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
    let bells = (0..<Self.period).map { _ in bell() }
    func levels(_ even: Float, _ odd: Float) -> [Int8] {
      let levels = bells.indices.map {
        Int8(truncatingIfNeeded: (bells[$0] * ($0 & 1 == 0 ? even : odd)).nearestInteger)
      }
      return levels + levels.prefix(Self.longestRow)
    }
    greenRed = levels(Self.greenSigma, Self.redSigma)
    blueGreen = levels(Self.blueSigma, Self.greenSigma)
    field = NoiseField(seed: SeededGenerator.hash(seed, 0x4649_454C))
  }

  /// Calls `body` with the noise of a row of the mosaic, for as many pixels as a row can have.
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
