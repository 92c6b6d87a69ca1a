import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import Synchronization
import TestSupport
import Testing

/// Settings that share stages give what each gives alone.
@Suite struct StageTreeTests {
  /// Presets and others of one kind of depth, each as it is and with a value changed in each stage.
  static func settings(_ depthFormat: PixelFormat, lookAhead: Int = 0) throws -> [ParameterSet] {
    let cases = (PipelineCase.presets + PipelineCase.others).filter { $0.depthFormat == depthFormat }
    var settings: [ParameterSet] = []
    for one in cases {
      for change in [
        "", "composite.color=#102030", "matte.blur=2.5", "matte.gamma=1.5", "mask.offset=0.4", "depth.holes=farthest",
      ] {
        var setting = try one.parameters()
        if !change.isEmpty { try setting.set(change) }
        try setting.set("depth.look-ahead=\(lookAhead)")
        settings.append(setting)
      }
    }
    return settings
  }

  static func sources() -> PipelineSources {
    PipelineSources(background: StillBackground(noiseImage(50, 40, seed: 2)), segmenter: ReddishSegmenter())
  }

  /// By setting, then by frame.
  private static func shared(
    _ settings: [ParameterSet], _ scene: SeededScene, wanted: PipelineStages, threadCount: Int
  ) throws -> [[Int: StageDigests]] {
    let tree = try StageTree(
      scene.format(), settings: settings, sources: sources(), wanted: wanted,
      threads: BandRunner(threadCount: threadCount))
    let digests = Mutex([[Int: StageDigests]](repeating: [:], count: settings.count))
    func note(_ setting: Int, _ output: PipelineOutput) {
      let found = StageDigests(output)
      digests.withLock { $0[setting][output.index] = found }
    }
    for frames in try scene.frames(9) { try tree.process(frames, note) }
    while try tree.drain(note) {}
    for setting in settings.indices { #expect(tree.failure(ofSetting: setting) == nil) }
    return digests.withLock { $0 }
  }

  @Test(
    arguments: [PixelFormat.depthMillimeters16, .disparityFloat32], [0, 3])
  func `every setting has the pixels that it has alone`(depthFormat: PixelFormat, lookAhead: Int) throws {
    let settings = try Self.settings(depthFormat, lookAhead: lookAhead)
    for shape in SceneShape.all.prefix(2) {
      let scene = SeededScene(shape: shape, depthFormat: depthFormat)
      let alone = try settings.map { setting in
        try MattePipeline(scene.format(), parameters: setting, sources: Self.sources(), threadCount: 1)
          .digests(scene.frames(9))
      }
      // Some skip every frame, where a plate is not learned in time; most do not.
      #expect(alone.count { !$0.isEmpty } > settings.count * 3 / 4)
      for threadCount in [1, 3] {
        let shared = try Self.shared(settings, scene, wanted: .all, threadCount: threadCount)
        for (i, (a, b)) in zip(alone, shared).enumerated() {
          #expect((a == b) == true, "setting \(i) of \(shape) on \(threadCount) threads")
        }
      }
    }
  }

  @Test func `mattes are the same where no composite is wanted`() throws {
    let settings = try Self.settings(.depthMillimeters16)
    let scene = SeededScene(shape: SceneShape.all[0], depthFormat: .depthMillimeters16)
    let all = try Self.shared(settings, scene, wanted: .all, threadCount: 2)
    let mattes = try Self.shared(settings, scene, wanted: .matte, threadCount: 2)
    for (a, b) in zip(all, mattes) {
      for (frame, digests) in a where digests.matte != nil { #expect(b[frame]?.matte == digests.matte) }
    }
  }

  @Test func `stages are as many as differ`() throws {
    let base = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    func setting(_ assignments: String...) throws -> ParameterSet {
      var setting = base
      for assignment in assignments { try setting.set(assignment) }
      return setting
    }
    let settings = try [
      base, base, setting("composite.color=#ff0000"), setting("matte.blur=1"),
      setting("matte.blur=1", "composite.color=#ff0000"), setting("mask.offset=0.5"), setting("depth.holes=farthest"),
      setting("matte.gamma=2"), setting("matte.blur=1", "matte.feather=in"), setting("matte.grow=2"),
    ]
    let scene = SeededScene(shape: SceneShape.all[0], depthFormat: .depthMillimeters16)
    func counts(_ wanted: PipelineStages) throws -> [Int] {
      let counts = try StageTree(
        scene.format(), settings: settings, sources: PipelineSources(), wanted: wanted,
        threads: BandRunner(threadCount: 1)
      ).stageCounts
      return [counts.depth, counts.mask, counts.blur, counts.matte, counts.composite]
    }
    #expect(try counts(.all) == [2, 3, 5, 7, 9])
    // Where no composite is wanted, settings that differ in it alone are one.
    #expect(try counts(.matte) == [2, 3, 5, 7, 7])
  }

  @Test func `a network is asked once for each frame`() throws {
    let network = ReddishSegmenter()
    let base = try Preset.named("matte-effects").parameters(PipelineParameters.all)
    let settings = try (1...6).map { threshold in
      var setting = base
      try setting.set("mask.soft=false")
      try setting.set("mask.threshold=0.\(threshold)")
      return setting
    }
    let scene = SeededScene(shape: SceneShape.all[0], depthFormat: .depthMillimeters16)
    let tree = try StageTree(
      scene.format(), settings: settings, sources: PipelineSources(segmenter: network), wanted: .matte,
      threads: BandRunner(threadCount: 3))
    for frames in try scene.frames(7) { try tree.process(frames) { _, _ in } }
    #expect(tree.stageCounts.mask == 6)
    #expect(network.askedCount == 7)
  }

  /// Answers for a while.
  private final class FailingBackground: BackgroundSource {
    let size = (width: 8, height: 8)
    private let picture = StillBackground(noiseImage(8, 8, seed: 3))
    func picture(at moment: PresentationTime) throws(RetakeError) -> BackgroundPicture? {
      guard moment.nanoseconds < 100_000_000 else { throw RetakeError(.corrupt, "no more pictures") }
      return picture.picture(at: moment)
    }
  }

  @Test func `a setting that fails comes to its end, and the others go on`() throws {
    let base = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    var colored = base
    try colored.set("composite.kind=face-color")
    let scene = SeededScene(shape: SceneShape.all[0], depthFormat: .depthMillimeters16)
    let tree = try StageTree(
      scene.format(), settings: [base, colored], sources: PipelineSources(background: FailingBackground()),
      wanted: .all, threads: BandRunner(threadCount: 2))
    let counts = Mutex([0, 0])
    for frames in try scene.frames(9) {
      try tree.process(frames) { setting, _ in counts.withLock { $0[setting] += 1 } }
    }
    #expect(tree.failure(ofSetting: 0)?.message == "no more pictures")
    #expect(tree.failure(ofSetting: 1) == nil)
    let (failed, whole) = counts.withLock { ($0[0], $0[1]) }
    #expect(failed > 0 && failed < whole)
  }
}
