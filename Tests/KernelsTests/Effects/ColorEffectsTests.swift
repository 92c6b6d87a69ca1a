import Kernels
import Support
import TestSupport
import Testing

@Suite struct ColorEffectsTests {
  private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    TestPattern.noise.bytes(ImageSize(count, 1), seed: seed)
  }

  /// What a kernel makes on every processor, from several counts of pixels; all have to agree.
  private static func everyWay(
    _ pixels: Int, _ body: (Processor, Int, UnsafeMutablePointer<UInt8>) -> Void
  ) -> [UInt8] {
    var whole: [UInt8] = []
    for processor in Processor.available {
      for count in [pixels, 1, 15, 16, 17, 31, pixels / 2] {
        var out = GuardedOutput<UInt8>(count: 3 * count, poison: 0x5A)
        out.write { body(processor, count, $0) }
        #expect(out.guardsHold(0x5A))
        if whole.isEmpty { whole = out.samples }
        #expect(areSame(out.samples, Array(whole.prefix(3 * count))), "\(count) pixels")
      }
    }
    return whole
  }

  @Test
  func `E.22: the rosy filter takes green away and nothing else, and the colour matrix gives the same bits`() {
    let count = 1013
    let picture = Self.noise(3 * count, seed: 1)
    let expected = picture.indices.map { $0 % 3 == 1 ? 0 : picture[$0] }
    let direct = Self.everyWay(count) { PixelColors.rosy(picture, to: $2, count: $1, processor: $0) }
    let matrix = Self.everyWay(count) { PixelColors.Matrix.rosy.apply(picture, to: $2, count: $1, processor: $0) }
    #expect(areSame(direct, expected))
    #expect(areSame(matrix, expected))
  }

  @Test
  func `E.22: a colour matrix with a bias is its dot products, within rounding, and clamped`() {
    let rows = [[0.393, 0.769, 0.189], [-0.5, 1.5, 0.25], [0.3, 0.3, -2]]
    let bias = [0, 20.5, 255]
    let matrix = PixelColors.Matrix(rows: rows, bias: bias)
    let picture = Self.noise(3 * 500, seed: 2) + [0, 0, 0, 255, 255, 255]
    let out = Self.everyWay(502) { matrix.apply(picture, to: $2, count: $1, processor: $0) }
    var worst = 0.0
    var wrong = 0
    for i in 0..<502 {
      let pixel = Array(picture[3 * i..<3 * i + 3])
      if matrix.reference(pixel) != Array(out[3 * i..<3 * i + 3]) { wrong += 1 }
      for k in 0..<3 {
        let exact =
          bias[k] + rows[k][0] * Double(pixel[0]) + rows[k][1] * Double(pixel[1]) + rows[k][2] * Double(pixel[2])
        worst = max(worst, abs(Double(out[3 * i + k]) - min(max(exact, 0), 255)))
      }
    }
    #expect(wrong == 0)
    #expect(worst <= 0.6)
  }

  @Test(arguments: [0.0, 0.37, 1])
  func `despill takes what is above both other colours, within rounding of the formula`(amount: Double) {
    let picture = Self.noise(3 * 800, seed: 3) + [0, 255, 0, 0, 0, 255, 255, 255, 255]
    for (spill, channel) in [(PixelColors.Spill.green, 1), (.blue, 2)] {
      let out = Self.everyWay(803) {
        PixelColors.despill(picture, spill, amount: amount, to: $2, count: $1, processor: $0)
      }
      var worst = 0.0
      var wrong = 0
      for i in 0..<803 {
        let pixel = Array(picture[3 * i..<3 * i + 3])
        let expected = PixelColors.despillReference(pixel, spill, amount: amount)
        if expected != Array(out[3 * i..<3 * i + 3]) { wrong += 1 }
        var others = pixel.map(Double.init)
        let own = others.remove(at: channel)
        let exact = own - amount * max(0, own - others.max()!)
        worst = max(worst, abs(exact - Double(out[3 * i + channel])))
      }
      #expect(wrong == 0)
      #expect(worst <= 0.51)
    }
  }

  @Test(arguments: [0.0, 0.1, 0.5, 0.9, 1])
  func `E.24: grey is mixed in by its share, within rounding of the formula`(share: Double) {
    let picture = Self.noise(3 * 700, seed: 4)
    let grey = Self.noise(700, seed: 5)
    let out = Self.everyWay(700) { processor, count, out in
      out.update(from: picture, count: 3 * count)
      PixelColors.mixGrey(grey, share: share, into: out, count: count, processor: processor)
    }
    var worst = 0.0
    var wrong = 0
    for i in picture.indices {
      if out[i] != PixelColors.mixReference(picture[i], grey: grey[i / 3], share: share) { wrong += 1 }
      let exact = Double(picture[i]) + share * (Double(grey[i / 3]) - Double(picture[i]))
      worst = max(worst, abs(exact - Double(out[i])))
    }
    #expect(wrong == 0)
    #expect(worst <= 0.51)
  }

  @Test
  func `E.23: grey is (d − nearest) / (farthest − nearest), holes are black and widen nothing`() {
    var generator = SeededGenerator(seed: 6)
    let maps = (0..<3).map { map in
      (0..<37 * 11).map { _ in
        generator.next(below: 5) == 0 ? UInt16(0) : UInt16(600 + map * 500 + generator.next(below: 3000))
      }
    }
    for processor in Processor.available {
      var range = DepthGrey()
      let samples = MatteSamples(width: 37, height: 11)
      range.apply(maps[0], to: samples, rows: 0..<11, processor: processor)
      #expect(samples.packed.allSatisfy { $0 == 0 })
      var (nearest, farthest) = (UInt16.max, UInt16(0))
      for map in maps {
        range.measure(map, count: map.count, processor: processor)
        let measured = map.filter { $0 > 0 }
        (nearest, farthest) = (min(nearest, measured.min()!), max(farthest, measured.max()!))
        #expect(range.nearest == nearest && range.farthest == farthest)
        range.apply(map, to: samples, rows: 0..<11, processor: processor)
        let out = samples.packed
        var worst = 0.0
        for i in map.indices {
          let exact = map[i] == 0 ? 0 : Double(map[i] - nearest) / Double(farthest - nearest) * 16320
          worst = max(worst, abs(exact - Double(out[i])))
          #expect(out[i] == range.reference(map[i]))
        }
        #expect(worst <= 1)
      }
    }
  }

  @Test(arguments: Processor.available)
  func `E.23: one depth everywhere, none at all and the extremes are defined`(processor: Processor) {
    var range = DepthGrey()
    let samples = MatteSamples(width: 3, height: 1)
    range.measure([0, 0, 0], count: 3, processor: processor)
    #expect(range.nearest == nil && range.farthest == nil)
    range.measure([900, 0, 900], count: 3, processor: processor)
    range.apply([900, 0, 900], to: samples, rows: 0..<1, processor: processor)
    #expect(samples.packed == [0, 0, 0])
    range.measure([1, 65535, 0], count: 3, processor: processor)
    range.apply([1, 65535, 0], to: samples, rows: 0..<1, processor: processor)
    #expect(samples.packed == [0, 16320, 0])
  }

  @Test
  func `light is blended within half a step of sRGB in double precision, for all mattes and many colours`() {
    let blend = LightBlend()
    func linear(_ v: Double) -> Double { v <= 0.04045 ? v / 12.92 : PortableMath.pow((v + 0.055) / 1.055, 2.4) }
    func stored(_ v: Double) -> Double { v <= 0.0031308 ? v * 12.92 : 1.055 * PortableMath.pow(v, 1 / 2.4) - 0.055 }
    var foreground: [UInt8] = []
    var background: [UInt8] = []
    var matte: [UInt8] = []
    for m in 0...255 {
      for near in stride(from: 0, through: 255, by: 15) {
        for far in [0, 1, 2, 10, 128, 254, 255] {
          foreground += [UInt8(near), UInt8(255 - near), UInt8(far)]
          background += [UInt8(far), UInt8(near), UInt8(far)]
          matte.append(UInt8(m))
        }
      }
    }
    let out = Self.everyWay(matte.count) {
      blend.rgb(foreground: foreground, background: background, matte: matte, to: $2, count: $1, processor: $0)
    }
    var worst = 0.0
    var wrong = 0
    for i in out.indices {
      if out[i] != blend.reference(foreground: foreground[i], background: background[i], matte: matte[i / 3]) {
        wrong += 1
      }
      let m = Double(matte[i / 3]) / 255
      let light = m * linear(Double(foreground[i]) / 255) + (1 - m) * linear(Double(background[i]) / 255)
      worst = max(worst, abs(stored(light) * 255 - Double(out[i])))
    }
    #expect(wrong == 0)
    #expect(worst <= 0.56)
    // One colour on itself is itself, whatever the matte.
    #expect(out.indices.allSatisfy { foreground[$0] != background[$0] || out[$0] == foreground[$0] })
  }
}
