import FrameModel
import MattePipeline
import Support
import TestSupport
import Testing

@Suite struct PassMaskTests {
  typealias Kind = PassReference.Kind
  private static let plain = ["matte.blur=0", "matte.gamma=1", "depth.scale-by=longer-side"]

  /// 0 ... 255 for a row of disparities.
  private static func mask(_ disparity: [Float], _ kind: Kind, _ assignments: [String] = []) throws -> [UInt8] {
    let studio = try Studio(
      video: noiseImage(disparity.count, 1, seed: 1), depth: (disparity.count, 1), depthFormat: .disparityFloat32,
      plain + ["mask.kind=\(kind.rawValue)"] + assignments)
    let output = try studio.process(try disparityFrame(disparity.count, 1, disparity))
    return try #require(output).allMask.array
  }

  @Test(arguments: Kind.allCases)
  func `C.12 what is nearer than 1 m saturates, and a hole counts as 1: here holes are foreground`(kind: Kind) throws {
    let one = try #require(try Self.mask([1], kind).first)
    #expect(try Self.mask([1.5, 100, .infinity, .nan], kind) == [one, one, one, one])
    #expect(try Self.mask([0, -1, -.infinity], kind) == [0, 0, 0])
    // Of millimetres too, where 0 is the hole.
    let map = DepthMap(6, 1, millimeters: [0, 1, 500, 999, 1000, 65_535])
    let studio = try Studio(map, Self.plain + ["mask.kind=\(kind.rawValue)"])
    let mask = try #require(try studio.process(map)).allMask.array
    #expect(mask == [one, one, one, one, one, 0])
    #expect(one == (kind == .bandPass ? 51 : 255))
  }

  @Test
  func `C.12 holes can be made background or foreground instead`() throws {
    let map = DepthMap(4, 1, millimeters: [0, 1300, 1300, 0])
    for kind in Kind.allCases {
      for (rule, value) in [("background", 0), ("foreground", 255), ("near", 0)] as [(String, UInt8)] {
        let studio = try Studio(map, Self.plain + ["mask.kind=\(kind.rawValue)", "mask.holes=\(rule)"])
        #expect(try #require(try studio.process(map)).allMask.array == [value, 255, 255, value])
        #expect(try Self.mask([.nan, 0.75], kind, ["mask.holes=\(rule)"]) == [value, 255])
      }
    }
  }

  @Test
  func `C.14 high-pass reaches 1 at f − 0.05 and 0 at f − 0.30; sharp, at f − 0.05 and f − 0.15`() throws {
    for focus in [0.5, 0.75, 0.9] as [Float] {
      let set = ["mask.focus=\(focus)"]
      let soft = try Self.mask([focus - 0.05, focus - 0.055, focus - 0.3, focus - 0.295], .highPass, set)
      #expect(soft[0] == 255 && (249...254).contains(soft[1]) && soft[2] == 0 && (1...6).contains(soft[3]))
      let sharp = try Self.mask([focus - 0.05, focus - 0.052, focus - 0.15, focus - 0.148], .sharpHighPass, set)
      #expect(sharp[0] == 255 && (249...254).contains(sharp[1]) && sharp[2] == 0 && (1...6).contains(sharp[3]))
      #expect(try Self.mask([focus - 0.175, focus + 0.2], .highPass, set) == [128, 255])
    }
  }

  @Test
  func `C.15 band-pass is 1 within f ± 0.05 and 0 beyond f ± 0.30`() throws {
    for focus in [0.4, 0.65] as [Float] {
      let set = ["mask.focus=\(focus)"]
      #expect(try Self.mask([focus - 0.0499, focus, focus + 0.0499], .bandPass, set) == [255, 255, 255])
      #expect(try Self.mask([focus - 0.3001, focus + 0.3001], .bandPass, set) == [0, 0])
      let slopes = try Self.mask([focus - 0.06, focus + 0.06, focus - 0.29, focus + 0.29], .bandPass, set)
      #expect(slopes == [245, 245, 10, 10])
    }
  }

