import FrameModel
import SceneRendering
import Testing

@Suite struct SceneDepthTests {
  @Test
  func `millimetres, raw values and disparities tell of the same measurements`() throws {
    let millimeters = try SceneStudio(160, 120).picture(9).depth16
    let raw = try SceneStudio(160, 120) { $0.depthFormat = .kinectRaw11 }.picture(9).depth16
    let disparity = try SceneStudio(160, 120) { $0.depthFormat = .disparityFloat32 }.picture(9).depth
    for i in 0..<160 * 120 {
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(disparity[4 * i + $1]) << (8 * UInt32($1)) }
      let value = Float(bitPattern: bits)
      if raw[i] == 2047 {
        #expect(millimeters[i] == 0 && value.isNaN)
      } else {
        #expect(raw[i] < 1084)
        let meters = KinectDepthModel.meters(raw: Int(raw[i]))
        #expect(abs(Double(millimeters[i]) - 1000 * meters) <= 0.5)
        #expect(abs(Double(value) - 1 / meters) < 1e-6)
      }
    }
  }

  @Test
  func `steps of depth grow as 0.00307 z² metres`() {
    for raw in stride(from: 300, to: 1040, by: 20) {
      let z = KinectDepthModel.meters(raw: raw)
      let step = KinectDepthModel.meters(raw: raw + 1) - z
      #expect(abs(step / (0.00307 * z * z) - 1) < 0.03)
      #expect(KinectDepthModel.raw(meters: Float(z)) == UInt16(raw))
    }
  }

  @Test
  func `outside 0.4 to 8 m there is no measurement`() {
    #expect(KinectDepthModel.raw(meters: 0.39) == 2047)
    #expect(KinectDepthModel.raw(meters: 8.01) == 2047)
    #expect(KinectDepthModel.raw(meters: 0) == 2047)
    #expect(KinectDepthModel.raw(meters: 0.4) < 1084)
    #expect(KinectDepthModel.raw(meters: 8) < 1084)
  }

  @Test
  func `the projector's shadow lies to the left of the person`() throws {
    let studio = try SceneStudio(320, 240) { $0.noise = false }
    var left = 0
    var right = 0
    var rows = 0
    for instant in [0, 90, 200] {
      let picture = studio.picture(instant)
      let depth = picture.depth16
      // Below the window, whose panes have no depth either.
      for y in 135..<190 {
        let person = (0..<320).filter { picture.alpha[y * 320 + $0] >= 128 }
        guard let first = person.first, let last = person.last, first > 12, last < 308 else { continue }
        rows += 1
        if (first - 6..<first - 2).allSatisfy({ depth[y * 320 + $0] == 0 }) { left += 1 }
        if (last + 3..<last + 7).contains(where: { depth[y * 320 + $0] == 0 }) { right += 1 }
      }
    }
    #expect(rows > 60)
    #expect(left > rows * 9 / 10)
    #expect(right < rows / 20)
  }

  @Test
  func `the view through the window has no depth, its frame has`() throws {
    let depth = try SceneStudio(640, 480) {
      $0.noise = false
      $0.person = false
    }.picture(0).depth16
    // Pane at x = 0.9, y = −0.3 m and middle post at x = 1.17 m, at 4.3 m.
    #expect(depth[203 * 640 + 430] == 0)
    #expect(abs(Int(depth[203 * 640 + 463]) - 4300) < 40)
  }

  @Test
  func `the person is nearer than the room, at arm's length, and has relief`() throws {
    let studio = try SceneStudio(320, 240) { $0.noise = false }
    let room = try SceneStudio(320, 240) {
      $0.noise = false
      $0.person = false
    }.picture(0).depth16
    let picture = studio.picture(20)
    let depth = picture.depth16
    var seen = Set<UInt16>()
    for (i, alpha) in picture.alpha.enumerated() where alpha == 255 && depth[i] > 0 {
      #expect((500...1150).contains(Int(depth[i])))
      #expect(room[i] == 0 || depth[i] < room[i])
      seen.insert(depth[i])
    }
    #expect(seen.count > 60)
  }

  @Test
  func `depth of another size shows the same view`() throws {
    let full = try SceneStudio(320, 240) { $0.noise = false }.picture(5).depth16
    let half = try SceneStudio(320, 240) {
      $0.depthSize = PictureSize(160, 120)
      $0.noise = false
    }.picture(5).depth16
    var close = 0
    for y in 0..<120 {
      for x in 0..<160 where abs(Int(half[y * 160 + x]) - Int(full[2 * y * 320 + 2 * x])) < 60 { close += 1 }
    }
    #expect(close > 160 * 120 * 9 / 10)
  }
}
