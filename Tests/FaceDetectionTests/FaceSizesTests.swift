import FaceDetection
import FrameModel
import Support
import Testing

/// Which widths a face may have, by depth that is known.
@Suite struct FaceSizesTests {
  private static let (width, height) = (640, 480)
  private static let focal = 525.0

  /// Reads depth that lies over a picture of 640x480.
  private func sizes(
    _ settings: [StreamDescription.Setting] = [.init("focal-x", "525")], millimeters: (Int, Int) -> Int
  ) throws -> FaceSizes {
    let picture = try FaceSupport.depth(width: Self.width, height: Self.height, millimeters)
    let color = try FaceSupport.stream(.color, FrameLayout(.grey8, width: Self.width, height: Self.height))
    let depth = try FaceSupport.stream(.depth, picture.layout, [.init("registered", "1")] + settings)
    let view = try #require(DepthView(depth: depth, color: color))
    view.show(picture)
    let sizes = FaceSizes(try GreyImage(color.layout, usefulSide: 320))
    sizes.read(view)
    return sizes
  }

  private func box(_ x: Double, _ y: Double, _ width: Double) -> FaceObservation.Box {
    FaceObservation.Box(x: x - width / 2, y: y - width / 2, width: width, height: width)
  }

  /// A head 24 cm wide at 2 m, around `middle`, before a wall at 3.5 m.
  private func head(_ middle: (x: Int, y: Int) = (320, 200)) -> (Int, Int) -> Int {
    { x, y in
      let (dx, dy) = (x - middle.x, y - middle.y)
      return dx * dx + dy * dy < 32 * 32 ? 2000 : 3500
    }
  }

  @Test(arguments: [0.8, 1, 2, 3, 4])
  func `a face may be 11 to 23 cm wide, whatever its distance up to 4 m`(meters: Double) throws {
    let radius = Self.focal * 0.12 / meters
    let sizes = try sizes { x, y in
      let (dx, dy) = (Double(x - 320), Double(y - 240))
      return Int((dx * dx + dy * dy < radius * radius ? meters : meters + 1.5) * 1000)
    }
    for centimeters in [12.0, 15, 22] {
      #expect(sizes.allows(box(320, 240, Self.focal * centimeters / 100 / meters)), "\(centimeters) cm")
    }
    for centimeters in [5.0, 10, 24, 60] {
      #expect(!sizes.allows(box(320, 240, Self.focal * centimeters / 100 / meters)), "\(centimeters) cm")
    }
  }

  @Test func `a wall, and a picture on it, have no face of any size`() throws {
    let sizes = try sizes(millimeters: head())
    #expect(sizes.allows(box(320, 200, 40)))
    for width in [12.0, 20, 25, 40, 80, 200] {
      for place in [(100.0, 100.0), (320, 400), (520, 240)] {
        #expect(!sizes.allows(box(place.0, place.1, width)), "\(width) at \(place)")
      }
    }
  }

  @Test func `a head that the picture's edge cuts off on one side stands out there too`() throws {
    for middle in [(x: 20, y: 240), (x: 620, y: 240), (x: 320, y: 25)] {
      let sizes = try sizes(millimeters: head(middle))
      #expect(sizes.allows(box(Double(middle.x), Double(middle.y), 40)), "\(middle)")
    }
    #expect(!(try sizes(millimeters: head()).allows(box(-30, 200, 40))))
  }

  @Test
  func `a hole has the sizes of what is round it, and one without anything near any that is searched without depth`()
    throws
  {
    let head = head()
    // Black hair: the upper half of the head.
    let hair = try sizes { x, y in y < 200 && head(x, y) == 2000 ? 0 : head(x, y) }
    #expect(hair.allows(box(320, 190, 40)))
    #expect(!hair.allows(box(320, 190, 150)))
    // Nothing is measured in the left half.
    let half = try sizes { x, y in x < 300 ? 0 : head(x, y) }
    #expect(half.allows(box(100, 240, 60)) && half.allows(box(100, 240, 300)))
    #expect(!half.allows(box(100, 240, 30)))
    let nothing = try sizes { _, _ in 0 }
    #expect(nothing.allows(box(320, 240, 60)) && !nothing.allows(box(320, 240, 30)))
  }

  @Test func `the focal length is the stream's own, or that of its lens`() throws {
    let scene = head()
    let far = box(320, 200, 52)
    #expect(try sizes([.init("focal-x", "525")], millimeters: scene).allows(far))
    #expect(!(try sizes([.init("focal-x", "400")], millimeters: scene).allows(far)))
    #expect(!(try sizes([.init("intrinsics", "fx=400 fy=400 cx=320 cy=240")], millimeters: scene).allows(far)))
    // An invalid one is as none.
    #expect(try sizes([.init("intrinsics", "fx=0 fy=400 cx=320 cy=240")], millimeters: scene).allows(far))
  }

  @Test func `regions hold every place that is allowed, once`() throws {
    var generator = SeededGenerator(seed: 3)
    let blocks = (0..<20).map { _ in
      (
        x: generator.next(below: 640), y: generator.next(below: 480), side: 10 + generator.next(below: 80),
        z: generator.next(below: 5) * 1000
      )
    }
    let sizes = try sizes { x, y in
      blocks.first { abs(x - $0.x) < $0.side && abs(y - $0.y) < $0.side }?.z ?? 4500
    }
    var allowedCount = 0
    for width in stride(from: 18.0, to: 240, by: 7) {
      let regions = sizes.regions(width...width * 1.2)
      for _ in 0..<800 {
        let box = box(Double(generator.next(below: 640)), Double(generator.next(below: 480)), width)
        let holders = regions.filter { sizes.contains($0, middleOf: box) }
        #expect(holders.count <= 1)
        guard sizes.allows(box) else { continue }
        allowedCount += 1
        let region = try #require(holders.first?.box)
        #expect(region.x <= box.x && region.y <= box.y)
        #expect(region.x + region.width >= box.x + width && region.y + region.height >= box.y + width)
      }
    }
    #expect(allowedCount > 500)
  }
}
