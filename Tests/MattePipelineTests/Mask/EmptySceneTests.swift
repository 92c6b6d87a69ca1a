import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import TestSupport
import Testing

/// The file of an empty scene: what it holds, and what is refused.
@Suite struct EmptySceneTests {
  private static let (width, height) = (22, 14)

  private static func room(_ seed: Int, person: Bool = false) -> DepthMap {
    var generator = SeededGenerator(seed: UInt64(seed))
    return DepthMap(width, height) { x, y in
      if x < 2 { return 0 }
      return (person && (6..<12).contains(x) && y > 4 ? 1500 : 2800) + UInt16(generator.next(below: 30))
    }
  }

  private static func pipeline(_ scene: EmptyScene?, _ assignments: [String] = []) throws -> MattePipeline {
    var parameters = try Preset.named("static-camera").parameters(PipelineParameters.all)
    for assignment in ["mask.plate-frames=5"] + assignments { try parameters.set(assignment) }
    return try MattePipeline(
      try PipelineFormat(
        color: FrameLayout(.rgb24, width: width, height: height),
        depth: FrameLayout(.depthMillimeters16, width: width, height: height)),
      parameters: parameters, sources: PipelineSources(scene: scene), threadCount: 1)
  }

  private static func process(_ pipeline: MattePipeline, _ seed: Int, person: Bool = false) throws -> PipelineOutput? {
    let color = try colorFrame(noiseImage(width, height, seed: UInt64(1 + seed % 3)), number: seed)
    let depth = try depthFrame(room(seed, person: person), number: seed)
    return try pipeline.process(FrameSet(index: seed, color: color, depth: depth, faces: [])).output
  }

  private static func learned() throws -> EmptyScene {
    let pipeline = try pipeline(nil)
    for seed in 0..<5 { _ = try process(pipeline, seed) }
    return try #require(pipeline.learnedScene).scene
  }

  @Test func `a scene that was read gives the masks and composites of the one that was learned`() throws {
    let learning = try Self.pipeline(nil)
    for seed in 0..<5 { _ = try Self.process(learning, seed) }
    let learned = try #require(learning.learnedScene)
    #expect(learned.frameCount == 5 && learned.changedShare == 0)
    let scene = try EmptyScene(learned.scene.bytes, name: "x")
    #expect(scene.identity == learned.scene.identity && scene.bytes == learned.scene.bytes)
    let reading = try Self.pipeline(scene)
    #expect(reading.learnedScene == nil)
    for seed in 5..<9 {
      let a = try #require(try Self.process(learning, seed, person: true))
      let b = try #require(try Self.process(reading, seed, person: true))
      #expect(a.allMask.array.contains(255) && a.allMask.array == b.allMask.array)
      #expect(a.composite.array == b.composite.array)
    }
  }

  @Test func `there is no scene while it is learned, or without its colours`() throws {
    let pipeline = try Self.pipeline(nil)
    for seed in 0..<4 {
      #expect(try Self.process(pipeline, seed) == nil)
      #expect(pipeline.learnedScene == nil && pipeline.learnedFrameCount == seed + 1)
    }
    let colorless = try Self.pipeline(nil, ["mask.plate-color=false"])
    for seed in 0..<5 { _ = try Self.process(colorless, seed) }
    #expect(colorless.learnedScene == nil && colorless.learnedFrameCount == 5)
  }

  @Test func `a file outlasts changes of parameters, and colours that were not used at first`() throws {
    let scene = try Self.learned()
    let always = try Self.pipeline(scene)
    let later = try Self.pipeline(scene, ["mask.plate-color=false", "mask.kind=cutoff"])
    for seed in 5..<8 {
      _ = try Self.process(always, seed, person: true)
      _ = try Self.process(later, seed, person: true)
    }
    var parameters = try Preset.named("static-camera").parameters(PipelineParameters.all)
    try parameters.set("mask.plate-frames=5")
    for color in ["false", "true"] {
      try parameters.set("mask.plate-color=\(color)")
      try later.change(to: parameters, at: 8)
    }
    let a = try #require(try Self.process(always, 8, person: true))
    let b = try #require(try Self.process(later, 8, person: true))
    #expect(a.allMask.array == b.allMask.array)
  }

  @Test func `a scene of another size than the depth is refused, and both sizes are named`() throws {
    let scene = try Self.learned()
    let error = #expect(throws: RetakeError.self) { _ = try Self.pipeline(scene, ["depth.decimation=2"]) }
    #expect(
      error?.code == .unsupported && error?.message.contains("22x14 pixels, but the prepared depth has 11x7") == true)
  }

  @Test func `a file that is cut or longer is refused`() throws {
    let bytes = try Self.learned().bytes
    for count in [0, 1, 8, 19, 20, 36, bytes.count / 2, bytes.count - 1] {
      expectRefused(Array(bytes.prefix(count)), "\(count) bytes")
    }
    expectRefused(bytes + [0], "a byte more")
  }

  @Test func `any other byte is noticed`() throws {
    let bytes = try Self.learned().bytes
    for place in Array(0..<40) + Array(stride(from: 40, to: bytes.count, by: 97)) + [bytes.count - 1] {
      var other = bytes
      other[place] ^= 0x10
      expectRefused(other, "byte \(place)")
    }
  }

  @Test func `sizes that would need much memory, and colours out of range, are refused with a right checksum too`()
    throws
  {
    let bytes = try Self.learned().bytes
    for (place, value) in [(12, UInt32.max), (16, 0), (12, 1 << 14), (12, 65_536)] as [(Int, UInt32)] {
      expectRefused(
        Self.sealed(bytes) { $0.replaceSubrange(place..<place + 4, with: littleEndianBytes([value])) }, "size \(value)")
    }
    let plane = 2 * Self.width * Self.height
    for (number, value) in [(2, 4081), (4, 0xFFFF), (5, 0), (7, 0x8000)] as [(Int, UInt16)] {
      let place = 20 + number * plane + 6
      expectRefused(
        Self.sealed(bytes) { $0.replaceSubrange(place..<place + 2, with: littleEndianBytes([value])) },
        "plane \(number)")
    }
    // Any depth is one that a camera may have seen.
    let deep = Self.sealed(bytes) { $0.replaceSubrange(20..<20 + plane, with: [UInt8](repeating: 0xFF, count: plane)) }
    _ = try Self.process(try Self.pipeline(try EmptyScene(deep, name: "x")), 0)
  }

  /// Changed, with the checksum that belongs to it.
  private static func sealed(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var content = Array(bytes.dropLast(16))
    change(&content)
    let digest = content.withUnsafeBytes { Checksum.xxh3Digest($0) }
    return content + [digest.high, digest.low].flatMap { half in withUnsafeBytes(of: half.bigEndian) { Array($0) } }
  }

  private func expectRefused(_ bytes: [UInt8], _ what: String) {
    let error = #expect(throws: RetakeError.self, "\(what)") { _ = try EmptyScene(bytes, name: "room.retake-plate") }
    #expect(error?.code == .corrupt || error?.code == .unsupported, "\(what)")
    #expect(
      error?.message.hasPrefix("room.retake-plate ") == true && error?.hint.contains("retake plate") == true, "\(what)")
  }
}
