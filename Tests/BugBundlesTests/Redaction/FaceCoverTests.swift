import BugBundles
import FrameModel
import Testing

@Suite struct FaceCoverTests {
  private static func box(_ x: Double, _ y: Double = 0) -> FaceCover.Box {
    FaceCover.Box(x: x, y: y, width: 10, height: 10)
  }

  private func boxes(_ area: FaceCover.Area) throws -> [FaceCover.Box] {
    guard case .boxes(let boxes) = area else {
      Issue.record("everything is covered")
      return []
    }
    return boxes
  }

  private func contains(_ area: FaceCover.Area, _ wanted: FaceCover.Box) throws -> Bool {
    try boxes(area).contains {
      $0.x <= wanted.x && $0.y <= wanted.y && $0.x + $0.width >= wanted.x + wanted.width
        && $0.y + $0.height >= wanted.y + wanted.height
    }
  }

  @Test func `a box that is only carried on is not the face seen again, which may be anywhere up to the next time`()
    throws
  {
    let carried = FaceCover.Look.seen([], held: [Self.box(0)])
    let areas = FaceCover.areas([.seen([Self.box(0)]), carried, carried, .seen([Self.box(60)])])
    for area in areas[1...2] {
      #expect(try contains(area, FaceCover.Box(x: 0, y: 0, width: 70, height: 10)))
    }
    for area in FaceCover.areas([.seen([Self.box(0)]), carried, carried]) { #expect(try contains(area, Self.box(0))) }
  }

  @Test func `a face seen in every frame is covered where it is, and nowhere else`() throws {
    let looks = (0..<50).map { FaceCover.Look.seen([Self.box(Double($0))]) }
    for (number, area) in FaceCover.areas(looks).enumerated() { #expect(area == .boxes([Self.box(Double(number))])) }
  }

  @Test func `between two looks all of the way from one box to the other is covered`() throws {
    let looks = [.seen([Self.box(0)]), .none, .none, .seen([Self.box(90, 40)])] as [FaceCover.Look]
    let areas = FaceCover.areas(looks)
    for number in [1, 2] {
      for (x, y) in [(0, 0), (30, 20), (60, 10), (90, 40)] {
        #expect(try contains(areas[number], Self.box(Double(x), Double(y))), "\(number)")
      }
    }
  }

  @Test func `of two faces each keeps its way`() throws {
    let looks = [.seen([Self.box(0), Self.box(200)]), .none, .seen([Self.box(206), Self.box(4)])] as [FaceCover.Look]
    let area = FaceCover.areas(looks)[1]
    #expect(try contains(area, FaceCover.Box(x: 0, y: 0, width: 14, height: 10)))
    #expect(try contains(area, FaceCover.Box(x: 200, y: 0, width: 16, height: 10)))
    #expect(try boxes(area).allSatisfy { $0.width <= 16 })
  }

  @Test func `frames before the first look and after the last have its boxes`() throws {
    let areas = FaceCover.areas([.none, .none, .seen([Self.box(7)]), .none, .none])
    for area in areas { #expect(area == .boxes([Self.box(7)])) }
  }

  @Test func `a face that is overlooked stays covered for thirty looks before and after, also beside another`() throws {
    for other in [[], [Self.box(500)]] {
      let looks = (0..<100).map { FaceCover.Look.seen($0 == 50 ? other + [Self.box(20)] : other) }
      let areas = FaceCover.areas(looks)
      for (number, area) in areas.enumerated() {
        #expect(try contains(area, Self.box(20)) == (abs(number - 50) <= FaceCover.overlookedLimit), "\(number)")
        if let other = other.first { #expect(try contains(area, other)) }
      }
    }
  }

  @Test func `a face that is overlooked for a moment while it moves is covered on its way`() throws {
    let looks = (0..<9).map { FaceCover.Look.seen((3...5).contains($0) ? [] : [Self.box(Double($0) * 20)]) }
    let areas = FaceCover.areas(looks)
    for number in 3...5 { #expect(try contains(areas[number], Self.box(Double(number) * 20))) }
    #expect(try contains(areas[8], Self.box(160)))
  }

  @Test func `a small false box within a face, or a neighbour that overlaps it a little, does not uncover it`() throws {
    let face = FaceCover.Box(x: 100, y: 100, width: 100, height: 100)
    let within = FaceCover.Box(x: 130, y: 140, width: 24, height: 24)
    let neighbour = FaceCover.Box(x: 195, y: 100, width: 100, height: 100)
    for (first, others) in [([face], [within]), ([face, neighbour], [neighbour])] {
      let looks = (0..<60).map { FaceCover.Look.seen($0 == 0 ? first : others) }
      for looks in [looks, Array(looks.reversed())] {
        let areas = FaceCover.areas(looks)
        for (number, area) in areas.enumerated() {
          let distance = looks[0] == .seen(first) ? number : looks.count - 1 - number
          #expect(try contains(area, face) == (distance <= FaceCover.overlookedLimit), "\(number)")
          #expect(try contains(area, others[0]))
        }
      }
    }
  }

  @Test func `a box takes the place of one other at most: of the nearest, or of one that it holds`() throws {
    // Two faces lie over each other by more than half; one of them is overlooked.
    let areas = FaceCover.areas([.seen([Self.box(3), Self.box(0)]), .seen([Self.box(0)])])
    #expect(areas[1] == .boxes([Self.box(0), Self.box(3)]))
    let large = FaceCover.Box(x: 0, y: 0, width: 60, height: 60)
    for (x, isHeld) in [(20.0, true), (52.0, true), (53.0, false)] {
      let areas = FaceCover.areas([.seen([Self.box(x)]), .seen([large])])
      #expect(areas[1] == .boxes(isHeld ? [large] : [large, Self.box(x)]), "\(x)")
    }
  }

  @Test func `a box that is no rectangle covers everything, for as long as it is remembered`() throws {
    var boxes = [Self.box(0), Self.box(0), Self.box(0), Self.box(0)]
    boxes[0].width = -4
    boxes[1].height = 0
    boxes[2].x = .nan
    boxes[3].width = .infinity
    for box in boxes {
      let areas = FaceCover.areas((0..<40).map { .seen($0 == 0 ? [Self.box(50), box] : [Self.box(50)]) })
      for (number, area) in areas.enumerated() {
        #expect((area == .everything) == (number <= FaceCover.overlookedLimit), "\(box) \(number)")
      }
      let whole = try #require(FaceSurroundings(box, width: 100, height: 90))
      #expect(whole.x == 0..<100 && whole.y == 0..<90 && whole.squareSide >= 50)
    }
  }

  @Test func `where nobody looked for long, or a crowd is claimed, everything is covered`() throws {
    let gap = FaceCover.unseenLimit
    for (length, isAll) in [(gap, false), (gap + 1, true), (gap * 5, true)] {
      let looks =
        [.seen([Self.box(0)])] + Array(repeating: FaceCover.Look.none, count: length) + [.seen([Self.box(1)])]
      let areas = FaceCover.areas(looks)
      #expect(areas[1...length].allSatisfy { ($0 == .everything) == isAll })
      #expect(areas[0] != .everything && areas[length + 1] != .everything)
    }
    let crowd = (0...FaceCover.faceLimit).map { Self.box(Double($0) * 20) }
    #expect(FaceCover.areas([.seen(crowd)]) == [.everything])
    #expect(FaceCover.areas([.seen(crowd.dropLast())]) != [.everything])
    #expect(FaceCover.areas([]).isEmpty)
  }

  @Test func `surroundings hold half of the box on every side, and lie within the picture`() throws {
    let inside = try #require(
      FaceSurroundings(FaceCover.Box(x: 40.5, y: 30, width: 20, height: 10), width: 100, height: 90))
    #expect(inside.x == 30..<71 && inside.y == 20..<50 && inside.squareSide == 10)
    let corner = try #require(FaceSurroundings(Self.box(-4, 85), width: 100, height: 90))
    #expect(corner.x == 0..<11 && corner.y == 80..<90)
    #expect(FaceSurroundings(Self.box(-16), width: 100, height: 90) == nil)
    for value in [Double.infinity, .nan, -1e300, 1e300] {
      _ = FaceSurroundings(FaceCover.Box(x: value, y: 0, width: 5, height: 5), width: 100, height: 90)
      _ = FaceSurroundings(FaceCover.Box(x: 0, y: 0, width: value, height: 5), width: 100, height: 90)
    }
    let huge = try #require(
      FaceSurroundings(FaceCover.Box(x: -1e300, y: -1e300, width: 1e301, height: 1e301), width: 100, height: 90))
    #expect(huge.x.lowerBound == 0 && huge.y.lowerBound == 0)
  }
}
