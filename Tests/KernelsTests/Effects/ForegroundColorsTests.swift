import Kernels
import Support
import Testing

@Suite struct ForegroundColorsTests {
  /// A reference that computes the formula directly, with means over the cells round each pixel.
  private static func reference(_ rgb: [UInt8], _ matte: [UInt8], _ size: ImageSize) -> [UInt8] {
    let (columns, rows) = ((size.width + 15) / 16, (size.height + 15) / 16)
    func weight(_ matte: Int) -> Int {
      let alpha = Double(matte) / 255
      let fourth = alpha * alpha * (alpha * alpha)
      return Int((4095 * fourth * fourth).rounded(.toNearestOrEven))
    }
    func gain(_ matte: Int) -> Int {
      let alpha = Double(matte) / 255
      return Int((4096 * alpha / (alpha * alpha + (1 - alpha) * (1 - alpha))).rounded(.toNearestOrEven))
    }
    func isSoft(_ i: Int) -> Bool { matte[i] != 0 && matte[i] != 255 }
    let hasSoft = (0..<columns * rows).map { cell in
      (0..<size.count).contains { i in
        isSoft(i) && i % size.width / 16 == cell % columns && i / size.width / 16 == cell / columns
      }
    }
    func isNear(_ a: Int, _ b: Int) -> Bool {
      abs(a % columns - b % columns) <= 1 && abs(a / columns - b / columns) <= 1
    }
    /// A cell's mean colour of the person, or of the room; nil if it has none, or no soft pixel reads it.
    func mean(_ cell: Int, ofRoom: Bool) -> [Int]? {
      guard hasSoft.indices.contains(where: { hasSoft[$0] && isNear($0, cell) }) else { return nil }
      var sums = [0, 0, 0, 0]
      for i in 0..<size.count where isNear(i / size.width / 16 * columns + i % size.width / 16, cell) {
        let weight = weight(ofRoom ? 255 - Int(matte[i]) : Int(matte[i]))
        sums[3] += weight
        for c in 0..<3 { sums[c] += weight * Int(rgb[3 * i + c]) }
      }
      return sums[3] == 0 ? nil : (0..<3).map { (sums[$0] * 16 + sums[3] / 2) / sums[3] }
    }
    let means = (0..<columns * rows).map { (person: mean($0, ofRoom: false), room: mean($0, ofRoom: true)) }
    var out = rgb
    for i in 0..<size.count where isSoft(i) {
      func beside(_ pixel: Int, _ count: Int) -> [(cell: Int, weight: Int)] {
        let half = 2 * pixel - 15
        let first = Int((Double(half) / 32).rounded(.down))
        let second = half - 32 * first
        return [(min(max(first, 0), count - 1), 32 - second), (min(max(first + 1, 0), count - 1), second)]
      }
      func mixed(_ color: (Int) -> [Int]?) -> [Int]? {
        var (sum, total) = ([0, 0, 0], 0)
        for row in beside(i / size.width, rows) {
          for column in beside(i % size.width, columns) {
            guard let color = color(row.cell * columns + column.cell) else { continue }
            total += row.weight * column.weight
            for c in 0..<3 { sum[c] += row.weight * column.weight * color[c] }
          }
        }
        return total == 0 ? nil : sum.map { $0 / total }
      }
      guard let person = mixed({ means[$0].person }), let room = mixed({ means[$0].room }) else { continue }
      let m = Int(matte[i])
      for c in 0..<3 {
        let rest = 16 * Int(rgb[3 * i + c]) - (m * person[c] + (255 - m) * room[c]) / 255
        out[3 * i + c] = UInt8(min(max((person[c] + rest * gain(m) / 4096 + 8) >> 4, 0), 255))
      }
    }
    return out
  }

  private static func result(
    _ rgb: [UInt8], _ matte: [UInt8], _ size: ImageSize, _ processor: Processor = .best, threadCount: Int = 1
  ) -> [UInt8] {
    let picture = PixelPlane<UInt8>(width: size.width, height: size.height, channels: 3)
    let plane = PixelPlane<UInt8>(width: size.width, height: size.height)
    let result = PixelPlane<UInt8>(width: size.width, height: size.height, channels: 3)
    picture.samples.update(from: rgb, count: rgb.count)
    plane.samples.update(from: matte, count: matte.count)
    let colors = ForegroundColors(width: size.width, height: size.height, processor: processor)
    for _ in 0..<2 { colors.apply(picture, matte: plane, to: result, bands: BandRunner(threadCount: threadCount)) }
    let bytes = Array(UnsafeBufferPointer(start: result.samples, count: result.count))
    // Where the matte is 0, nothing shows, and the result may be anything.
    return bytes.indices.map { matte[$0 / 3] == 0 ? rgb[$0] : bytes[$0] }
  }

  @Test(arguments: ImageSize.odd + [ImageSize(64, 48)])
  func `the kernels give the formula's bits, on 1, 2 and 5 threads`(size: ImageSize) {
    for (seed, pattern) in TestPattern.allCases.enumerated() {
      let matte = pattern.bytes(size, seed: UInt64(seed))
      let rgb = TestPattern.noise.bytes(ImageSize(3 * size.width, size.height), seed: 77)
      let expected = Self.reference(rgb, matte, size)
      for processor in Processor.available {
        for threadCount in [1, 2, 5] {
          #expect(
            Self.result(rgb, matte, size, processor, threadCount: threadCount) == expected,
            "\(pattern) \(processor) \(threadCount)")
        }
      }
    }
  }

  @Test func `in front of a plain room, a plain person's colour comes back at every opacity`() {
    let size = ImageSize(96, 64)
    // From room to person, from left to right.
    let matte = (0..<size.count).map { UInt8(min(max(($0 % size.width - 44) * 32, 0), 255)) }
    let (person, room) = ([200, 120, 40], [20, 90, 220])
    func mixed(_ matte: UInt8, _ channel: Int) -> UInt8 {
      let (near, far) = (Int(matte) * person[channel], (255 - Int(matte)) * room[channel])
      return UInt8((near + far + 127) / 255)
    }
    let rgb = (0..<3 * size.count).map { mixed(matte[$0 / 3], $0 % 3) }
    let result = Self.result(rgb, matte, size)
    for i in 0..<size.count where matte[i] >= 64 {
      for c in 0..<3 { #expect(abs(Int(result[3 * i + c]) - person[c]) <= 8, "\(i) \(c)") }
    }
  }
}
