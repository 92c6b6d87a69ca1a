import FrameModel
import MattePipeline
import Support
import Testing

/// `mask.empty-start`: a recording that begins with an empty room.
@Suite struct EmptyStartMaskTests {
  private static let (width, height) = (48, 36)

  /// A room 3 m deep with a desk at 1.2 m, and noise.
  /// - Parameter shift: how much nearer the wall is, for a camera at another place.
  private static func room(_ seed: Int, personAt column: Int? = nil, nearerBy shift: UInt16 = 0) -> DepthMap {
    var generator = SeededGenerator(seed: UInt64(seed))
    return DepthMap(width, height) { x, y in
      let noise = UInt16(generator.next(below: 9))
      if let column, isPerson(x, y, column) { return 1250 + noise }
      if isDesk(x, y) { return 1200 + noise }
      return 3000 - shift + 3 * noise
    }
  }

  private static func isDesk(_ x: Int, _ y: Int) -> Bool { y >= 24 && x >= 30 }

  private static func isPerson(_ x: Int, _ y: Int, _ column: Int) -> Bool {
    (column..<column + 12).contains(x) && (8..<28).contains(y) && !isDesk(x, y)
  }

  private static func mask(_ includes: (Int, Int) -> Bool) -> [UInt8] {
    (0..<width * height).map { includes($0 % width, $0 / width) ? 255 : 0 }
  }

  private static func person(_ column: Int) -> [UInt8] { mask { isPerson($0, $1, column) } }
  private static func personAndDesk(_ column: Int) -> [UInt8] { mask { isPerson($0, $1, column) || isDesk($0, $1) } }

  private static func studio(_ assignments: [String] = []) throws -> Studio {
    try Studio(room(0), ["mask.empty-start=true", "mask.plate-frames=4", "mask.pieces=face"] + assignments)
  }

  /// A person beside the desk, as near as that.
  private static let beside = 20
  private static let someone = [face(x: 26, y: 14)]

  @Test func `after an empty start a desk as near as the person is the room`() throws {
    let studio = try Self.studio()
    for seed in 0..<4 { _ = try studio.process(Self.room(seed)) }
    for seed in 4..<10 {
      let output = try #require(try studio.process(Self.room(seed, personAt: Self.beside), faces: Self.someone))
      #expect(output.allMask.array == Self.person(Self.beside) && output.cutoffMillimeters == 0)
      let held = try #require(try studio.process(nil as Frame?))
      #expect(!held.maskIsNew && held.allMask.array == Self.person(Self.beside))
    }
    let without = try Self.studio(["mask.empty-start=false"])
    for seed in 0..<4 { _ = try without.process(Self.room(seed)) }
    let output = try #require(try without.process(Self.room(4, personAt: Self.beside), faces: Self.someone))
    #expect(output.allMask.array == Self.personAndDesk(Self.beside))
  }

  /// Compares with masks that learn nothing, frame by frame.
  private static func expectFaceMasks(_ frames: [(map: DepthMap, faces: [FaceObservation])]) throws {
    let movement = "mask.movement=true"
    let (studio, without) = (try Self.studio([movement]), try Self.studio([movement, "mask.empty-start=false"]))
    for (map, faces) in frames {
      let (one, other) = (try studio.process(map, faces: faces), try without.process(map, faces: faces))
      #expect(one?.allMask.array == other?.allMask.array && one?.cutoffMillimeters == other?.cutoffMillimeters)
    }
  }

  @Test func `without an empty start each frame is that of the face's mask`() throws {
    let someone = Self.someone
    try Self.expectFaceMasks((0..<8).map { (Self.room($0, personAt: Self.beside), someone) })
    // Too short: a face, or movement without one, comes before the scene is known.
    let empty = (0..<3).map { (Self.room($0), [FaceObservation]()) }
    try Self.expectFaceMasks(empty + (3..<9).map { (Self.room($0, personAt: Self.beside), someone) })
    try Self.expectFaceMasks(empty + (3..<9).map { (Self.room($0, personAt: Self.beside), []) })
    try Self.expectFaceMasks(
      [(Self.room(0), someone)] + (1..<9).map { (Self.room($0), []) }
        + (9..<12).map { (Self.room($0, personAt: Self.beside), someone) })
  }

  @Test func `a person who sat still without a face is kept, whether a face is found or the person gets up`() throws {
    let still = (0..<8).map { (Self.room($0, personAt: Self.beside), [FaceObservation]()) }
    try Self.expectFaceMasks(still)
    try Self.expectFaceMasks(
      still + (8..<12).map { (Self.room($0, personAt: Self.beside), Self.someone) }
        + (12..<15).map { (Self.room($0, personAt: Self.beside), []) })
    // A person who gets up uncovers the room behind.
    try Self.expectFaceMasks(still + (8..<14).map { (Self.room($0, personAt: Self.beside - 2 * ($0 - 7)), []) })
  }

