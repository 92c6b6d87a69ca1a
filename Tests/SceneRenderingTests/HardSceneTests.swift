import FrameModel
import SceneRendering
import Support
import Testing

@Suite struct HardSceneTests {
  private static let hard: [SceneName] = [.desk, .walk, .crossing, .hard]

  private static func studio(
    _ scene: SceneName, _ size: PictureSize = PictureSize(160, 120), _ change: (inout SceneOptions) -> Void = { _ in }
  ) throws -> SceneStudio {
    try SceneStudio(size.width, size.height) {
      $0.scene = scene
      $0.effects = SceneEffects(scene)
      change(&$0)
    }
  }

  @Test(arguments: hard)
  func `the same scene gives the same bytes in any order`(name: SceneName) throws {
    let first = try Self.studio(name) { $0.seed = 5 }
    let second = try Self.studio(name) { $0.seed = 5 }
    let inOrder = [0, 60, 61, 150].map(first.picture)
    #expect([150, 61, 0, 60].map(second.picture) == [3, 2, 0, 1].map { inOrder[$0] })
  }

  @Test
  func `not one bit of a hard picture has changed`() throws {
    let picture = try Self.studio(.hard, PictureSize(320, 240)).picture(75)
    #expect(picture.color.withUnsafeBytes(sceneHash) == 9_889_656_404_768_986_764)
    #expect(picture.depth.withUnsafeBytes(sceneHash) == 9_675_048_590_093_938_697)
    #expect(picture.alpha.withUnsafeBytes(sceneHash) == 6_629_070_456_404_738_068)
  }

  @Test(arguments: hard)
  func `where alpha is 0 the colour is the empty room's, unless the floor mirrors`(name: SceneName) throws {
    let people = try Self.studio(name) {
      $0.noise = false
      $0.effects.gloss = 0
    }
    let room = try Self.studio(name) {
      $0.noise = false
      $0.person = false
      $0.effects.gloss = 0
    }.picture(0).color
    for instant in [45, 90, 150] {
      let picture = people.picture(instant)
      #expect(picture.alpha.contains { $0 == 255 })
      let different = picture.alpha.enumerated().count { i, alpha in
        alpha == 0 && picture.color[3 * i..<3 * i + 3] != room[3 * i..<3 * i + 3]
      }
      #expect(different == 0)
    }
  }

