import FrameModel
import MattePipeline
import TestSupport
import Testing

@Suite struct FaceCutoffTests {
  private static let unguarded = "mask.face-sample=center-pixel"

  /// Every pixel's depth tells its place.
  private static func labelled(_ width: Int, _ height: Int) -> DepthMap {
    DepthMap(width, height) { x, y in UInt16(1000 + 100 * y + x) }
  }

  /// Of a studio whose video is `scale` times as large as the depth map.
  private static func cutoffs(
    _ map: DepthMap, _ faces: [FaceObservation], scale: Int = 1, _ assignments: [String] = [unguarded]
  ) throws -> UInt16? {
    let studio = try Studio(
      video: RGBImage(width: map.width * scale, height: map.height * scale), depth: (map.width, map.height),
      assignments)
    return try studio.process(map, faces: faces)?.cutoffMillimeters
  }

  @Test
  func `A.2 the first face's centre × depth width / video width, rounded, is the depth pixel that counts`() throws {
    let map = Self.labelled(40, 30)
    for (x, y, column, row) in [
      (0.0, 0.0, 0, 0), (20, 12, 5, 3), (21, 13, 5, 3), (22, 14, 6, 4), (21.9, 13.9, 5, 3), (90, 60, 23, 15),
    ] {
      let faces = [face(x: x, y: y), face(x: 100, y: 100)]
      #expect(try Self.cutoffs(map, faces, scale: 4) == UInt16(1000 + 100 * row + column + 250), "\(x), \(y)")
    }
  }

  @Test
  func `A.2 a face whose centre lies outside the video reads the nearest depth pixel`() throws {
    let map = Self.labelled(40, 30)
    #expect(try Self.cutoffs(map, [face(x: -50, y: -1)], scale: 2) == 1250)
    #expect(try Self.cutoffs(map, [face(x: 80, y: 60)], scale: 2) == 1000 + 2900 + 39 + 250)
    #expect(try Self.cutoffs(map, [face(x: 1e300, y: -1e300)], scale: 2) == 1000 + 39 + 250)
  }

  @Test
  func `A.2 where the aspects differ, the middles of video and depth map coincide`() throws {
    let map = Self.labelled(32, 24)
    // 128 x 72 shows rows 3 to 21 of the depth map.
    let studio = try Studio(video: RGBImage(width: 128, height: 72), depth: (32, 24), [Self.unguarded])
    #expect(try studio.process(map, faces: [face(x: 64, y: 36)])?.cutoffMillimeters == 1000 + 1200 + 16 + 250)
    #expect(try studio.process(map, faces: [face(x: 0, y: 0)])?.cutoffMillimeters == 1000 + 300 + 250)
    #expect(try studio.process(map, faces: [face(x: 0, y: 71)])?.cutoffMillimeters == 1000 + 2100 + 250)
  }

  @Test
  func `A.3 the cut-off starts at 1.0 m, is the face plus 0.25 m, and holds when the face is lost`() throws {
    let map = DepthMap(20, 10) { _, _ in 700 }
    let studio = try Studio(map)
    #expect(try studio.process(map)?.cutoffMillimeters == 1000)
    #expect(try studio.process(map, faces: [face(x: 10, y: 5)])?.cutoffMillimeters == 950)
    #expect(try studio.process(map)?.cutoffMillimeters == 950)
    #expect(try studio.process(nil as Frame?, faces: [face(x: 10, y: 5)])?.cutoffMillimeters == 950)
    let farther = DepthMap(20, 10) { _, _ in 1500 }
    #expect(try studio.process(farther)?.cutoffMillimeters == 950)
    #expect(try studio.process(farther, faces: [face(x: 10, y: 5)])?.cutoffMillimeters == 1750)
  }

  @Test
  func `A.3 start and offset can be set`() throws {
    let map = DepthMap(20, 10) { _, _ in 700 }
    let studio = try Studio(map, ["mask.start=2.5", "mask.offset=-0.1"])
    #expect(try studio.process(map)?.cutoffMillimeters == 2500)
    #expect(try studio.process(map, faces: [face(x: 10, y: 5)])?.cutoffMillimeters == 600)
    let shallow = try Studio(map, ["mask.offset=-0.8"])
    let output = try #require(try shallow.process(map, faces: [face(x: 10, y: 5)]))
    #expect(output.cutoffMillimeters == 0)
    #expect(output.allMask.array.allSatisfy { $0 == 0 })
  }

