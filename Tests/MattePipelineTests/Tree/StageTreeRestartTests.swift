import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import Synchronization
import TestSupport
import Testing

/// What a search keeps from one run of frames to the next changes no pixel.
@Suite struct StageTreeRestartTests {
  private static func tree(
    _ settings: [ParameterSet], _ scene: SeededScene, threadCount: Int = 1, blurs: BlurMemory? = nil
  ) throws -> StageTree {
    try StageTree(
      scene.format(), settings: settings, sources: StageTreeTests.sources(), wanted: .all,
      threads: BandRunner(threadCount: threadCount), measuresTimes: false, blurs: blurs)
  }

  /// By setting, then by frame.
  private static func play(_ tree: StageTree, _ frames: some Sequence<FrameSet>) throws -> [[Int: StageDigests]] {
    let digests = Mutex([[Int: StageDigests]](repeating: [:], count: tree.settings.count))
    func note(_ setting: Int, _ output: PipelineOutput) {
      let found = StageDigests(output)
      digests.withLock { $0[setting][output.index] = found }
    }
    for frames in frames { try tree.process(frames, note) }
    while try tree.drain(note) {}
    return digests.withLock { $0 }
  }

  private static func settings(_ depthFormat: PixelFormat, lookAhead: Int) throws -> [ParameterSet] {
    var settings = try StageTreeTests.settings(depthFormat, lookAhead: lookAhead)
    let base = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    for change in [
      "depth.temporal=smooth", "depth.temporal=interpolate", "depth.persistence=3", "matte.temporal=average",
      "matte.temporal=uncertainty", "matte.still=0.6", "matte.guided-radius=4", "matte.refine=color",
      "mask.without-face=nearest", "mask.movement=true", "mask.empty-start=true", "mask.kind=cutoff", "mask.every=2",
    ] {
      var setting = base
      try setting.set(change)
      try setting.set("depth.look-ahead=\(lookAhead)")
      settings.append(setting)
    }
    return settings
  }

  @Test(arguments: [PixelFormat.depthMillimeters16, .disparityFloat32], [0, 3])
  func `a tree that is restarted makes the pixels of a new one`(depthFormat: PixelFormat, lookAhead: Int) throws {
    let settings = try Self.settings(depthFormat, lookAhead: lookAhead)
    let scene = SeededScene(shape: SceneShape.all[0], depthFormat: depthFormat)
    let new = try Self.play(try Self.tree(settings, scene), scene.frames(9))
    #expect(new.count { !$0.isEmpty } > settings.count * 3 / 4)
    for threadCount in [1, 3] {
      let tree = try Self.tree(settings, scene, threadCount: threadCount)
      let frames = try scene.frames(9)
      // Ends in the middle, with frames that look-ahead holds.
      for frames in frames[4...] { try tree.process(frames) { _, _ in } }
      for _ in 0..<2 {
        try tree.restart()
        let again = try Self.play(tree, scene.frames(9))
        for (i, (a, b)) in zip(new, again).enumerated() {
          #expect((a == b) == true, "setting \(i) on \(threadCount) threads")
        }
      }
    }
  }

  @Test func `blurred masks of earlier trees change no pixel, and are found`() throws {
    let base = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    let settings = try ["matte.gamma=1", "matte.gamma=2", "matte.blur=1", "matte.grow=2", "matte.feather=in"].map {
      var setting = base
      try setting.set($0)
      return setting
    }
    let scene = SeededScene(shape: SceneShape.all[0], depthFormat: .depthMillimeters16)
    let alone = try settings.map { try Self.play(try Self.tree([$0], scene), scene.frames(9))[0] }
    #expect(alone.allSatisfy { !$0.isEmpty })
    var found: [Int] = []
    for byteLimit in [0, 1 << 26] {
      let blurs = BlurMemory(byteLimit: byteLimit)
      for threadCount in [1, 3] {
        for setting in settings.indices {
          let one = try Self.play(
            try Self.tree([settings[setting]], scene, threadCount: threadCount, blurs: blurs), scene.frames(9))
          #expect((one[0] == alone[setting]) == true, "setting \(setting), \(byteLimit) bytes")
        }
        let all = try Self.play(
          try Self.tree(settings, scene, threadCount: threadCount, blurs: blurs), scene.frames(9))
        #expect((all == alone) == true, "\(byteLimit) bytes on \(threadCount) threads")
      }
      found.append(blurs.foundCount)
    }
    #expect(found[0] == 0 && found[1] > 0, "\(found)")
  }

  @Test func `blurred masks are let go where memory is full, and all of them if none comes again`() throws {
    var setting = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    let scene = SeededScene(shape: SceneShape.all[0], depthFormat: .depthMillimeters16)
    let blurs = BlurMemory(byteLimit: 2 << 20)
    var counts: [Int] = []
    for step in 0..<80 {
      try setting.set("matte.blur=\(4 + Double(step) / 100)")
      let kept = try Self.play(try Self.tree([setting], scene, blurs: blurs), scene.frames(9))
      let alone = try Self.play(try Self.tree([setting], scene), scene.frames(9))
      #expect((kept == alone) == true, "step \(step)")
      counts.append(blurs.keptCount)
    }
    let (most, before) = (counts.max() ?? 0, counts.firstIndex(of: 0) ?? 0)
    #expect(zip(counts[..<before], counts.dropFirst()).contains { $1 > 0 && $1 < $0 }, "\(counts)")
    #expect(most > 20 && counts.last == 0, "\(counts)")
  }
}
