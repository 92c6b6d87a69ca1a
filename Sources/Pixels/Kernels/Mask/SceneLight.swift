/// Follows the light of the empty scene, such as a camera's exposure: by how much its colours have changed where the room
/// is seen, as one factor for each channel.
final class SceneLight {
  /// 256: no change. A quarter to four times.
  private static let (none, least, most) = (256, 64, 1024)
  /// Smaller changes, 2 %, are left to the doubts of the colours, so that constant light stays exactly that.
  private static let leastChange = 5
  /// Every eighth pixel in both directions.
  private static let step = 8
  /// Dark samples say little of a factor, in 1/16 of a step; bright ones are cut off.
  private static let usable: ClosedRange<Int16> = 256...3999
  private static let brightest = 4080
  /// Fewer samples are not the room.
  private static let leastCount = 48

  private let lit: ReducedColors
  private let ratios: PixelPlane<Int32>
  private var factors = (red: none, green: none, blue: none)

  init(width: Int, height: Int) {
    lit = ReducedColors(width: width, height: height)
    ratios = PixelPlane(width: Self.most + 1, height: 1)
  }

  /// - Parameters:
  ///   - mask: 0 where the room may be seen.
  ///   - depth: 0 where nothing is known.
  /// - Returns: the scene's colours in the light of the picture.
  func colors(
    of empty: ReducedColors, in picture: ReducedColors, mask: PixelPlane<UInt8>, depth: PixelPlane<UInt16>,
    bands: BandRunner
  ) -> ReducedColors {
    func factor(_ scene: PixelPlane<Int16>, _ now: PixelPlane<Int16>) -> Int {
      median(scene, now, mask: mask, depth: depth)
    }
    factors = (factor(empty.red, picture.red), factor(empty.green, picture.green), factor(empty.blue, picture.blue))
    guard isChanged else { return empty }
    bands.run(rowCount: empty.height) { rows in
      write(empty.red, factors.red, to: lit.red, rows)
      write(empty.green, factors.green, to: lit.green, rows)
      write(empty.blue, factors.blue, to: lit.blue, rows)
    }
    return lit
  }

  /// A sample of the last picture in the light in which the scene was learned.
  func unlit(_ red: Int16, _ green: Int16, _ blue: Int16) -> (Int16, Int16, Int16) {
    guard isChanged else { return (red, green, blue) }
    func sample(_ now: Int16, _ factor: Int) -> Int16 { Int16(min(Self.brightest, Int(now) * Self.none / factor)) }
    return (sample(red, factors.red), sample(green, factors.green), sample(blue, factors.blue))
  }

  private var isChanged: Bool {
    max(abs(factors.red - Self.none), abs(factors.green - Self.none), abs(factors.blue - Self.none)) >= Self.leastChange
  }

  private func write(_ scene: PixelPlane<Int16>, _ factor: Int, to plane: PixelPlane<Int16>, _ rows: Range<Int>) {
    let (from, to) = (scene.samples, plane.samples)
    for i in rows.lowerBound * scene.width..<rows.upperBound * scene.width {
      to[i] = Int16(min(Self.brightest, Int(from[i]) * factor / Self.none))
    }
  }

  private func median(
    _ scene: PixelPlane<Int16>, _ now: PixelPlane<Int16>, mask: PixelPlane<UInt8>, depth: PixelPlane<UInt16>
  ) -> Int {
    ratios.fill(0)
    var count = 0
    for y in stride(from: Self.step / 2, to: mask.height, by: Self.step) {
      let (masked, distances, before, after) = (mask.row(y), depth.row(y), scene.row(y), now.row(y))
      for x in stride(from: Self.step / 2, to: mask.width, by: Self.step) where masked[x] == 0 && distances[x] != 0 {
        guard Self.usable ~= before[x], Self.usable ~= after[x] else { continue }
        let ratio = Int(after[x]) * Self.none / Int(before[x])
        ratios.samples[min(max(ratio, Self.least), Self.most)] += 1
        count += 1
      }
    }
    guard count >= Self.leastCount else { return Self.none }
    var (ratio, passed) = (Self.least, Int(ratios.samples[Self.least]))
    while 2 * passed < count {
      ratio += 1
      passed += Int(ratios.samples[ratio])
    }
    return ratio
  }
}
