import Kernels
import Support
import Testing

@Suite struct OffsetEstimateTests {
  private func check(_ scene: AlignmentScene, location: SourceLocation = #_sourceLocation) throws {
    let found = try scene.estimate().get()
    let error = max(abs(found.x + Double(scene.shift.x)), abs(found.y + Double(scene.shift.y)))
    #expect(error <= 0.5, "\(scene): \(found)", sourceLocation: location)
    #expect(error <= found.uncertainty, sourceLocation: location)
  }

  @Test(arguments: [DepthShift.none, .init(x: 2, y: 3), .init(x: -2, y: -3), .init(x: 5, y: -4), .init(x: -7, y: 1)])
  func `displaced depth is found to half a pixel, on whichever side its shadows fall`(shift: DepthShift) throws {
    for shadows in [AlignmentScene.Shadows.left, .right] {
      try check(AlignmentScene(shift: shift, shadows: shadows))
    }
  }

  @Test func `surfaces that are larger in depth than in colour do not mislead it`() throws {
    let scene = AlignmentScene(shift: DepthShift(x: 1, y: -2), growth: 2)
    try check(scene)
    let growth = try scene.estimate().get().growth
    #expect(growth < -1 && growth > -3)
  }

  @Test func `the offset is in depth pixels if the video is larger`() throws {
    try check(AlignmentScene(shift: DepthShift(x: -2, y: 3), scale: 2))
  }

  @Test func `without an edge in depth nothing is estimated`() {
    let flat = PixelPlane<UInt16>(width: 64, height: 48)
    flat.fill(1000)
    #expect(DepthEdges(width: 64, height: 48).find(flat.samples).isEmpty)
    #expect(OffsetEstimate.find(in: EdgeProfiles()) == .failure(.fewEdges(0)))
  }

  @Test func `colours without edges, and those of another scene, are no evidence`() {
    let scene = AlignmentScene()
    let grey = PixelPlane<UInt8>(width: AlignmentScene.width, height: AlignmentScene.height, channels: 3)
    grey.fill(90)
    #expect(OffsetEstimate.find(in: scene.profiles { _ in grey }) == .failure(.noMatch))
    for other in [100, 200, 300] {
      let found = OffsetEstimate.find(in: scene.profiles { scene.color(other + $0) })
      #expect(throws: OffsetEstimate.Obstacle.self) { try found.get() }
    }
  }

  @Test func `an offset beyond the range is refused rather than guessed`() {
    let found = AlignmentScene(shift: DepthShift(x: 12, y: 0)).estimate()
    #expect(throws: OffsetEstimate.Obstacle.self) { try found.get() }
  }

  @Test func `tiny depth maps and extremes are no trouble`() {
    var random = SeededGenerator(seed: 9)
    for (width, height) in [(1, 1), (11, 11), (12, 40), (33, 17)] {
      let depth = PixelPlane<UInt16>(width: width, height: height)
      for place in 0..<depth.count { depth.samples[place] = [0, 1, 65_535, 900][random.next(below: 4)] }
      let edges = DepthEdges(width: width, height: height).find(depth.samples)
      let color = PixelPlane<UInt8>(width: 3, height: 2, channels: 3)
      var profiles = EdgeProfiles()
      profiles.add(edges, depthWidth: width, depthHeight: height, color: color, time: 0)
      #expect(profiles.edgeCount == edges.count)
    }
  }
}
