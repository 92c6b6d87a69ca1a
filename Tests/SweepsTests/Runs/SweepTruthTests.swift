import Foundation
import FrameModel
import MattePipeline
import Parameters
import RecordingTestSupport
import Replay
import Scores
import Support
import Sweeps
import TestSupport
import Testing

/// What settings are measured by.
@Suite struct SweepTruthTests {
  private static let options = "size=128x96&depth-size=64x48&seed=9"

  @Test
  func `where the truth is one setting's own mattes, that setting is the best of all, and exact`() throws {
    let made = try SimulatedRecording("frames=14&" + Self.options)
    let settings = try SweepCase.grid(("matte.gamma", ["0.5", "1", "2"]), ("matte.blur", ["1", "3", "6", "9"]))
    let planted = 6
    let folder = try TemporaryFolder()
    let session = try ReplaySession(
      made.recording, ReplayRequest(preset: "truedepth-backdrop", parameters: settings[planted]), wanted: .matte)
    let path = folder.path("truth")
    _ = try session.run(RenderOutputs([("truth", try PNGFolderSink(path: path, tap: .matte))]))
    let frames = try SweepSource(made.recording, path: "", order: .everything, truth: nil).playedNumbers()
    let truth = try TruthFolder(path: path, frames: frames, width: 128, height: 96)
    let sweep = try SweepCase(made.recording, settings: settings, truth: truth)
    let (file, _) = try sweep.run()
    #expect(try file.score(planted, .iou) == 1)
    #expect(try file.score(planted, .mse) == 0)
    for setting in settings.indices where setting != planted {
      #expect(try #require(try file.score(setting, .iou)) < 1)
      #expect(try #require(try file.score(setting, .mse)) > 0)
    }
    let best = try SweepChoice("iou").best(of: try file.summaries(), file.identity)
    #expect(best.setting == planted)
    #expect(file.identity.recordings[0].truth == "folder \(truth.digest)")
  }

  @Test
  func `a matte of the folder that is gone ends the sweep, and no setting`() throws {
    let made = try SimulatedRecording("frames=6&" + Self.options)
    let settings = try SweepCase.grid(("matte.blur", ["1", "3"]))
    let folder = try TemporaryFolder()
    let session = try ReplaySession(
      made.recording, ReplayRequest(preset: "truedepth-backdrop", parameters: settings[0]), wanted: .matte)
    let path = folder.path("truth")
    _ = try session.run(RenderOutputs([("truth", try PNGFolderSink(path: path, tap: .matte))]))
    let truth = try TruthFolder(path: path, frames: Array(0..<6), width: 128, height: 96)
    let sweep = try SweepCase(made.recording, settings: settings, scores: [.iou], truth: truth)
    let file = try sweep.file()
    let runner = SweepRunner(sweep.job, into: file, threadCount: 1, memoryLimit: 1 << 30)
    try FileManager.default.moveItem(atPath: "\(path)/000003.png", toPath: folder.path("3.png"))
    let error = #expect(throws: RetakeError.self) { try runner.run() }
    #expect(error?.code == .inputOutput)
    #expect(try file.finishedRuns().isEmpty)
    try FileManager.default.moveItem(atPath: folder.path("3.png"), toPath: "\(path)/000003.png")
    let outcome = try runner.run()
    #expect(outcome.isWhole && outcome.failedRunCount == 0)
  }

