import Foundation
import FrameModel
import MattePipeline
import RecordingStore
import RecordingTestSupport
import Replay
import StudioViews
import Support
import TestSupport
import Testing

/// What a view says is exact has the digests of a replay, wherever the view came from.
@Suite(.long) struct ExactPictureTests {
  private let folder: TemporaryFolder
  private let recording: Recording

  init() throws {
    folder = try TemporaryFolder()
    recording = try Recording(path: try ComparisonScene.record(folder))
  }

  /// Digests of each frame that has a picture, in the order of `DigestStage`.
  private func replayed(_ setting: ViewSetting, _ span: ViewSpan) throws -> [Int: [String]] {
    final class Lines: RenderSink {
      var digests = FrameDigests()
      var found: [Int: [String]] = [:]
      func take(_ output: PipelineOutput) { found[output.index] = digests.of(output) }
      func finish() {}
    }
    let lines = Lines()
    let request = ReplayRequest(
      preset: setting.preset, parameters: setting.parameters, order: PlayOrder(frames: span.frames))
    _ = try ReplaySession(recording, request, threadCount: 1).run(RenderOutputs([("lines", lines)]))
    return lines.found
  }

  private func check(
    _ picture: ViewPicture, _ digests: [Int: [String]], _ what: Comment
  ) {
    guard let expected = digests[picture.frame] else { return #expect(picture.missing != nil, what) }
    let shown = [DigestStage.depth: Tap.depth, .mask: .mask, .matte: .matte, .composite: .composite]
    for (stage, tap) in shown {
      let digest = picture.planes.first { $0.tap == tap }?.digest ?? DigestStage.none
      #expect(digest == expected[stage.position], what)
    }
  }

  /// A view of a recording of three frames.
  /// - Parameter streamCount: 1 for colour, 2 for colour and depth.
  private func view(streamCount: Int) throws -> StudioView {
    let path = folder.path("short.retake")
    let streams = Array(try TestFrames.colorAndDepth(width: 48, height: 32).streams.prefix(streamCount))
    let recorder = try Recorder(folder: RecordingFolder(path: path), streams: streams, options: RecorderOptions())
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<3 {
      for (number, stream) in streams.enumerated() {
        sink.deliver(TestFrames.captured(stream.layout, stream: number, index: index))
      }
    }
    #expect(recorder.finish().failure == nil)
    return StudioView(try Recording(path: path), firstNumber: 0, cache: PictureCache())
  }

  @Test func `a setting without its network shows colour and depth, and what it lacks`() throws {
    let view = try view(streamCount: 2)
    for (preset, values, taps) in [
      ("virtual-background", [:], [Tap.original]),
      ("desk", ["mask.second": "segmentation"], [.original, .depth]),
    ] as [(String, [String: String], [Tap])] {
      for (frame, isExact) in [(0, false), (2, true), (1, false)] {
        let request = ViewRequest(
          frame: frame, span: ViewSpan(frames: 0..<3), setting: try ViewSetting(preset: preset, values: values))
        let shown = try #require(try view.answer(request, isExact: isExact).picture)
        #expect(shown.planes.map(\.tap) == taps && shown.frame == frame, "\(preset) \(frame)")
        #expect(shown.missing?.reason == "no segmentation network is given")
        #expect(shown.missing?.hint.contains("mask.model") == true)
      }
    }
  }

  @Test func `a recording without depth shows its colour, and what the setting lacks`() throws {
    let view = try view(streamCount: 1)
    func picture(_ frame: Int, _ preset: String, isExact: Bool) throws -> ViewPicture {
      let request = ViewRequest(frame: frame, span: ViewSpan(frames: 0..<3), setting: try ViewSetting(preset: preset))
      return try #require(try view.answer(request, isExact: isExact).picture)
    }
    for (frame, isExact) in [(0, false), (1, false), (2, true), (0, false)] {
      let shown = try picture(frame, "desk", isExact: isExact)
      #expect(shown.planes.map(\.tap) == [.original] && shown.frame == frame)
      #expect(shown.missing?.reason.contains("has no depth stream, which desk needs") == true)
      #expect(shown.missing?.hint.contains("avcam-filter") == true)
    }
    let setting = try ViewSetting(preset: "avcam-filter", values: ["composite.mix": "0"])
    let request = ViewRequest(frame: 1, span: ViewSpan(frames: 0..<3), setting: setting)
    let whole = try #require(try view.answer(request).picture)
    #expect(whole.missing == nil && whole.planes.contains { $0.tap == .composite })
  }

  private static let presets = Preset.all.map(\.name)

  @Test(arguments: presets)
  func `seeks, steps and changes end in a replay's pictures`(preset: String) throws {
    let needsNetwork = PipelineNeeds(try ViewSetting(preset: preset).parameters).needsSegmentation
    let network = needsNetwork ? try SegmentationNetwork.write(SegmentationNetwork.scores(33, 25), to: folder) : ""
    var random = RandomSettings(seed: UInt64(Self.presets.firstIndex(of: preset) ?? 0), network: network)
    var (exactAtOnce, exactLater) = (0, 0)
    for round in 0..<Sample.count(of: 50, usual: 6) {
      let setting = try random.setting(preset, count: round % 4)
      let first = round % 3 == 2 ? random.next(below: 5) : 0
      let span = ViewSpan(frames: first..<ComparisonScene.frameCount)
      let view = StudioView(recording, firstNumber: 0, cache: PictureCache())
      let digests: [Int: [String]]
      do {
        digests = try replayed(setting, span)
      } catch let error as RetakeError {
        // What cannot be replayed cannot be shown.
        let request = ViewRequest(frame: first, span: span, setting: setting)
        #expect(throws: error) { try view.answer(request) }
        continue
      }
      for turn in 0..<10 {
        let frame = first + random.next(below: span.frames.count)
        if turn % 3 == 1 {
          // As a slider that is moved and put back.
          let other = ViewRequest(frame: frame, span: span, setting: try random.setting(preset, count: 2))
          _ = try? view.answer(other)
        }
        let request = ViewRequest(frame: frame, span: span, setting: setting)
        let what: Comment = "round \(round), frame \(frame) of \(span.frames), \(setting.changes)"
        let picture = try #require(try view.answer(request).picture, what)
        #expect(picture.frame == frame)
        if picture.exact == .all {
          exactAtOnce += 1
          check(picture, digests, what)
          continue
        }
        let exact = try #require(try view.exactAnswer(request).picture, what)
        #expect(exact.frame == frame && exact.exact == PipelineStages.all, what)
        exactLater += 1
        check(exact, digests, what)
      }
    }
    // Both ways were taken.
    #expect(exactAtOnce > 0)
    let memory = PipelineMemory(try ViewSetting(preset: preset).parameters)
    #expect(exactLater > 0 || memory.stages.isEmpty)
  }

  @Test
  func `a frame too far from the span's begin is not computed exactly`() throws {
    let view = StudioView(recording, firstNumber: 0, cache: PictureCache())
    let setting = try ViewSetting(preset: "desk")
    let span = ViewSpan(frames: 0..<ComparisonScene.frameCount + StudioView.longestHistory)
    let request = ViewRequest(frame: span.frames.upperBound - 1, span: span, setting: setting)
    let last = try view.answer(request, isExact: true)
    #expect(last.picture == nil && last.history == nil)
  }
}
