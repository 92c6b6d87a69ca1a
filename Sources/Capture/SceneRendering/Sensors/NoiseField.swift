import Support

/// Bell-shaped noise, σ = 1, correlated as in a structured-light sensor's disparities: the sensor
/// matches windows of the projected pattern, and those of neighbouring pixels overlap. Generated
/// once; every frame reads it at its own offset, wrapping at the edges.
///
/// Each value is the sum of a window of independent numbers, so two values are correlated by the
/// share that their windows have in common: (1 − |Δx| / 9) (1 − |Δy| / 9). Bohg, Romero, Herzog and
/// Schaal (Robot arm pose estimation through pixel-wise part classification, ICRA 2014) simulate a
/// Kinect with 9 by 9 windows.
///
/// Two real frames (a Kinect v1's of a seated person at PCL, an Xtion's of TUM's fr3/walking_xyz)
/// agree with this field rounded to whole steps, measured against planes fitted to 24 by 24 pixels.
/// In both directions, their correlation at 1, 2, 4 and 8 pixels is 0.6 ... 0.75, 0.45 ... 0.57,
/// 0.2 ... 0.35 and −0.15 ... 0.1.
struct NoiseField: Sendable {
  static let width = 1024
  static let height = 512
  /// Side of the window that a structured-light sensor matches.
  static let matched = 9

  private let values: [Float]

  init(seed: UInt64, window: Int = NoiseField.matched) {
    let count = Self.width * Self.height
    var generator = SeededGenerator(seed: seed)
    var numbers = [Int32](repeating: 0, count: count)
    for i in stride(from: 0, to: count, by: 4) {
      let word = generator.next()
      // Odd numbers from −65 535 to 65 535: their mean is 0 and their variance (2³² − 1) / 3.
      for part in 0..<4 {
        numbers[i + part] = 2 * Int32(truncatingIfNeeded: word >> (16 * UInt64(part)) & 0xFFFF) - 65_535
      }
    }
    for y in 0..<Self.height { Self.addWindows(&numbers, window, from: y * Self.width, step: 1, count: Self.width) }
    for x in 0..<Self.width { Self.addWindows(&numbers, window, from: x, step: Self.width, count: Self.height) }
    // Sums of 81 are below 2²⁴, so they are exact; the only rounding is this product's.
    let scale = Float(1 / (Double(window * window) * 4_294_967_295 / 3).squareRoot())
    values = numbers.map { Float($0) * scale }
  }

  /// Replaces each number of a line by the sum of the window from there on, wrapping at the end.
  private static func addWindows(_ numbers: inout [Int32], _ window: Int, from start: Int, step: Int, count: Int) {
    let head = (0..<window).map { numbers[start + $0 * step] }
    var sum = head.reduce(0, +)
    for i in 0..<count {
      let leaving = numbers[start + i * step]
      let next = i + window
      let entering = next < count ? numbers[start + next * step] : head[next - count]
      numbers[start + i * step] = sum
      sum += entering - leaving
    }
  }

  struct Place {
    fileprivate let x: Int
    fileprivate let y: Int

    /// - Parameter channel: the noise's purpose; different channels are practically independent.
    init(seed: UInt64, frame: Int, channel: UInt64) {
      let hash = SeededGenerator.hash(seed, UInt64(bitPattern: Int64(frame)), channel)
      x = Int(hash % UInt64(NoiseField.width))
      y = Int(hash >> 32 % UInt64(NoiseField.height))
    }
  }

  func copyRow(_ row: Int, of place: Place, count: Int, to target: UnsafeMutablePointer<Float>) {
    values.withUnsafeBufferPointer { values in
      guard let line = values.baseAddress.map({ $0 + (place.y + row) % Self.height * Self.width }) else { return }
      var done = 0
      var from = place.x
      while done < count {
        let part = min(count - done, Self.width - from)
        (target + done).update(from: line + from, count: part)
        done += part
        from = 0
      }
    }
  }
}
