import FrameModel
import Kernels
import MattePipeline
import Parameters
import TestSupport
import Testing

/// What is shown when: the rules of the seed systems, exactly.
@Suite struct CompositeRulesTests {
  private static let (width, height) = (12, 8)
  private static let picture = noiseImage(width, height, seed: 1)
  private static let matte = testMatte(width * height, seed: 2)

  private static func face(roll: Double?, pitch: Double?, yaw: Double?) -> FaceObservation {
    FaceObservation(
      box: FaceObservation.Box(x: 0, y: 0, width: 4, height: 4), confidence: 1, roll: roll, pitch: pitch, yaw: yaw,
      detector: "test")
  }

  private static func over(_ background: [UInt8]) -> [UInt8] {
    background.indices.map {
      Blend.reference(foreground: picture.pixels[$0], background: background[$0], matte: matte[$0 / 3])
    }
  }

  private static func over(_ color: RGBColor) -> [UInt8] {
    over((0..<3 * width * height).map { [color.red, color.green, color.blue][$0 % 3] })
  }

  @Test
  func `A.6: without a background it is black, or the colour that is set; B.8 and C.16: or the video passes through`()
    throws
  {
    let black = try CompositeStudio(Self.width, Self.height, [], preset: "truedepth-backdrop")
    #expect(try black.compose(Self.picture, matte: Self.matte) == Self.over(.black))
    let red = try CompositeStudio(Self.width, Self.height, ["composite.color=#ff2010"])
    #expect(
      try red.compose(Self.picture, matte: Self.matte) == Self.over(RGBColor(red: 255, green: 32, blue: 16)))
    for preset in ["virtual-background", "video-depth-maps-green-screen"] {
      let video = try CompositeStudio(Self.width, Self.height, [], preset: preset)
      #expect(try video.compose(Self.picture, matte: Self.matte) == Self.picture.pixels)
      #expect(try video.compose(Self.picture) == Self.picture.pixels)
    }
  }

  @Test
  func `A.6: a background of any shape is cut to the video's aspect and scaled, one pixel too`() throws {
    for (width, height) in [(1, 1), (30, 5), (5, 30), (24, 16)] {
      let image = noiseImage(width, height, seed: 4)
      let studio = try CompositeStudio(
        Self.width, Self.height, [], preset: "truedepth-backdrop", background: StillBackground(image))
      let fitted = PictureScaler.fill(image, width: Self.width, height: Self.height)
      for _ in 0..<2 { #expect(try studio.compose(Self.picture, matte: Self.matte) == Self.over(fitted.pixels)) }
    }
  }

  @Test
  func `C.16: the green screen's background keeps its lower left corner, with bars where it is smaller`() throws {
    let image = noiseImage(9, 20, seed: 5)
    let studio = try CompositeStudio(
      Self.width, Self.height, ["composite.color=#010203"], preset: "video-depth-maps-green-screen",
      background: StillBackground(image))
    var cropped: [UInt8] = []
    for y in 20 - Self.height..<20 {
      for x in 0..<Self.width {
        let start = 3 * (9 * y + x)
        cropped += x < 9 ? Array(image.pixels[start..<start + 3]) : [1, 2, 3]
      }
    }
    #expect(try studio.compose(Self.picture, matte: Self.matte) == Self.over(cropped))
  }

  @Test
  func `C.13: with no mask the image is unmodified; A, B and D: the frame is skipped`() throws {
    for preset in ["video-depth-maps", "video-depth-maps-blur", "video-depth-maps-green-screen"] {
      let studio = try CompositeStudio(
        Self.width, Self.height, [], preset: preset, background: StillBackground(Self.picture))
      #expect(try studio.compose(Self.picture) == Self.picture.pixels, "\(preset)")
    }
    for preset in ["truedepth-backdrop", "virtual-background", "matte-effects"] {
      let studio = try CompositeStudio(
        Self.width, Self.height, [], preset: preset, background: StillBackground(Self.picture))
      #expect(try studio.compose(Self.picture, faces: [Self.face(roll: 0, pitch: 0, yaw: 0)]) == nil, "\(preset)")
    }
  }

  @Test
  func
    `D.21: red is roll's share of −0.84 π … 0.8 π, blue pitch's and green yaw's of half that, clamped; no angle is 0`()
  {
    for step in -20...20 {
      let (roll, pitch, yaw) = (Double(step) * 0.17, Double(step) * 0.09, Double(-step) * 0.08)
      let color = FaceColor.color(roll: roll, pitch: pitch, yaw: yaw)
      func exact(_ angle: Double, _ h: Double) -> Double {
        let (most, least) = (0.8 * h, -h + 0.2 * 0.8 * h)
        return min(max((angle - least) / (most - least), 0), 1) * 255
      }
      #expect(abs(Double(color.red) - exact(roll, .pi)) <= 0.5)
      #expect(abs(Double(color.green) - exact(yaw, .pi / 2)) <= 0.5)
      #expect(abs(Double(color.blue) - exact(pitch, .pi / 2)) <= 0.5)
    }
    // Zero pose: 0.84 / 1.64 = 0.512.
    #expect(FaceColor.color(roll: 0, pitch: 0, yaw: 0) == RGBColor(red: 131, green: 131, blue: 131))
    #expect(FaceColor.color(roll: nil, pitch: nil, yaw: nil) == .black)
    #expect(FaceColor.color(roll: .nan, pitch: .infinity, yaw: -.infinity) == RGBColor(red: 0, green: 0, blue: 255))
    #expect(FaceColor.color(roll: -0.84 * .pi, pitch: 0.4 * .pi, yaw: 9) == RGBColor(red: 0, green: 255, blue: 255))
  }

  @Test
  func
    `D.20: frames are skipped before the first face; its colour holds until the next; the first face of several counts`()
    throws
  {
    let studio = try CompositeStudio(Self.width, Self.height, [], preset: "matte-effects")
    let (first, second) = (Self.face(roll: 0.5, pitch: nil, yaw: 0.2), Self.face(roll: -1, pitch: 0.3, yaw: 0))
    func color(_ face: FaceObservation) -> RGBColor {
      FaceColor.color(roll: face.roll, pitch: face.pitch, yaw: face.yaw)
    }
    #expect(try studio.compose(Self.picture, matte: Self.matte) == nil)
    #expect(try studio.compose(Self.picture, matte: Self.matte, faces: [first, second]) == Self.over(color(first)))
    #expect(try studio.compose(Self.picture, matte: Self.matte) == Self.over(color(first)))
    // A face is noticed in a frame that has no mask too.
    #expect(try studio.compose(Self.picture, faces: [second]) == nil)
    #expect(try studio.compose(Self.picture, matte: Self.matte) == Self.over(color(second)))
  }

  @Test
  func `E.22: the avcam filter shows (r, 0, b), directly or by a matrix, also before there is depth`() throws {
    let rosy = Self.picture.pixels.indices.map { $0 % 3 == 1 ? 0 : Self.picture.pixels[$0] }
    for filter in ["rosy", "rosy-matrix"] {
      let studio = try CompositeStudio(
        Self.width, Self.height, ["composite.filter=\(filter)"], preset: "avcam-filter", depth: (6, 4))
      #expect(try studio.compose(Self.picture) == rosy)
    }
    let skipping = try CompositeStudio(
      Self.width, Self.height, ["composite.without-mask=skip"], preset: "avcam-filter", depth: (6, 4))
    #expect(try skipping.compose(Self.picture) == nil)
  }

  @Test(arguments: [0.25, 0.5, 1])
  func
    `E.23 and E.24: grey by the depth's range since the start, scaled along straight lines, is mixed after the filter`(
      share: Double
    ) throws
  {
    let studio = try CompositeStudio(
      Self.width, Self.height, ["composite.mix=\(share)"], preset: "avcam-filter", depth: (6, 4))
    let maps = [
      DepthMap(6, 4) { x, y in (x + y) % 5 == 0 ? 0 : UInt16(1000 + 90 * x + 17 * y) },
      DepthMap(6, 4) { x, y in UInt16(1200 + 10 * x + 5 * y) },
      DepthMap(6, 4) { x, y in x == 3 ? 0 : UInt16(700 + 500 * y + x) },
      DepthMap(6, 4) { _, _ in 0 },
    ]
    var (nearest, farthest) = (Double.infinity, 0.0)
    for map in maps {
      for value in map.millimeters where value > 0 {
        (nearest, farthest) = (min(nearest, Double(value)), max(farthest, Double(value)))
      }
      func grey(_ x: Int, _ y: Int) -> Double {
        let value = Double(map[min(max(x, 0), 5), min(max(y, 0), 3)])
        return value == 0 ? 0 : 255 * (value - nearest) / (farthest - nearest)
      }
      let out = try #require(try studio.compose(Self.picture, depth: map))
      var expected: [Double] = []
      for i in 0..<Self.width * Self.height {
        let (u, v) = ((Double(i % Self.width) + 0.5) / 2 - 0.5, (Double(i / Self.width) + 0.5) / 2 - 0.5)
        let (x, y) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
        let (s, t) = (u - Double(x), v - Double(y))
        let upper = grey(x, y) * (1 - s) + grey(x + 1, y) * s
        let value = upper * (1 - t) + (grey(x, y + 1) * (1 - s) + grey(x + 1, y + 1) * s) * t
        for channel in 0..<3 {
          let video = channel == 1 ? 0 : Double(Self.picture.pixels[3 * i + channel])
          expected.append(video * (1 - share) + value * share)
        }
      }
      #expect(largestDifference(out, expected) <= 1)
    }
  }

  @Test
  func `with other parameters a stage goes on with the range of depth, the face's colour and the background`() throws {
    let near = DepthMap(6, 4) { x, _ in UInt16(500 + x) }
    let far = DepthMap(6, 4) { x, _ in UInt16(4000 + x) }
    let old = try CompositeStudio(Self.width, Self.height, [], preset: "avcam-filter", depth: (6, 4))
    let same = try CompositeStudio(Self.width, Self.height, [], preset: "avcam-filter", depth: (6, 4))
    let new = try CompositeStudio(Self.width, Self.height, [], preset: "avcam-filter", depth: (6, 4))
    for studio in [old, same] { _ = try studio.compose(Self.picture, depth: near) }
    new.stage.carryOn(from: old.stage)
    #expect(try new.compose(Self.picture, depth: far) == same.compose(Self.picture, depth: far))

    let colored = try CompositeStudio(Self.width, Self.height, [], preset: "matte-effects")
    let face = Self.face(roll: 1, pitch: 0, yaw: 0)
    let before = try colored.compose(Self.picture, matte: Self.matte, faces: [face])
    let linear = try CompositeStudio(Self.width, Self.height, ["composite.mix=0"], preset: "matte-effects")
    linear.stage.carryOn(from: colored.stage)
    #expect(before != nil)
    #expect(try linear.compose(Self.picture, matte: Self.matte) == before)
  }

  @Test
  func `a background that was given once is fitted anew when the fit or the bars' colour changes, and kept otherwise`()
    throws
  {
    let image = noiseImage(30, 5, seed: 4)
    let source = StillBackground(image)
    var studio = try CompositeStudio(Self.width, Self.height, [], background: source)
    _ = try studio.compose(Self.picture, matte: Self.matte)
    for assignments in [
      [], ["composite.fit=fit"], ["composite.fit=fit", "composite.color=#445566"], ["composite.fit=crop"],
    ] {
      let next = try CompositeStudio(Self.width, Self.height, assignments, background: source)
      next.stage.carryOn(from: studio.stage)
      let fresh = try CompositeStudio(Self.width, Self.height, assignments, background: StillBackground(image))
      #expect(
        try next.compose(Self.picture, matte: Self.matte) == fresh.compose(Self.picture, matte: Self.matte))
      studio = next
    }
  }
}
