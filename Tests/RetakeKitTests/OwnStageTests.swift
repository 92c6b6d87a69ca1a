import Foundation
import RetakeKit
import TestSupport
import Testing

/// A mask with the name, revision and behaviour that a test wants.
private struct TestMask: MaskStage {
  var name = "test"
  var revision = 1
  var parameters: [StageParameter] = []
  var needsDepth = false
  var size: (width: Int, height: Int)?
  var body: @Sendable (StageInput, UnsafeMutableBufferPointer<UInt8>) throws -> MaskResult = { _, mask in
    mask.update(repeating: 255)
    return .new
  }

  private final class TestMasker: Masker {
    let (width, height): (Int, Int)
    let body: (StageInput, UnsafeMutableBufferPointer<UInt8>) throws -> MaskResult
    init(
      _ size: (width: Int, height: Int),
      _ body: @escaping (StageInput, UnsafeMutableBufferPointer<UInt8>) throws -> MaskResult
    ) { (width, height, self.body) = (size.width, size.height, body) }
    func mask(_ input: StageInput, into mask: UnsafeMutableBufferPointer<UInt8>) throws -> MaskResult {
      try body(input, mask)
    }
  }

  func makeMasker(_ setup: MaskSetup) -> any Masker {
    TestMasker(size ?? (setup.depthWidth ?? setup.videoWidth, setup.depthHeight ?? setup.videoHeight), body)
  }
}

private struct Broken: Error, CustomStringConvertible { let description = "the lamp is off" }

struct OwnStageTests {
  private static let folder = try! TemporaryFolder()
  private static let disc: Recording = try! recordDisc(to: folder.path("disc.retake"), frameCount: 8)

  private func parameters(_ stages: [any MaskStage], _ kind: String = "test") throws -> Parameters {
    try Parameters(preset: "truedepth-backdrop", stages: stages).setting("mask.kind", to: kind)
  }

  @Test(arguments: [
    (TestMask(name: "face"), "two choices 'face'"), (TestMask(name: "none"), "two choices 'none'"),
    (TestMask(name: "Bright"), "'Bright' is not valid"), (TestMask(name: ""), "'' is not valid"),
    (TestMask(name: "a.b"), "'a.b' is not valid"), (TestMask(revision: -1), "revision -1"),
    (TestMask(parameters: [.flag("revision", default: true, help: "")]), "declares 'revision' twice"),
    (TestMask(parameters: [.flag("x y", default: true, help: "")]), "'x y' is not valid"),
  ])
  fileprivate func `a stage that cannot be declared is refused with a sentence`(stage: TestMask, words: String) {
    let error = #expect(throws: RetakeError.self) { try Parameters(stages: [stage]) }
    #expect(error?.code == .usage && error?.message.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `two stages of one name are refused`() {
    #expect(throws: RetakeError.self) { try Parameters(stages: [TestMask(), TestMask(revision: 2)]) }
  }

  @Test func `a stage's parameters are declared beside the built-in ones`() throws {
    let stage = TestMask(parameters: [.number("gain", unit: "m", in: 0...2, default: 0.5, help: "gain")])
    var parameters = try Parameters(stages: [stage])
    let own = try #require(parameters.declarations.first { $0.name == "mask.test.gain" })
    #expect(own.unit == "m" && own.range == "0 to 2" && own.defaultValue == "0.5")
    #expect(parameters["mask.test.revision"] == "1" && parameters["mask.kind"] == "face")
    #expect(throws: RetakeError.self) { try parameters.set("mask.test.gain", to: 3) }
    #expect(throws: RetakeError.self) { try parameters.set("mask.test.revision", to: 2) }
    let error = #expect(throws: RetakeError.self) { try Parameters().setting("mask.kind", to: "test") }
    #expect(error?.message.contains("mask.kind") == true)
  }