  @Test(arguments: hard)
  func `people come and go, and show their faces and their backs`(name: SceneName) throws {
    let studio = try Self.studio(name, PictureSize(64, 48)) {
      $0.effects.emptyInstants = 10
      $0.effects.blurMilliseconds = 0
      $0.effects.rollingMilliseconds = 0
    }
    let areas = stride(from: 0, to: 270, by: 5).map { studio.picture($0).alpha.count { $0 > 127 } }
    #expect(areas[0] == 0 && areas[1] == 0)
    #expect(areas.max() ?? 0 > 250)
    #expect(Set(areas).count > 20)
    for instant in 0..<10 { #expect(studio.scene.face(at: instant) == nil) }
    let faces = (10..<270).count { studio.scene.face(at: $0) != nil }
    #expect(faces > 20 && faces < 250)
  }

  @Test
  func `a walk spans 2 to 4 m`() throws {
    let studio = try Self.studio(.walk) { $0.noise = false }
    var distances: Set<Int> = []
    for instant in stride(from: 20, to: 220, by: 20) {
      let picture = studio.picture(instant)
      let body = zip(picture.alpha, picture.depth16).filter { $0 == 255 && $1 > 0 }.map { Int($1) }
      if !body.isEmpty { distances.insert(body.sorted()[body.count / 2] / 100) }
    }
    #expect(distances.min() ?? 99 <= 21)
    #expect(distances.max() ?? 0 >= 39)
  }

  @Test
  func `a longer exposure softens what moves`() throws {
    func soft(_ milliseconds: Double) throws -> Int {
      let studio = try Self.studio(.crossing) { $0.effects.blurMilliseconds = milliseconds }
      return studio.picture(150).alpha.count { (13...242).contains($0) }
    }
    #expect(try soft(40) > soft(0) * 3 / 2)
  }

  @Test
  func `a rolling shutter moves the upper and the lower rows apart`() throws {
    func middles(_ milliseconds: Double) throws -> (upper: Double, lower: Double) {
      let studio = try Self.studio(.crossing) {
        $0.effects.rollingMilliseconds = milliseconds
        $0.effects.blurMilliseconds = 2
        $0.effects.nearFurniture = false
      }
      let alpha = studio.picture(165).alpha
      func middle(_ rows: Range<Int>) -> Double {
        var (sum, weight) = (0.0, 0.0)
        for i in rows.lowerBound * 160..<rows.upperBound * 160 {
          sum += Double(i % 160) * Double(alpha[i])
          weight += Double(alpha[i])
        }
        return sum / weight
      }
      return (middle(5..<30), middle(90..<115))
    }
    let (still, rolling) = (try middles(0), try middles(60))
    // Upper rows are exposed earlier and lower rows later, so they move in opposite directions.
    #expect((rolling.upper - still.upper) * (rolling.lower - still.lower) < 0)
    #expect((rolling.upper - still.upper).magnitude > 0.3)
  }

  @Test
  func `dim light scales colours and leaves alpha`() throws {
    let bright = try Self.studio(.desk) { $0.noise = false }.picture(60)
    let dim = try Self.studio(.desk) {
      $0.noise = false
      $0.effects.light = 0.25
    }.picture(60)
    #expect(dim.alpha == bright.alpha)
    #expect(zip(dim.color, bright.color).allSatisfy { Int($0) == (Int($1) * 64 + 128) >> 8 })
  }

  @Test
  func `more grain is more noise`() throws {
    func noise(_ grain: Double) throws -> Int {
      let studio = try Self.studio(.desk) {
        $0.effects.grain = grain
        $0.person = false
      }
      return zip(studio.picture(0).color, studio.picture(1).color).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
    #expect(try noise(3) > noise(1) * 5 / 2)
  }

  @Test
  func `a registration that is off moves depth by its pixels`() throws {
    func depth(_ x: Int, _ y: Int) throws -> [UInt16] {
      try Self.studio(.desk) {
        $0.noise = false
        ($0.effects.shiftX, $0.effects.shiftY) = (x, y)
      }.picture(60).depth16
    }
    let (placed, moved) = (try depth(0, 0), try depth(-2, 3))
    for y in 0..<120 {
      for x in 0..<160 {
        let (fromX, fromY) = (x + 2, y - 3)
        let expected = fromX < 160 && fromY >= 0 ? placed[fromY * 160 + fromX] : 0
        #expect(moved[y * 160 + x] == expected)
      }
    }
  }

  @Test
  func `black and sheer cloth and loose hair lose depth`() throws {
    func lost(_ scene: SceneName = .walk, at instant: Int = 90, _ change: (inout SceneEffects) -> Void) throws -> Int {
      let picture = try Self.studio(scene, PictureSize(320, 240)) {
        $0.effects.looseHair = false
        $0.effects.looseCloth = false
        change(&$0.effects)
      }.picture(instant)
      return zip(picture.alpha, picture.depth16).count { $0 > 200 && $1 == 0 }
    }
    let plain = try lost { _ in }
    #expect(try lost { $0.blackCloth = true } > 2 * plain)
    #expect(try lost { $0.looseCloth = true } > plain + plain / 4)
    #expect(try lost { $0.holes = 0 } < plain)
    let shortHair = try lost(.desk, at: 100) { _ in }
    #expect(try lost(.desk, at: 100) { $0.looseHair = true } > shortHair * 3 / 2)
  }

  @Test
  func `people cast depth shadows on both sides`() throws {
    func lost(_ shadows: Bool) throws -> (left: Int, right: Int) {
      let picture = try Self.studio(.waving, PictureSize(320, 240)) {
        $0.noise = false
        $0.effects.shadows = shadows
        $0.effects.flying = 0.01  // the same depth model with and without shadows
      }.picture(0)
      let depth = picture.depth16
      let rows = 60..<100
      func count(_ columns: Range<Int>) -> Int {
        rows.reduce(0) { sum, y in sum + columns.count { depth[y * 320 + $0] == 0 && picture.alpha[y * 320 + $0] == 0 }
        }
      }
      return (count(100..<160), count(160..<185))
    }
    let (with, without) = (try lost(true), try lost(false))
    #expect(with.left > without.left + 100)
    #expect(with.right > without.right + 20)
  }

  @Test
  func `flying pixels lie between near and far`() throws {
    func between(_ share: Double) throws -> Int {
      let picture = try Self.studio(.waving, PictureSize(320, 240)) {
        $0.effects.flying = share
        $0.effects.ragged = 0.1
      }.picture(0)
      // The person is nearer than 1.2 m; the sofa and the table, the nearest of the room, are beyond 2 m.
      return picture.depth16.count { $0 > 1250 && $0 < 1900 }
    }
    #expect(try between(0) == 0)
    #expect(try between(0.2) > 60)
  }

  @Test
  func `furniture before people covers them`() throws {
    func lowest(_ furniture: Bool) throws -> Int {
      let alpha = try Self.studio(.desk) { $0.effects.nearFurniture = furniture }.picture(80).alpha
      return alpha.lastIndex { $0 > 127 }.map { $0 / 160 } ?? 0
    }
    #expect(try lowest(false) == 119)
    let covered = try Self.studio(.desk).picture(80).alpha.count { $0 > 127 }
    #expect(
      try covered < Self.studio(.desk) { $0.effects.nearFurniture = false }.picture(80).alpha.count { $0 > 127 } * 19
        / 20)
  }

  @Test
  func `a glossy floor mirrors people in colour and loses depth`() throws {
    func picture(_ gloss: Double, person: Bool = true) throws -> ScenePicture {
      try Self.studio(.crossing, PictureSize(320, 240)) {
        $0.effects.gloss = gloss
        $0.effects.nearFurniture = false
        $0.person = person
        $0.effects.grain = 0
      }.picture(45)
    }
    let (glossy, room) = (try picture(0.3), try picture(0.3, person: false))
    let mirrored = (0..<320 * 240).count {
      glossy.alpha[$0] == 0 && abs(Int(glossy.color[3 * $0]) - Int(room.color[3 * $0])) > 8
    }
    #expect(mirrored > 30)
    let dull = try picture(0.01)
    func missing(_ picture: ScenePicture) -> Int { picture.depth16[(320 * 150)...].count { $0 == 0 } }
    #expect(missing(glossy) > missing(dull) + 100)
  }
}
