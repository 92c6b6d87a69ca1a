import FrameModel
import RecordingTestSupport
import Support
import Sweeps
import TestSupport
import Testing

/// Parts of a sweep.
@Suite struct SweepShardTests {
  private static func identity(settings: Int, recordings: [Int]) -> SweepIdentity {
    SweepIdentity(
      version: "1", pipelineRevision: 1, commit: "", preset: "desk", tried: ["matte.blur"], words: "", scores: [.area],
      settings: (0..<settings).map { SweepIdentity.Setting(number: $0, digest: "\($0)", parameters: []) },
      defaultSetting: nil,
      recordings: recordings.enumerated().map { number, frames in
        SweepIdentity.Recording(
          number: number, id: "\(number)", path: "\(number).retake", frames: 0..<frames, every: 1, width: 8, height: 8,
          truth: "none", absences: [])
      })
  }

  @Test
  func `all parts together are every run once, and of nearly one size`() throws {
    let settings = try SweepCase.grid(
      ("depth.spatial-passes", ["0", "1", "2", "3", "4"]),
      ("matte.blur", (1...20).map(String.init)))
    for count in [1, 2, 3, 7, 16, 100, 1000] {
      for recordings in [[30], [30, 30, 30, 30], [1, 50, 9]] {
        let identity = Self.identity(settings: settings.count, recordings: recordings)
        let parts = try SweepParts(settings, identity, count: count)
        let runs = (1...count).map { parts.runs(ofPart: $0) }
        #expect(runs.joined().sorted() == identity.runKeys.sorted())
        #expect(Set(runs.joined()).count == 100 * recordings.count)
        let sizes = runs.map { $0.reduce(0) { $0 + recordings[$1.recording] } }
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 2 * (recordings.max() ?? 0))
      }
    }
  }

  @Test
  func `sixteen parts of four equal recordings have one recording each, and settings with the same depth together`()
    throws
  {
    // The numbers of settings change depth fastest, so that parts by number would share nothing.
    let settings = try SweepCase.grid(
      ("matte.blur", (1...25).map(String.init)), ("depth.spatial-passes", ["0", "1", "2", "3"]))
    let parts = try SweepParts(settings, Self.identity(settings: 100, recordings: [30, 30, 30, 30]), count: 16)
    for number in 1...16 {
      let runs = parts.runs(ofPart: number)
      #expect(Set(runs.map(\.recording)) == [(number - 1) / 4])
      #expect(Set(runs.map { settings[$0.setting].value(named: "depth.spatial-passes")?.description }).count == 1)
    }
  }

  @Test
  func `settings with the same matte stay in one part`() throws {
    let settings = try SweepCase.grid(
      ("composite.mix", ["0.1", "0.2", "0.3"]), ("matte.blur", (1...7).map(String.init)))
    let parts = try SweepParts(settings, Self.identity(settings: settings.count, recordings: [10, 20]), count: 5)
    for number in 1...5 {
      for settings in parts.settings(ofPart: number) {
        // A matte's three settings are seven apart.
        #expect(settings.allSatisfy { settings.contains(($0 + 7) % 21) })
      }
    }
  }

  @Test(arguments: ["", "3", "0/4", "5/4", "-1/4", "1/0", "1/2/3", "a/b", "1/", "1/1000000", "1.5/3"])
  func `what is not a part of so many is refused`(text: String) {
    let error = #expect(throws: RetakeError.self) { try SweepShard(text) }
    #expect(error?.code == .usage)
  }
}
