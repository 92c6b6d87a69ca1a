import Kernels
import Support
import Testing

@Suite struct ScaleKindTests {
  private static let seed: UInt64 = 616

  private static func line(_ source: Int, _ target: Int, _ numerator: Int = 0, _ denominator: Int = 1) -> ScaleLine {
    ScaleLine(
      from: source, to: target, scaleNumerator: numerator == 0 ? target : numerator,
      scaleDenominator: numerator == 0 ? source : denominator)
  }

  private static func scaled(_ kind: ScaleKind, _ lines: (ScaleLine, ScaleLine), _ source: [Int16]) -> [UInt8] {
    let (width, height) = (lines.0.sourceLength, lines.1.sourceLength)
    let matte = MatteSamples(packed: source, width: width, height: height)
    let tables = (ScaleTable(kind, lines.0), ScaleTable(kind, lines.1))
    let results = Processor.available.map { processor in
      let scaling = MatteScaling(horizontal: tables.0, vertical: tables.1, threadCount: 1, processor: processor)
      var result = GuardedOutput<UInt8>(count: lines.0.targetLength * lines.1.targetLength, poison: 0xA5)
      result.write { scaling.apply(matte, to: $0, rows: 0..<lines.1.targetLength, thread: 0) }
      #expect(result.guardsHold(0xA5))
      return result.samples
    }
    #expect(results.allSatisfy { $0 == results[0] })
    #expect(
      results[0] == MatteScaling(horizontal: tables.0, vertical: tables.1, threadCount: 1).reference(source))
    return results[0]
  }

  private static func noise(_ count: Int) -> [Int16] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Int16(generator.next(below: Int(MatteSamples.one) + 1)) }
  }

  @Test(arguments: [(513, 1280), (513, 513), (1, 7), (7, 1), (5, 3), (640, 1920), (1920, 513), (97, 31), (256, 1279)])
  func `B.9 nearest takes the source at floor((x + ½) · w / W), exactly`(source: Int, target: Int) {
    let table = ScaleTable(.nearest, Self.line(source, target))
    for x in 0..<target {
      let taps = table.taps(x)
      #expect(taps.map(\.weight) == [0, ScaleTable.one, 0, 0])
      #expect(taps[1].position == (2 * x + 1) * source / (2 * target))
    }
  }

  @Test
  func `B.9 a stretched mask's labels come out as they went in`() {
    let source = Self.noise(33 * 17).map { $0 > 9000 ? MatteSamples.one : 0 }
    let result = Self.scaled(.nearest, (Self.line(33, 101), Self.line(17, 8)), source)
    for (i, value) in result.enumerated() {
      let (x, y) = (i % 101, i / 101)
      #expect(value == (source[(2 * y + 1) * 17 / 16 * 33 + (2 * x + 1) * 33 / 202] == 0 ? 0 : 255))
    }
  }

  @Test(arguments: [(240, 720, 4, 1), (480, 360, 1, 1), (3, 40, 5, 2), (48, 5, 160, 64)])
  func `nearest between lines whose middles coincide takes the pixel that a place lies in, beyond the edge the edge`(
    source: Int, target: Int, numerator: Int, denominator: Int
  ) {
    let table = ScaleTable(.nearest, Self.line(source, target, numerator, denominator))
    for i in 0..<target {
      // In double precision, away from the borders between pixels.
      let place =
        (Double(i) + 0.5 - Double(target) / 2) * Double(denominator) / Double(numerator) + Double(source) / 2
      guard abs(place - place.rounded()) > 1e-9 else { continue }
      #expect(Double(table.taps(i)[1].position) == min(max(place.rounded(.down), 0), Double(source - 1)))
    }
  }

  @Test(arguments: [(17, 33, 33, 61), (1, 1, 5, 3), (1, 9, 7, 4), (64, 48, 160, 90), (33, 17, 8, 5), (20, 20, 20, 20)])
  func `D.20 bilinear is within 1/255 of double precision, edges repeated`(
    width: Int, height: Int, targetWidth: Int, targetHeight: Int
  ) {
    let source = Self.noise(width * height)
    // Across as the widths are, down cut or with the edge repeated, as depth lies over video; and stretched.
    let stretched = (Self.line(width, targetWidth), Self.line(height, targetHeight))
    for lines in [stretched, (stretched.0, Self.line(height, targetHeight, targetWidth, width))] {
      let result = Self.scaled(.bilinear, lines, source)
      func taps(_ i: Int, _ line: ScaleLine) -> [(Int, Double)] {
        let scale = Double(line.scaleNumerator) / Double(line.scaleDenominator)
        let place =
          (Double(i) + 0.5 - Double(line.targetLength) / 2) / scale + Double(line.sourceLength) / 2 - 0.5
        let floor = place.rounded(.down)
        return [(Int(floor), 1 - (place - floor)), (Int(floor) + 1, place - floor)].map {
          (min(max($0.0, 0), line.sourceLength - 1), $0.1)
        }
      }
      var worst = 0.0
      for (i, value) in result.enumerated() {
        var exact = 0.0
        for (y, down) in taps(i / targetWidth, lines.1) {
          for (x, across) in taps(i % targetWidth, lines.0) {
            exact += down * across * Double(source[y * width + x]) / 64
          }
        }
        worst = max(worst, abs(Double(value) - exact))
      }
      #expect(worst <= 0.6)
    }
  }

  @Test(arguments: ScaleKind.allCases)
  func `at the same size, every kind leaves samples as they are`(kind: ScaleKind) {
    let line = Self.line(37, 37)
    #expect(ScaleTable(kind, line).isIdentity)
    let source = Self.noise(37 * 37)
    #expect(Self.scaled(kind, (line, line), source) == source.map { UInt8(($0 + 32) / 64) })
  }
}
