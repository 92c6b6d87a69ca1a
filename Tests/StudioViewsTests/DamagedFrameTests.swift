import MattePipeline
import RecordingStore
import RecordingTestSupport
import Replay
import StudioViews
import Testing

/// A view of a recording with frames that cannot be read.
@Suite struct DamagedFrameTests {
  private static let frames = 0..<40
  private static let (color, depth) = (12, 20)
  private let made: SimulatedRecording

  init() throws {
    made = try SimulatedRecording("size=48x36&frames=\(Self.frames.count)")
    for (stream, number) in [(0, Self.color), (1, Self.depth)] {
      try made.damage(try #require(try made.recording.frameRow(stream: stream, number: number)))
    }
  }

  private func request(_ frame: Int, _ setting: ViewSetting, from first: Int = 0) -> ViewRequest {
    ViewRequest(frame: frame, span: ViewSpan(frames: first..<Self.frames.upperBound), setting: setting)
  }

  private func view() -> StudioView { StudioView(made.recording, firstNumber: 0, cache: PictureCache()) }

  private static let presets = ["desk", "avcam-filter", "handheld", "video-depth-maps"]
  /// In any order, and near one another.
  private static let visits = [5, 12, 13, 12, 11, 30, 20, 21, 22, 20, 19, 39, 12, 0]

  @Test(arguments: presets)
  func `playing and seeking go on past them`(preset: String) throws {
    let setting = try ViewSetting(preset: preset, values: ["mask.plate-frames": "2"])
    let lookingAhead = try ViewSetting(preset: preset, values: ["mask.plate-frames": "2", "depth.look-ahead": "2"])
    for setting in [setting, lookingAhead] {
      let (played, sought) = (view(), view())
      let order = Self.frames.map { (played, $0) } + Self.visits.map { (sought, $0) }
      for (view, frame) in order {
        let picture = try #require(try view.answer(request(frame, setting)).picture)
        let isDamaged = [Self.color, Self.depth].contains(frame)
        #expect(picture.frame == frame && picture.missing?.isDamage ?? false == isDamaged, "\(frame)")
        if isDamaged {
          #expect(picture.missing?.reason.contains("Frame \(frame) of stream") == true)
          #expect(picture.missing?.hint.contains("retake recover") == true)
        } else if frame > 5 {
          #expect(picture.missing == nil && picture.planes.contains { $0.tap == .composite }, "\(frame)")
        }
      }
    }
  }

  @Test(arguments: presets)
  func `no picture after them is called exact that depends on them`(preset: String) throws {
    let setting = try ViewSetting(preset: preset)
    let remembers = !PipelineMemory(setting.parameters).stages.isEmpty
    let view = view()
    #expect(try view.exactAnswer(request(11, setting)).picture?.exact == .all)
    #expect(try view.exactAnswer(request(12, setting)).picture?.missing?.isDamage == true)
    for _ in 0..<2 {
      let after = try view.exactAnswer(request(30, setting))
      #expect(after.picture == nil && after.unreadFrame == 12)
    }
    #expect(try view.answer(request(30, setting)).picture?.exact == .all || remembers)
    // A replay that begins after them has it.
    let later = try view.exactAnswer(request(30, setting, from: 21))
    #expect(later.picture?.exact == .all && later.picture?.missing == nil)
  }

  @Test func `depth that could not be read makes what holds it inexact`() throws {
    let setting = try ViewSetting(preset: "video-depth-maps", values: ["depth.rate": "1/4"])
    let view = view()
    let exact = try (16..<26).map { frame in
      try #require(try view.answer(request(frame, setting, from: 16)).picture).isExact([.composite])
    }
    // Depth comes with every fourth frame, and the one of frame 20 is damaged.
    #expect(exact == [true, true, true, true, true, false, false, false, true, true])
  }
}