  /// A person 1.2 m away before a wall that leans from 2 m to 4 m, noise and holes.
  private static func scene(_ width: Int, _ height: Int, noise: Int) -> DepthMap {
    var generator = SeededGenerator(seed: 6)
    return DepthMap(width, height) { x, y in
      let u = (Double(x) + 0.5) / Double(width) - 0.5
      let v = (Double(y) + 0.5) / Double(height)
      if generator.next(below: 40) < noise {
        return generator.next(below: 2) == 0 ? 0 : UInt16(400 + generator.next(below: 4000))
      }
      let isPerson = u * u / 0.03 + (v - 0.5) * (v - 0.5) / 0.1 < 1
      return UInt16(isPerson ? 1200 + 1500 * abs(u) : 2000 + 2000 * v) + UInt16(generator.next(below: 20))
    }
  }

  private static func expectFormula(
    _ kind: Kind, _ disparity: [Double], _ depth: (width: Int, height: Int), _ frame: Frame, video: (Int, Int),
    focus: Double = 0.75
  ) throws {
    var picture = noiseImage(video.0, video.1, seed: 1)
    var background = noiseImage(video.0, video.1, seed: 2)
    // An error of the matte counts most.
    for i in picture.pixels.indices {
      picture.pixels[i] |= 0xF8
      background.pixels[i] &= 7
    }
    let studio = try Studio(
      video: picture, depth: depth, depthFormat: frame.layout.format,
      plain + ["mask.kind=\(kind.rawValue)", "mask.focus=\(focus)"], background: background, threadCount: 2)
    let output = try #require(try studio.process(frame))
    let reference = PassReference(kind: kind, focus: focus)
    let mask = disparity.map(reference.mask)
    var worstMask = 0.0
    for (byte, exact) in zip(output.allMask.array, mask) {
      worstMask = max(worstMask, abs(Double(byte) - 255 * exact))
    }
    let scale = Double(max(video.0, video.1)) / Double(max(depth.width, depth.height))
    let matte = PassReference.scaled(
      mask, depth.width, depth.height, width: video.0, height: video.1, scale: scale)
    var (worst, worstComposite) = (0.0, 0.0)
    for (byte, exact) in zip(output.allMatte.array, matte) { worst = max(worst, abs(Double(byte) - 255 * exact)) }
    for (i, byte) in output.composite.array.enumerated() {
      let m = matte[i / 3]
      let exact = m * Double(picture.pixels[i]) + (1 - m) * Double(background.pixels[i])
      worstComposite = max(worstComposite, abs(Double(byte) - exact))
    }
    print(
      "\(kind.rawValue) \(depth) to \(video): mask \(worstMask), matte \(worst), composite \(worstComposite) of 255")
    #expect(worstMask <= 0.52)
    #expect(worst <= 1)
    #expect(worstComposite <= 1)
  }

  @Test(
    arguments: Kind.allCases,
    [((64, 48), (160, 90)), ((33, 17), (101, 57)), ((48, 64), (90, 160)), ((160, 120), (80, 60)), ((1, 1), (5, 3))])
  func `C.14, C.15 mask, bicubic × max(video) / max(depth) and blend are within 1/255 of the formula`(
    kind: Kind, sizes: ((Int, Int), (Int, Int))
  ) throws {
    let ((width, height), video) = sizes
    for noise in [0, 10] {
      let map = Self.scene(width, height, noise: noise)
      let disparity = map.millimeters.map { $0 == 0 ? Double.nan : 1000 / Double($0) }
      for focus in [0.75, 0.5] {
        try Self.expectFormula(
          kind, disparity, (width, height), try depthFrame(map), video: video, focus: focus)
      }
      // A camera that gives disparity itself.
      let floats = disparity.map { Float($0) * 0.999 }
      try Self.expectFormula(
        kind, floats.map(Double.init), (width, height), try disparityFrame(width, height, floats), video: video)
    }
  }

  @Test(arguments: Kind.allCases)
  func `C.11, C.14 the same holds at a phone's sizes: 320x240 to 1280x720`(kind: Kind) throws {
    let map = Self.scene(320, 240, noise: 3)
    try Self.expectFormula(
      kind, map.millimeters.map { $0 == 0 ? Double.nan : 1000 / Double($0) }, (320, 240), try depthFrame(map),
      video: (1280, 720))
  }
}
