import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import TestSupport
import Testing

/// Each effect as the stage makes it, against its formula in double precision.
@Suite struct EffectsTests {
  private static let (width, height) = (61, 47)
  private static let picture = noiseImage(width, height, seed: 11)
  private static let matte = testMatte(width * height, seed: 12)
  private static let background = noiseImage(width, height, seed: 13)
  private static var exact: DoubleImage { DoubleImage(width, height, bytes: picture.pixels) }

  private static func blended(_ near: [Double], _ far: [Double], _ matte: [UInt8] = matte) -> [Double] {
    near.indices.map { i in
      let m = Double(matte[i / 3]) / 255
      return m * near[i] + (1 - m) * far[i]
    }
  }

  private static func composite(_ assignments: [String], background: RGBImage? = nil) throws -> [UInt8] {
    let studio = try CompositeStudio(
      width, height, assignments, background: background.map(StillBackground.init))
    return try #require(try studio.compose(picture, matte: matte))
  }

  @Test
  func `C.16 and C.17: the comic filter is the video over its comic, within 1/255 of the formula`() throws {
    let out = try Self.composite(["composite.kind=comic"])
    let expected = Self.blended(Self.exact.samples, EffectReference.comic(Self.exact).samples)
    let difference = largestDifference(out, expected)
    print("comic: at most \(difference) of 255")
    #expect(difference <= 1)
    #expect(Self.matte.indices.allSatisfy { Self.matte[$0] < 255 || out[3 * $0] == Self.picture.pixels[3 * $0] })
  }

  @Test(arguments: [1, 3, 10, 27, 64])
  func `C.16: the blur grows as the matte fades, within 1/255 of the formula`(radius: Int) throws {
    let out = try Self.composite(["composite.kind=blur", "composite.blur-radius=\(radius)"])
    let expected = EffectReference.variableBlur(Self.exact, matte: Self.matte, radius: Double(radius))
    let difference = largestDifference(out, expected.samples)
    print("blur \(radius): at most \(difference) of 255")
    #expect(difference <= 1)
  }

  @Test
  func
    `C.16: where the matte is 0 the blur is a Gaussian of that radius, within 1/255 of one computed directly, edges aside`()
    throws
  {
    let (width, height) = (150, 90)
    let picture = noiseImage(width, height, seed: 21)
    let studio = try CompositeStudio(width, height, ["composite.kind=blur"])
    let out = try #require(try studio.compose(picture, matte: [UInt8](repeating: 0, count: width * height)))
    let exact = DoubleImage(width, height, bytes: picture.pixels).blurred(10)
    // Edges are repeated in the small copies, where a pixel is the mean of several.
    var difference = 0.0
    for y in 40..<height - 40 {
      for i in 3 * (y * width + 40)..<3 * (y * width + width - 40) {
        difference = max(difference, abs(Double(out[i]) - exact.samples[i]))
      }
    }
    print("blur of radius 10 from a Gaussian: at most \(difference) of 255")
    #expect(difference <= 1)
  }

  @Test
  func `light wrap screens the background's blurred light over the edge, within 1/255 of the formula`() throws {
    let out = try Self.composite(
      ["composite.light-wrap=0.7", "composite.light-wrap-radius=9"], background: Self.background)
    let far = DoubleImage(Self.width, Self.height, bytes: Self.background.pixels)
    let blended = Self.blended(Self.exact.samples, far.samples)
    let before = DoubleImage(Self.width, Self.height) { x, y, c in blended[3 * (y * Self.width + x) + c] }
    let expected = EffectReference.lightWrap(before, background: far, matte: Self.matte, amount: 0.7, radius: 9)
    #expect(largestDifference(out, expected.samples) <= 1)
  }

  @Test
  func `light is blended as amounts of it, within 1/255 of the formula, and despill acts on the person before`() throws
  {
    func linear(_ v: Double) -> Double {
      v <= 10.31475 ? v / 255 / 12.92 : PortableMath.pow((v / 255 + 0.055) / 1.055, 2.4)
    }
    func stored(_ v: Double) -> Double {
      255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * PortableMath.pow(v, 1 / 2.4) - 0.055)
    }
    let out = try Self.composite(
      ["composite.light=linear", "composite.despill=green", "composite.despill-amount=1"], background: Self.background)
    var person = Self.picture.pixels.map(Double.init)
    for i in Self.matte.indices { person[3 * i + 1] = min(person[3 * i + 1], max(person[3 * i], person[3 * i + 2])) }
    let mixed = Self.blended(person.map(linear), Self.background.pixels.map { linear(Double($0)) })
    #expect(largestDifference(out, mixed.map(stored)) <= 1)
  }

  @Test
  func `every effect gives the same bits on 1, 2 and 5 threads and all processors, at odd sizes`() throws {
    let effects = [
      ["composite.kind=comic"], ["composite.kind=blur"], ["composite.kind=face-color"],
      ["composite.light=linear", "composite.light-wrap=1", "composite.despill=blue", "composite.fit=fit"],
      ["composite.kind=filter", "composite.filter=comic", "composite.mix=0.3"],
      ["composite.filter=rosy-matrix", "composite.fit=crop", "composite.mix=1"],
    ]
    for (width, height) in [(1, 1), (7, 3), (33, 18), (50, 41)] {
      let picture = noiseImage(width, height, seed: 1)
      let matte = testMatte(width * height, seed: 2)
      let depth = DepthMap(max(1, width / 2), max(1, height / 2)) { x, y in x == 1 ? 0 : UInt16(500 + 37 * x + 11 * y) }
      for effect in effects {
        var results: [[UInt8]] = []
        for processor in Processor.available {
          for threadCount in [1, 2, 5] {
            let studio = try CompositeStudio(
              width, height, effect, depth: (depth.width, depth.height),
              background: StillBackground(noiseImage(13, 9, seed: 3)), threadCount: threadCount, processor: processor)
            results.append(
              try #require(
                try studio.compose(picture, matte: matte, depth: depth, faces: [face(x: 1, y: 1)])))
          }
        }
        #expect(results.allSatisfy { areSame($0, results[0]) }, "\(width)x\(height) \(effect)")
      }
    }
  }
}
