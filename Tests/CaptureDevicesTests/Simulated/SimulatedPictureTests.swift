import CaptureDevices
import FrameModel
import Support
import Testing

@Suite struct SimulatedPictureTests {
  @Test
  func `the same specification gives the same bytes`() throws {
    let first = try SimulatedStudio("size=160x120&seed=5")
    let second = try SimulatedStudio("size=160x120&seed=5")
    for instant in [0, 1, 17, 5000] { #expect(first.picture(instant) == second.picture(instant)) }
  }

  @Test
  func `another seed gives another picture`() throws {
    let first = try SimulatedStudio("size=160x120&seed=5").picture(3)
    let second = try SimulatedStudio("size=160x120&seed=6").picture(3)
    #expect(first.color != second.color)
    #expect(first.depth != second.depth)
    #expect(first.alpha != second.alpha)
  }

  @Test
  func `a frame does not depend on what was rendered before it`() throws {
    let studio = try SimulatedStudio("size=160x120&depth-size=80x60")
    let inOrder = (0..<12).map { studio.picture($0) }
    for instant in [11, 2, 7, 0, 7, 5] { #expect(studio.picture(instant) == inOrder[instant]) }
  }

  @Test
  func `not one bit of the default picture has changed`() throws {
    let studio = try SimulatedStudio("")
    let picture = studio.picture(7)
    #expect(picture.color.withUnsafeBytes(simulatedHash) == 15_601_205_701_802_918_265)
    #expect(picture.depth.withUnsafeBytes(simulatedHash) == 6_809_929_133_145_347_258)
    #expect(picture.alpha.withUnsafeBytes(simulatedHash) == 2_565_401_468_002_612_387)
  }

  @Test(
    arguments: ["161x97", "1x1", "2x3", "97x1", "1x64", "4096x1", "1x4096"],
    ["RGB24", "YUYV", "NV12", "GREY", "GRBG8"])
  func `every format fills its frame at every size`(size: String, format: String) throws {
    let studio = try SimulatedStudio("size=\(size)&format=\(format)&noise=0")
    let picture = studio.picture(1)
    #expect(picture.color.count == studio.color.byteCount)
    // The room has no black pixel, so every byte of luma that was written is above 0.
    let lumaBytes = format == "NV12" ? studio.color.bytesPerRow * studio.color.height : picture.color.count
    #expect(picture.color[..<lumaBytes].allSatisfy { $0 > 0 } || format == "RGB24" || format == "GRBG8")
  }

  @Test(
    arguments: ["mm", "raw11", "disparity"],
    ["161x97", "1x1", "7x300"])
  func `depth has every format at odd sizes`(format: String, size: String) throws {
    let studio = try SimulatedStudio("size=64x48&depth-size=\(size)&depth=\(format)")
    let picture = studio.picture(2)
    #expect(picture.depth.count == studio.depth.width * studio.depth.height * (format == "disparity" ? 4 : 2))
  }

  @Test
  func `where alpha is 0 the colour is the empty room's`() throws {
    let withPerson = try SimulatedStudio("size=320x240&noise=0")
    let room = try SimulatedStudio("size=320x240&noise=0&person=0").picture(0).color
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
    let alpha = try SimulatedStudio("size=320x240").picture(0).alpha
    let soft = alpha.filter { (10...245).contains($0) }
    #expect(soft.count > 600)
    #expect(Set(soft).count > 100)
  }

  @Test
  func `without a person alpha is empty and no face is reported`() throws {
    let studio = try SimulatedStudio("size=64x48&person=0")
    #expect(studio.picture(4).alpha.allSatisfy { $0 == 0 })
    #expect(studio.scene.faces(at: 4, studio.scene.pose(at: 4)).isEmpty)
  }

  @Test
  func `the face's rectangle lies on the person, and its angles stay small`() throws {
    let studio = try SimulatedStudio("size=320x240&noise=0")
    for instant in stride(from: 0, to: 3000, by: 61) {
      let face = try #require(studio.scene.faces(at: instant, studio.scene.pose(at: instant)).first)
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
    let rgb = try SimulatedStudio("size=64x48").picture(3).color
    let grey = try SimulatedStudio("size=64x48&format=GREY").picture(3).color
    for (i, luma) in grey.enumerated() {
      let (r, g, b) = (Double(rgb[3 * i]), Double(rgb[3 * i + 1]), Double(rgb[3 * i + 2]))
      #expect(abs(0.299 * r + 0.587 * g + 0.114 * b - Double(luma)) < 1.01)
    }
  }
}