  @Test func `who comes without a face is the person, and so is who comes later`() throws {
    let studio = try Self.studio(["mask.movement=true"])
    for seed in 0..<4 { _ = try studio.process(Self.room(seed)) }
    for (seed, column) in zip(4..., [0, 3, 8, 14]) {
      let output = try #require(try studio.process(Self.room(seed, personAt: column)))
      #expect(output.allMask.array == Self.person(column))
    }
    let found = try #require(try studio.process(Self.room(9, personAt: Self.beside), faces: Self.someone))
    #expect(found.allMask.array == Self.person(Self.beside))
    // Once a face has confirmed the scene, faces in a picture on the wall do not end it.
    for seed in 10..<15 {
      let output = try #require(
        try studio.process(Self.room(seed, personAt: Self.beside), faces: [face(x: 6, y: 6)]))
      #expect(output.allMask.array == Self.person(Self.beside))
    }
  }

  @Test func `a face on the wall for two depth frames, or over the edge, is no doubt; for three it is`() throws {
    let wall = [face(x: 6, y: 6)]
    for (faces, count, isKept) in [(wall, 2, true), (wall, 3, false), ([face(x: 0, y: 6, width: 6)], 3, true)] {
      let studio = try Self.studio()
      for seed in 0..<4 { _ = try studio.process(Self.room(seed)) }
      for seed in 4..<4 + count {
        _ = try studio.process(Self.room(seed), faces: faces)
        // Depth that is held is not judged again, nor after a change of parameters.
        try studio.set("mask.offset=\(Double(seed) / 10)")
        _ = try studio.process(nil as Frame?, faces: faces)
      }
      try studio.set("mask.offset=0.25")
      let output = try #require(try studio.process(Self.room(9, personAt: Self.beside), faces: Self.someone))
      #expect(output.allMask.array == (isKept ? Self.person(Self.beside) : Self.personAndDesk(Self.beside)))
    }
  }

  @Test func `a desk that is moved once a face has come leaves the room known`() throws {
    let studio = try Self.studio()
    for seed in 0..<4 { _ = try studio.process(Self.room(seed)) }
    _ = try studio.process(Self.room(4, personAt: Self.beside), faces: Self.someone)
    for seed in 5..<10 {
      var map = Self.room(seed, personAt: Self.beside)
      for y in 30..<Self.height { for x in 42..<Self.width { map[x, y] = 3000 } }
      let output = try #require(try studio.process(map, faces: Self.someone))
      #expect(output.allMask.array == Self.person(Self.beside))
    }
  }

  @Test func `a camera that is moved ends it`() throws {
    let studio = try Self.studio()
    for seed in 0..<4 { _ = try studio.process(Self.room(seed, nearerBy: 800)) }
    let known = try #require(
      try studio.process(Self.room(4, personAt: Self.beside, nearerBy: 800), faces: Self.someone))
    #expect(known.allMask.array == Self.person(Self.beside))
    let moved = try #require(try studio.process(Self.room(5, personAt: Self.beside), faces: Self.someone))
    #expect(moved.allMask.array == Self.personAndDesk(Self.beside))
    let back = try #require(
      try studio.process(Self.room(6, personAt: Self.beside, nearerBy: 800), faces: Self.someone))
    #expect(back.allMask.array == Self.personAndDesk(Self.beside))
  }

  @Test func `a scene that changes while it is learned is none`() throws {
    let studio = try Self.studio(["mask.plate-frames=8"])
    for seed in 0..<8 { _ = try studio.process(Self.room(seed, personAt: 2 * seed)) }
    let output = try #require(try studio.process(Self.room(9, personAt: Self.beside), faces: Self.someone))
    #expect(output.allMask.array == Self.personAndDesk(Self.beside))
  }

  @Test func `a change of parameters keeps the scene, and one that begins in the middle learns none`() throws {
    let studio = try Self.studio()
    for seed in 0..<4 { _ = try studio.process(Self.room(seed)) }
    try studio.set("mask.offset=0.5")
    func mask(_ studio: Studio, _ seed: Int) throws -> [UInt8] {
      try #require(try studio.process(Self.room(seed, personAt: Self.beside), faces: Self.someone)).allMask.array
    }
    #expect(try mask(studio, 4) == Self.person(Self.beside))
    try studio.set("mask.empty-start=false")
    #expect(try mask(studio, 5) == Self.personAndDesk(Self.beside))
    try studio.set("mask.empty-start=true")
    #expect(try mask(studio, 6) == Self.person(Self.beside))

    for other in ["mask.empty-start=false", "mask.kind=cutoff"] {
      let late = try Self.studio([other])
      for seed in 0..<2 { _ = try late.process(Self.room(seed)) }
      for change in ["mask.empty-start=true", "mask.kind=face"] { try late.set(change) }
      for seed in 2..<9 { _ = try late.process(Self.room(seed)) }
      #expect(try mask(late, 9) == Self.personAndDesk(Self.beside), "\(other)")
    }
  }
}
