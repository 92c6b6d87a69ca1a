import FrameModel
import MattePipeline
import Support
import Testing

/// `mask.movement`: people without a face, before a camera that stands still.
@Suite struct MovementTests {
  private static let (width, height) = (48, 36)

  /// A room 3 m deep with a desk at 1.2 m, and noise.
  private static func room(_ seed: Int, personAt column: Int? = nil) -> DepthMap {
    var generator = SeededGenerator(seed: UInt64(seed))
    return DepthMap(width, height) { x, y in
      let noise = UInt16(generator.next(below: 9))
      if let column, isPerson(x, y, column) { return 1800 + noise }
      if y >= 24, x >= 36 { return 1200 + noise }
      return 3000 + 3 * noise
    }
  }

  private static func isPerson(_ x: Int, _ y: Int, _ column: Int) -> Bool {
    (column..<column + 12).contains(x) && (8..<28).contains(y)
  }

  private static func person(_ column: Int) -> [UInt8] {
    (0..<width * height).map { isPerson($0 % width, $0 / width, column) ? 255 : 0 }
  }

  private static func studio(_ assignments: [String] = []) throws -> Studio {
    try Studio(room(0), ["mask.movement=true", "mask.pieces=face", "mask.start=0"] + assignments)
  }

  @Test func `who walks through is the person, the desk is not, and when nobody is left nobody is`() throws {
    let studio = try Self.studio(["mask.without-face=nearest"])
    for seed in 0..<4 {
      // Nothing has moved yet: the desk is the nearest thing.
      #expect(try #require(try studio.process(Self.room(seed))).allMask.array.contains(255))
    }
    for (seed, column) in zip(4..., [0, 2, 5, 9, 14, 20]) {
      let output = try #require(try studio.process(Self.room(seed, personAt: column)))
      #expect(output.allMask.array == Self.person(column))
    }
    for seed in 20..<24 {
      let output = try #require(try studio.process(Self.room(seed)))
      #expect(output.allMask.array.allSatisfy { $0 == 0 } && output.cutoffMillimeters == 0)
    }
  }

  @Test func `a hand that somebody raises is part of that person, and so is what is left when it is lowered`() throws {
    let studio = try Self.studio(["mask.without-face=nearest"])
    func frame(_ seed: Int, hasHand: Bool) -> DepthMap {
      var map = Self.room(seed, personAt: 20)
      for y in 12..<20 { for x in 22..<30 where hasHand { map[x, y] = 1400 } }
      // The desk would be nearer than the person.
      for y in 24..<36 { for x in 36..<48 { map[x, y] = 3000 } }
      return map
    }
    for seed in 0..<12 {
      let output = try #require(try studio.process(frame(seed, hasHand: (4..<8).contains(seed))))
      #expect(output.allMask.array == Self.person(20), "\(seed)")
    }
    // Who walks through behind is somebody else.
    for seed in 12..<16 {
      var map = frame(seed, hasHand: false)
      for y in 4..<30 { for x in 2..<14 { map[x, y] = 2500 } }
      let output = try #require(try studio.process(map))
      #expect(output.cutoffMillimeters == 2600, "\(seed)")
    }
  }

  @Test func `who was there from the start is the person once the room behind was seen`() throws {
    let studio = try Self.studio()
    for seed in 0..<4 {
      let output = try #require(try studio.process(Self.room(seed, personAt: 4)))
      #expect(output.allMask.array.allSatisfy { $0 == 0 })
    }
    // The place where the person was is learned as the room while somebody stands elsewhere.
    for seed in 4..<8 {
      let output = try #require(try studio.process(Self.room(seed, personAt: 20)))
      #expect(output.allMask.array == Self.person(20))
    }
    let output = try #require(try studio.process(Self.room(9, personAt: 6)))
    #expect(output.allMask.array == Self.person(6))
  }

  @Test func `a face farther away than what moves still counts`() throws {
    let studio = try Self.studio(["mask.offset=2"])
    for seed in 0..<4 { _ = try studio.process(Self.room(seed)) }
    let someone = [face(x: 26, y: 18)]
    let output = try #require(try studio.process(Self.room(5, personAt: 20), faces: someone))
    #expect(output.cutoffMillimeters > 3700)
    #expect(try #require(try studio.process(Self.room(6, personAt: 20))).cutoffMillimeters == 1900)
  }

  @Test func `without the parameter who moves is not looked for`() throws {
    let without = try Studio(Self.room(0), ["mask.movement=false", "mask.pieces=face", "mask.start=0"])
    for seed in 0..<4 { _ = try without.process(Self.room(seed)) }
    #expect(try #require(try without.process(Self.room(5, personAt: 20))).allMask.array.allSatisfy { $0 == 0 })
  }
}