  @Test
  func `truth of some frames scores those, and all of them by what needs none`() throws {
    let made = try SimulatedRecording("frames=14&alpha=0&" + Self.options)
    let settings = try SweepCase.grid(("matte.blur", ["1", "3"]))
    let folder = try TemporaryFolder()
    let session = try ReplaySession(
      made.recording, ReplayRequest(preset: "truedepth-backdrop", parameters: settings[0]), wanted: .matte)
    let path = folder.path("truth")
    _ = try session.run(RenderOutputs([("truth", try PNGFolderSink(path: path, tap: .matte))]))
    let known = [3, 7, 8]
    for number in 0..<14 where !known.contains(number) {
      try FileManager.default.removeItem(atPath: "\(path)/\(number.zeroPadded(6)).png")
    }
    let truth = try TruthFolder(path: path, frames: Array(0..<14), width: 128, height: 96)
    let (file, _) = try SweepCase(made.recording, settings: settings, truth: truth).run()
    let recording = file.identity.recordings[0]
    #expect(recording.truthFrameCount == 3 && recording.boundaryTolerance == 1)
    #expect(file.identity.truthSentences() == ["a.retake: 3 of 14 frames have truth; the boundary tolerance is 1 px."])
    for frame in try file.frames(RunKey(setting: 0, recording: 0)) {
      let isKnown = known.contains(frame.number)
      #expect(frame.scores[.iou] == (isKnown ? 1 : nil), "frame \(frame.number)")
      #expect((frame.scores[.holes] != nil) == isKnown, "frame \(frame.number)")
      #expect((frame.scores[.dtssd] != nil) == (frame.number == 8), "frame \(frame.number)")
      #expect(frame.scores[.area] != nil)
    }
    #expect(try file.score(0, .iou) == 1)
    #expect(try #require(try file.score(1, .iou)) < 1)
    #expect(try file.score(0, .flicker) != nil)
  }

  @Test
  func `faces of frames that are not played count where colour is swapped, and else do not`() throws {
    let made = try SimulatedRecording("frames=6&face-lost=0-3&" + Self.options)
    var order = PlayOrder.everything
    order.every = 3
    func absences(_ swap: String) throws -> [ScoreKind] {
      let settings = try SweepCase.grid(("fault.color-swap", [swap]))
      let identity = try SweepCase(made.recording, settings: settings, order: order).job.identity()
      return identity.recordings[0].absences.map(\.score)
    }
    #expect(try absences("0") == ScoreKind.allCases.filter { $0.need == .faces })
    #expect(try absences("0.5").isEmpty)
  }

  @Test
  func `without truth and faces, what needs them is absent and says why; the rest is scored`() throws {
    let made = try SimulatedRecording("frames=6&alpha=0&face-lost=0-99&" + Self.options)
    let settings = try SweepCase.grid(("mask.kind", ["cutoff"]), ("matte.blur", ["1", "3"]))
    let sweep = try SweepCase(made.recording, settings: settings)
    let (file, outcome) = try sweep.run()
    #expect(outcome.failedRunCount == 0)
    let recording = file.identity.recordings[0]
    #expect(recording.truth == "none")
    for kind in ScoreKind.allCases {
      let reason = recording.absences.first { $0.score == kind }?.reason
      switch kind.need {
      case .truth: #expect(reason == "a.retake has no exact alpha, and no folder of mattes was given")
      case .faces: #expect(reason == "no faces were recorded in a.retake")
      case .nothing, .depth: #expect(reason == nil)
      }
      if ![.nothing, .depth].contains(kind.need) { #expect(try file.score(0, kind) == nil) }
    }
    #expect(try file.score(0, .area) != nil)
    #expect(try file.score(0, .flicker) != nil)
  }

  @Test
  func `depth that comes four frames late makes a matte that comes four frames late; what comes at once has no lag`()
    throws
  {
    let made = try SimulatedRecording("frames=40&" + Self.options)
    let settings = try SweepCase.grid(("depth.latency", ["0", "4"]), ("matte.blur", ["1", "3"]))
    let sweep = try SweepCase(made.recording, settings: settings, scores: [.lag, .iou])
    let (file, _) = try sweep.run()
    #expect(try (0..<4).map { try file.score($0, .lag) } == [0, 0, 4, 4])
    // The same where the settings that do not lag are not tried themselves.
    let late = try SweepCase(made.recording, settings: Array(settings[2...]), scores: [.lag, .iou])
    let (other, _) = try late.run()
    #expect(try (0..<2).map { try other.score($0, .lag) } == [4, 4])
    #expect(try other.frames(RunKey(setting: 0, recording: 0)) == file.frames(RunKey(setting: 2, recording: 0)))
  }
}
