import FrameModel
import SceneRendering
import Support
import Testing

@Suite struct ScenePictureTests {
  @Test
  func `the same specification gives the same bytes`() throws {
    let first = try SceneStudio(160, 120) { $0.seed = 5 }
    let second = try SceneStudio(160, 120) { $0.seed = 5 }
    for instant in [0, 1, 17, 5000] { #expect(first.picture(instant) == second.picture(instant)) }
  }

  @Test
  func `another seed gives another picture`() throws {
    let first = try SceneStudio(160, 120) { $0.seed = 5 }.picture(3)
    let second = try SceneStudio(160, 120) { $0.seed = 6 }.picture(3)
    #expect(first.color != second.color)
    #expect(first.depth != second.depth)
    #expect(first.alpha != second.alpha)
  }

  @Test
  func `a frame does not depend on what was rendered before it`() throws {
    let studio = try SceneStudio(160, 120) { $0.depthSize = PictureSize(80, 60) }
    let inOrder = (0..<12).map { studio.picture($0) }
    for instant in [11, 2, 7, 0, 7, 5] { #expect(studio.picture(instant) == inOrder[instant]) }
  }

  @Test
  func `not one bit of the default picture has changed`() throws {
    let studio = try SceneStudio()
    let picture = studio.picture(7)
    #expect(picture.color.withUnsafeBytes(sceneHash) == 15_601_205_701_802_918_265)
    #expect(picture.depth.withUnsafeBytes(sceneHash) == 6_809_929_133_145_347_258)
    #expect(picture.alpha.withUnsafeBytes(sceneHash) == 2_565_401_468_002_612_387)
  }

  @Test(
    arguments: [(161, 97), (1, 1), (2, 3), (97, 1), (1, 64), (4096, 1), (1, 4096)],
    [PixelFormat.rgb24, .yuyv, .nv12, .grey8, .bayerGRBG8])
  func `every format fills its frame at every size`(size: (Int, Int), format: PixelFormat) throws {
    let studio = try SceneStudio(size.0, size.1) {
      $0.colorFormat = format
      $0.noise = false
    }
    let layout = studio.scene.colorLayout
    let picture = studio.picture(1)
    #expect(picture.color.count == layout.byteCount)
    // The room has no black pixel, so every byte of luma that was written is above 0.
    let lumaBytes = format == .nv12 ? layout.bytesPerRow * layout.height : picture.color.count
    #expect(picture.color[..<lumaBytes].allSatisfy { $0 > 0 } || format == .rgb24 || format == .bayerGRBG8)
  }

  @Test(
    arguments: [PixelFormat.depthMillimeters16, .kinectRaw11, .disparityFloat32],
    [PictureSize(161, 97), PictureSize(1, 1), PictureSize(7, 300)])
  func `depth has every format at odd sizes`(format: PixelFormat, size: PictureSize) throws {
    let studio = try SceneStudio(64, 48) {
      $0.depthSize = size
      $0.depthFormat = format
    }
    let picture = studio.picture(2)
    #expect(picture.depth.count == size.width * size.height * (format == .disparityFloat32 ? 4 : 2))
  }

  @Test
  func `where alpha is 0 the colour is the empty room's`() throws {
    let withPerson = try SceneStudio(320, 240) { $0.noise = false }
    let room = try SceneStudio(320, 240) {
      $0.noise = false
      $0.person = false
    }.picture(0).color
    for instant in [0, 40] {
      let picture = withPerson.picture(instant)
      var different = 0
      for (i, alpha) in picture.alpha.enumerated() where alpha == 0 {
        if picture.color[3 * i..<3 * i + 3] != room[3 * i..<3 * i + 3] { different += 1 }
      }
      #expect(different == 0)
      #expect(picture.alpha.count { $0 == 255 } > 10_000)
    }
  }

  @Test
  func `alpha has soft edges, not steps`() throws {
    let alpha = try SceneStudio(320, 240).picture(0).alpha
    let soft = alpha.filter { (10...245).contains($0) }
    #expect(soft.count > 600)
    #expect(Set(soft).count > 100)
  }

  @Test
  func `without a person alpha is empty and no face is reported`() throws {
    let studio = try SceneStudio(64, 48) { $0.person = false }
    #expect(studio.picture(4).alpha.allSatisfy { $0 == 0 })
    #expect(studio.scene.face(at: 4) == nil)
  }

  @Test
  func `the face's rectangle lies on the person, and its angles stay small`() throws {
    let studio = try SceneStudio(320, 240) { $0.noise = false }
    for instant in stride(from: 0, to: 3000, by: 61) {
      let face = try #require(studio.scene.face(at: instant))
      #expect(face.detector == "simulated")
      #expect(abs(face.roll ?? 9) < 0.175 && abs(face.pitch ?? 9) < 0.262 && abs(face.yaw ?? 9) < 0.262)
      let alpha = studio.picture(instant).alpha
      var inside = 0
      var count = 0
      for y in Int(face.box.y)..<Int(face.box.y + face.box.height) {
        for x in Int(face.box.x)..<Int(face.box.x + face.box.width) {
          count += 1
          if alpha[y * 320 + x] == 255 { inside += 1 }
        }
      }
      // A square holds a chin with some background beside it.
      #expect(Double(inside) > 0.75 * Double(count))
      #expect(alpha[Int(face.box.centerY) * 320 + Int(face.box.centerX)] == 255)
    }
  }

  @Test
  func `grey as luma of BT.601 full range`() throws {
    let rgb = try SceneStudio(64, 48).picture(3).color
    let grey = try SceneStudio(64, 48) { $0.colorFormat = .grey8 }.picture(3).color
    for (i, luma) in grey.enumerated() {
      let (r, g, b) = (Double(rgb[3 * i]), Double(rgb[3 * i + 1]), Double(rgb[3 * i + 2]))
      #expect(abs(0.299 * r + 0.587 * g + 0.114 * b - Double(luma)) < 1.01)
    }
  }
}
