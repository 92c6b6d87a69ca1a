import FrameModel
import Kernels
import MattePipeline
import TestSupport
import Testing

@Suite struct BackdropFactsTests {
  @Test
  func `A.1 no output before the first depth; from then on every frame has one`() throws {
    let map = DepthMap(20, 10) { _, _ in 700 }
    let studio = try Studio(map)
    #expect(try studio.process(nil as Frame?) == nil)
    #expect(try studio.process(nil as Frame?, faces: [face(x: 5, y: 5)]) == nil)
    let first = try #require(try studio.process(map))
    #expect(first.index == 2 && first.depthIsNew)
    #expect(first.presentation.nanoseconds == 2 * 33_333_333)
    let second = try #require(try studio.process(nil as Frame?))
    #expect(second.index == 3 && !second.depthIsNew)
  }

  @Test
  func `A.4 holes are background; so is what lies just beyond the cut-off, and what lies at it is not`() throws {
    let values: [UInt16] = [0, 1, 999, 1000, 1001, 65_535]
    let map = DepthMap(18, 6) { x, _ in values[x / 3] }
    let output = try #require(try Studio(map).process(map))
    #expect(output.allDepth.array == map.millimeters)
    #expect(output.allMask.array == (0..<108).map { [0, 255, 255, 255, 0, 0][$0 % 18 / 3] })
  }

  @Test
  func `A.4 holes of each depth format are background`() throws {
    let disparity: [Float] = [.nan, 0, -1, .infinity, 1, 2, 0.9, .leastNonzeroMagnitude]
    let studio = try Studio(
      video: noiseImage(8, 1, seed: 1), depth: (8, 1), depthFormat: .disparityFloat32)
    let output = try #require(try studio.process(try disparityFrame(8, 1, disparity)))
    #expect(output.allDepth.array == [0, 65_535, 65_535, 1, 1000, 500, 1111, 65_535])
    #expect(output.allMask.array == [0, 0, 0, 255, 255, 255, 0, 0])

    let kinect = try Studio(video: noiseImage(4, 1, seed: 1), depth: (4, 1), depthFormat: .kinectRaw11)
    let layout = try FrameLayout(.kinectRaw11, width: 4, height: 1)
    let raw = try #require(
      try kinect.process(frame(layout, littleEndianBytes([2047, 700, 800, 1500] as [UInt16]))))
    #expect(raw.allDepth.array == [0, 888, 1195, 0])
    #expect(raw.allMask.array == [0, 255, 0, 0])
  }

  @Test
  func `A.5 the mask's edges are replicated: a person at the picture's border stays opaque there`() throws {
    let map = DepthMap(64, 48) { x, _ in x < 32 ? 700 : 3000 }
    let matte = try #require(try Studio(map).process(map)).allMatte
    for y in 0..<48 {
      #expect(matte.row(y)[0] == 255 && matte.row(y)[63] == 0)
      #expect((0..<64).allSatisfy { matte.row(y)[$0] == matte.row(0)[$0] })
    }
  }

  @Test
  func `A.5 video where the matte is white, background where it is black`() throws {
    let background = noiseImage(96, 72, seed: 3)
    let map = DepthMap(96, 72) { x, y in x > 40 && y > 30 ? 700 : 3000 }
    let studio = try Studio(map, background: background)
    let output = try #require(try studio.process(map))
    #expect(output.original.array == studio.video.pixels)
    let (matte, composite) = (output.allMatte.array, output.composite.array)
    #expect(matte.contains(255) && matte.contains(0) && matte.contains { (1...254).contains($0) })
    for i in composite.indices where matte[i / 3] == 255 { #expect(composite[i] == studio.video.pixels[i]) }
    for i in composite.indices where matte[i / 3] == 0 { #expect(composite[i] == background.pixels[i]) }
  }

  private static func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) -> RGBImage {
    var pixels: [UInt8] = []
    for y in 0..<height { for x in 0..<width { pixels += color(x, y) } }
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  @Test
  func `A.6 no background: black`() throws {
    let map = DepthMap(30, 20) { _, _ in 0 }
    let output = try #require(try Studio(map).process(map))
    #expect(output.composite.array.allSatisfy { $0 == 0 })
  }

  @Test
  func `A.6 a picture is centre-cropped to the video's aspect and scaled to its size`() throws {
    let map = DepthMap(30, 20) { _, _ in 0 }
    // Three times as wide as the video is: the outer thirds are cut off.
    let wide = Self.picture(90, 20) { x, _ in (30..<60).contains(x) ? [UInt8(x), 9, 200] : [255, 255, 255] }
    let middle = Self.picture(30, 20) { x, _ in [UInt8(x + 30), 9, 200] }
    let output = try #require(try Studio(map, background: wide).process(map))
    #expect(output.composite.array == middle.pixels)
    // As tall as two of them, twice as large: the middle half stays.
    let tall = Self.picture(60, 80) { _, y in (20..<60).contains(y) ? [7, 8, 9] : [255, 255, 255] }
    let scaled = try #require(try Studio(map, background: tall).process(map)).composite.array
    for i in 30..<570 { #expect(Array(scaled[3 * i..<3 * i + 3]) == [7, 8, 9]) }
  }

  @Test(arguments: [5.0, 10], [1, 2])
  func `A.7 the alpha = 0.5 contour lies 0.67 σ outside a straight edge`(sigma: Double, scale: Int) throws {
    let (width, height, edge) = (256, 32, 120)
    for upright in [true, false] {
      // The person is to the left of (above) the edge between pixels 119 and 120.
      let map =
        upright
        ? DepthMap(width, height) { x, _ in x < edge ? 700 : 3000 }
        : DepthMap(height, width) { _, y in y < edge ? 700 : 3000 }
      let studio = try Studio(
        video: RGBImage(width: map.width * scale, height: map.height * scale), depth: (map.width, map.height),
        ["matte.blur=\(sigma)"])
      let matte = try #require(try studio.process(map)).allMatte
      let middle = height * scale / 2
      let profile = (0..<width * scale).map {
        Double(upright ? matte.row(middle)[$0] : matte.row($0)[middle])
      }
      let last = try #require(profile.lastIndex { $0 >= 127.5 })
      let crossing = Double(last) + (profile[last] - 127.5) / (profile[last] - profile[last + 1])
      // Pixel centres to edges, and to depth pixels.
      let distance = (crossing + 0.5) / Double(scale) - Double(edge)
      print("Contour, σ = \(sigma), scale \(scale), upright \(upright): \(distance / sigma) σ outside")
      #expect(abs(distance / sigma - contourInSigmas) <= 0.05)
    }
  }
}