  @Test
  func `A.3 unguarded: a hole 0 puts the cut-off at 0.25 m`() throws {
    var map = DepthMap(20, 10) { x, _ in x < 4 ? 250 : x < 8 ? 251 : 700 }
    map[10, 5] = 0
    let studio = try Studio(map, [Self.unguarded])
    let output = try #require(try studio.process(map, faces: [face(x: 10, y: 5)]))
    #expect(output.cutoffMillimeters == 250)
    #expect(output.allMask.array == (0..<200).map { $0 % 20 < 4 ? 255 : 0 })
  }

  @Test
  func `A.3 unguarded: NaN makes everything background, until a face has depth again`() throws {
    // 0.5 m, and 0.2 m in the top row: nearer than the bare offset.
    var disparity = [Float](repeating: 5, count: 20) + [Float](repeating: 2, count: 180)
    let studio = try Studio(
      video: noiseImage(20, 10, seed: 1), depth: (20, 10), depthFormat: .disparityFloat32, [Self.unguarded])
    let before = try #require(try studio.process(try disparityFrame(20, 10, disparity)))
    #expect(before.allMask.array.allSatisfy { $0 == 255 })
    disparity[5 * 20 + 10] = .nan
    let hole = try disparityFrame(20, 10, disparity)
    let output = try #require(try studio.process(hole, faces: [face(x: 10, y: 5)]))
    #expect(output.allMask.array.allSatisfy { $0 == 0 })
    #expect(output.allMatte.array.allSatisfy { $0 == 0 })
    #expect(output.composite.array.allSatisfy { $0 == 0 })
    let after = try #require(try studio.process(hole, faces: [face(x: 4, y: 5)]))
    #expect(after.cutoffMillimeters == 750)
    #expect(after.allMask.array.count { $0 == 255 } == 199)
  }

  @Test
  func `A.3 guarded: median of the inner box, outliers and holes in it notwithstanding`() throws {
    // The box is 8 x 8 around (16, 12): its inner half 14 ... 18 by 10 ... 14, 25 pixels.
    var map = DepthMap(32, 24) { _, _ in 3000 }
    for y in 10...14 { for x in 14...18 { map[x, y] = UInt16(800 + (y - 10) * 5 + x - 14) } }
    let faces = [face(x: 16, y: 12, width: 8, height: 8), face(x: 2, y: 2)]
    #expect(try Self.cutoffs(map, faces, []) == 812 + 250)
    // The centre and others are holes: twelve pixels fewer, all from the lower half of the values.
    for i in 0..<12 { map[14 + i % 5, 10 + i / 5] = 0 }
    #expect(try Self.cutoffs(map, faces, []) == 818 + 250)
    // An even number of them: the lower one of the middle two.
    map[16, 12] = 0
    #expect(map.millimeters.count { $0 >= 800 && $0 < 3000 } == 12)
    #expect(try Self.cutoffs(map, faces, []) == 818 + 250)
  }

  @Test
  func `A.3 guarded: a face with no depth at all holds the cut-off`() throws {
    let map = DepthMap(32, 24) { _, _ in 800 }
    let holes = DepthMap(32, 24) { x, _ in x < 16 ? 800 : 0 }
    let studio = try Studio(map)
    #expect(try studio.process(holes, faces: [face(x: 24, y: 12)])?.cutoffMillimeters == 1000)
    #expect(try studio.process(map, faces: [face(x: 24, y: 12)])?.cutoffMillimeters == 1050)
    #expect(try studio.process(holes, faces: [face(x: 24, y: 12)])?.cutoffMillimeters == 1050)
  }

  @Test
  func `A.3 a face box that is no number or empty holds the cut-off or reads its one pixel, and never traps`() throws {
    let map = DepthMap(20, 10) { _, _ in 700 }
    for assignments in [[], [Self.unguarded]] {
      for value in [Double.nan, .infinity, -.infinity] {
        #expect(try Self.cutoffs(map, [face(x: value, y: 5)], assignments) == 1000)
        #expect(try Self.cutoffs(map, [face(x: 5, y: value)], assignments) == 1000)
      }
      #expect(try Self.cutoffs(map, [face(x: 5, y: 5, width: 0, height: 0)], assignments) == 950)
    }
    #expect(try Self.cutoffs(map, [face(x: 10, y: 5, width: -8, height: 4)], []) == 1000)
  }
}