  @Test func `an error of a stage is told with its name and frame`() throws {
    let stage = TestMask { input, _ in
      if input.frame == 3 { throw Broken() }
      return .missing
    }
    let replay = Replay(Self.disc, try parameters([stage]))
    let error = #expect(throws: RetakeError.self) { try replay.run(taps: [.mask]) { _ in } }
    #expect(error?.message == "Stage 'test' failed on frame 3: the lamp is off", "\(error?.description ?? "")")
  }

  @Test func `a mask of an impossible size is refused`() throws {
    for size in [(0, 4), (4, 20_000)] {
      let replay = Replay(Self.disc, try parameters([TestMask(size: size)]))
      let error = #expect(throws: RetakeError.self) { try replay.run(taps: [.mask]) { _ in } }
      #expect(error?.code == .unsupported && error?.message.contains("test") == true)
    }
  }

  @Test func `depth is given to a stage that needs it, and to no other`() throws {
    for needsDepth in [true, false] {
      let stage = TestMask(needsDepth: needsDepth) { input, mask in
        guard (input.depth != nil) == needsDepth, input.depthIsNew == needsDepth, input.color.format == .rgb24 else {
          throw Broken()
        }
        guard let depth = input.depth else { return .missing }
        for i in mask.indices { mask[i] = depth.value16(x: i % depth.width, y: i / depth.width) < 2000 ? 255 : 0 }
        return .new
      }
      var counts: [Int] = []
      try Replay(Self.disc, try parameters([stage])).run(taps: [.mask]) { frame in
        if let mask = frame[.mask] { counts.append(mask.bytes.count { $0 == 255 }) }
      }
      #expect(counts.count == (needsDepth ? 8 : 0) && counts.allSatisfy { (250...350).contains($0) }, "\(counts)")
    }
  }

  @Test func `digests with a stage are the same for any number of threads`() throws {
    let folder = try TemporaryFolder()
    var found: Set<String> = []
    for threads in [1, 4] {
      var replay = Replay(Self.disc, try parameters([BrightMask()], "bright"))
      replay.threads = threads
      found.insert(try replay.writeDigests(to: folder.path("\(threads).jsonl")))
    }
    let header = try String(contentsOfFile: folder.path("1.jsonl"), encoding: .utf8).prefix { $0 != "\n" }
    #expect(header.contains(#""mask.kind":"bright""#) && header.contains(#""mask.bright.revision":"1""#))
    let other = TestMask(name: "bright")
    found.insert(
      try Replay(Self.disc, try parameters([other], "bright")).writeDigests(to: folder.path("other.jsonl")))
    #expect(found.count == 2, "the mask of everything differs, and the thread counts do not")
  }

  @Test func `a bundle asks for its stage by name and revision`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.retake-bundle")
    let bundle = try BugBundle.make(Replay(Self.disc, try parameters([TestMask(revision: 3)])), to: path)
    let missing = #expect(throws: RetakeError.self) { try bundle.reproduce() }
    #expect(missing?.code == .unsupported && missing?.message.contains("'test', revision 3") == true)
    let older = #expect(throws: RetakeError.self) { try bundle.reproduce(stages: [TestMask(revision: 2)]) }
    #expect(older?.message.contains("revision 3") == true && older?.message.contains("revision 2") == true)
    #expect(try bundle.reproduce(stages: [BrightMask(), TestMask(revision: 3)]).isReproduced)
    let changed = try bundle.reproduce(stages: [
      TestMask(revision: 3) { _, mask in
        mask.update(repeating: 0)
        return .new
      }
    ])
    #expect(changed.firstDifference?.stage == "mask" && changed.differingFrameCount == 8)
  }

  @Test func `a stage that is at hand but not used does not bind a bundle to it`() throws {
    let folder = try TemporaryFolder()
    let replay = Replay(Self.disc, try parameters([TestMask()], "cutoff"))
    let bundle = try BugBundle.make(replay, to: folder.path("a.retake-bundle"))
    #expect(try bundle.stages.isEmpty && bundle.reproduce().isReproduced)
  }
}
