import FrameModel
import MattePipeline
import Support
import Testing

@Suite struct PlateMaskTests {
  private static let (width, height) = (24, 18)

  /// A room 3 m deep with a desk at 1.2 m, noise, and a shadow beside the desk.
  private static func room(_ seed: Int, person: Bool = false) -> DepthMap {
    var generator = SeededGenerator(seed: UInt64(seed))
    return DepthMap(width, height) { x, y in
      let noise = UInt16(generator.next(below: 9))
      if person, isPerson(x, y) { return 1800 + noise }
      if y >= 12, x >= 16 { return 1200 + noise }
      if y >= 12, x >= 14 { return 0 }
      return 3000 + 3 * noise
    }
  }

  private static func isPerson(_ x: Int, _ y: Int) -> Bool { (6..<12).contains(x) && y >= 4 && y < 12 }

  private static func studio(_ assignments: [String] = []) throws -> Studio {
    try Studio(Self.room(0), ["mask.kind=plate", "mask.plate-frames=5"] + assignments)
  }

  @Test
  func `there is no mask until as many depth frames without a face were seen; then what is nearer is the person`()
    throws
  {
    let studio = try Self.studio()
    let someone = [face(x: 8, y: 8)]
    for seed in 0..<2 { #expect(try studio.process(Self.room(seed)) == nil) }
    // Frames with somebody in, and video without new depth, teach nothing.
    for seed in 2..<9 {
      #expect(try studio.process(Self.room(seed, person: true), faces: someone) == nil)
      #expect(try studio.process(nil as Frame?) == nil)
    }
    for seed in 10..<12 { #expect(try studio.process(Self.room(seed)) == nil) }
    let empty = try #require(try studio.process(Self.room(12)))
    #expect(empty.allMask.array.allSatisfy { $0 == 0 } && empty.cutoffMillimeters == 0)
    for seed in 20..<30 {
      let output = try #require(try studio.process(Self.room(seed, person: true), faces: someone))
      let expected = (0..<Self.width * Self.height).map { i -> UInt8 in
        Self.isPerson(i % Self.width, i / Self.width) ? 255 : 0
      }
      #expect(output.allMask.array == expected)
      let held = try #require(try studio.process(nil as Frame?))
      #expect(!held.maskIsNew && held.allMask.array == expected)
    }
  }

  /// A chair in the room's right half, and a person who keeps the legs still and moves the rest.
  private static func changed(_ seed: Int, chairAt distance: UInt16? = nil, person: Bool = false) -> DepthMap {
    var map = room(seed)
    for y in 0..<10 {
      if let distance { for x in 17..<22 { map[x, y] = distance + UInt16(seed % 5) } }
      if person { for x in 4..<9 { map[x, y] = y < 5 ? UInt16(1500 + 60 * (seed % 5)) : 1800 } }
    }
    return map
  }

  private static func isChair(_ i: Int) -> Bool { (17..<22).contains(i % width) && i / width < 10 }
  private static func isSitter(_ i: Int) -> Bool { (4..<9).contains(i % width) && i / width < 10 }

  @Test func `what stands still for long becomes part of the empty scene, people who move in part do not`() throws {
    let studio = try Self.studio(["mask.plate-renew=0.5"])
    for seed in 0..<5 { _ = try studio.process(Self.room(seed)) }
    for seed in 5..<40 {
      let mask = try #require(try studio.process(Self.changed(seed, chairAt: 2000, person: true))).allMask.array
      let isSettled = seed >= 22
      #expect(
        mask.indices.allSatisfy { (mask[$0] == 255) == (Self.isSitter($0) || !isSettled && Self.isChair($0)) },
        "frame \(seed)")
    }
    // The chair goes, and the room behind it is the scene again: whoever stands where it was is seen.
    for seed in 40..<60 { _ = try studio.process(Self.room(seed)) }
    let mask = try #require(try studio.process(Self.changed(60, chairAt: 2500))).allMask.array
    #expect(mask.indices.allSatisfy { (mask[$0] == 255) == Self.isChair($0) })
  }

  @Test func `with a face in it, or without a period, nothing becomes part of the empty scene`() throws {
    for (period, faces) in [("0.5", [face(x: 19, y: 5)]), ("0", [])] {
      let studio = try Self.studio(["mask.plate-renew=\(period)"])
      for seed in 0..<5 { _ = try studio.process(Self.room(seed)) }
      for seed in 5..<60 {
        let output = try #require(try studio.process(Self.changed(seed, chairAt: 2000), faces: faces))
        let mask = output.allMask.array
        #expect(mask.indices.allSatisfy { (mask[$0] == 255) == Self.isChair($0) }, "frame \(seed)")
      }
    }
  }

  @Test func `the period is one of the recording's time, however many depth frames it has`() throws {
    for every in [1, 3] {
      let studio = try Self.studio(["mask.plate-renew=1.5"])
      for seed in 0..<5 { _ = try studio.process(Self.room(seed)) }
      var last = 0
      for seed in 5..<80 {
        let output =
          try seed % every == 0 ? studio.process(Self.changed(seed, chairAt: 2000)) : studio.process(nil as Frame?)
        if let output, output.allMask.array.contains(255) { last = seed }
      }
      // 45 frames of 33 ms, and the looks' rounding.
      #expect((49...56).contains(last), "every \(every): \(last)")
    }
  }

  @Test
  func `margin and noise must be passed`() throws {
    for (margin, isSeen) in [("0.05", true), ("0.5", false)] {
      let studio = try Self.studio(["mask.plate-margin=\(margin)"])
      for _ in 0..<5 { _ = try studio.process(DepthMap(Self.width, Self.height) { _, _ in 2000 }) }
      let output = try #require(try studio.process(DepthMap(Self.width, Self.height) { _, _ in 1800 }))
      #expect(output.allMask.array.allSatisfy { $0 == (isSeen ? 255 : 0) })
    }
  }

  @Test
  func `a hole of the empty scene that has depth now: as far as what is beside it, or person, or never`() throws {
    let empty = DepthMap(Self.width, Self.height) { x, _ in (8..<16).contains(x) ? 0 : x < 8 ? 3000 : 1200 }
    let now = DepthMap(Self.width, Self.height) { x, _ in x < 8 ? 3000 : x < 12 ? 2900 : x < 16 ? 2500 : 1200 }
    for (rule, person) in [("fill", 12..<16), ("person", 8..<16), ("background", 0..<0)] {
      let studio = try Self.studio(["mask.plate-holes=\(rule)", "mask.plate-margin=0.1"])
      for _ in 0..<5 { _ = try studio.process(empty) }
      let mask = try #require(try studio.process(now)).allMask
      #expect((0..<Self.width).allSatisfy { mask.row(3)[$0] == (person.contains($0) ? 255 : 0) }, "\(rule)")
    }
  }

  @Test
  func `what shines, and so jumps about while the scene is empty, does not come along later`() throws {
    func room(_ i: Int) -> DepthMap {
      DepthMap(Self.width, Self.height) { x, _ in x == 5 ? [1500, 0, 2800, 1500][i % 4] : 3000 }
    }
    let studio = try Self.studio(["mask.plate-frames=16"])
    for i in 0..<16 { _ = try studio.process(room(i)) }
    for i in 0..<8 {
      #expect(try #require(try studio.process(room(i))).allMask.array.allSatisfy { $0 == 0 })
    }
  }
}
