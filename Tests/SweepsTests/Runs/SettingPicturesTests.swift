import MattePipeline
import Media
import RecordingTestSupport
import Replay
import Sweeps
import TestSupport
import Testing

/// Pictures of a setting.
@Suite struct SettingPicturesTests {
  @Test(arguments: [0, 3])
  func `composite and matte of the frames that were asked for, no wider than a report shows them`(lookAhead: Int) throws
  {
    let made = try SimulatedRecording("frames=12&size=640x480&depth-size=64x48&seed=3")
    let source = SweepSource(made.recording, path: "a.retake", order: .everything, truth: nil)
    var setting = try Preset.named("truedepth-backdrop").parameters(ReplaySession.declarations)
    try setting.set("depth.look-ahead=\(lookAhead)")
    let pictures = try SettingPictures.make(
      source, preset: "truedepth-backdrop", setting, frames: [9, 2, 11, 40], threadCount: 2)
    #expect(pictures.map(\.frame) == [2, 9, 11])
    for picture in pictures {
      for bytes in [picture.composite, picture.matte] {
        try bytes.withUnsafeBytes {
          let png = try PNGDecoder($0, name: "picture")
          #expect(png.width == 480 && png.height == 360)
          #expect(png.samples == (bytes == picture.matte ? .grey8 : .rgb8))
        }
      }
    }
    #expect(areSame(pictures[0].matte, pictures[1].matte) == false)
  }

  @Test
  func `where every other frame is played, look-ahead is given as many deliveries as it waits for`() throws {
    let made = try SimulatedRecording("frames=16&size=64x48&depth-size=32x24&seed=3")
    var order = PlayOrder.everything
    order.every = 2
    let source = SweepSource(made.recording, path: "a.retake", order: order, truth: nil)
    var setting = try Preset.named("truedepth-backdrop").parameters(ReplaySession.declarations)
    // Depth of frame 4 comes after frame 7, and so with frame 8.
    for assignment in ["depth.look-ahead=3", "depth.latency=3"] { try setting.set(assignment) }
    func pictures(_ frames: Set<Int>) throws -> [SettingPictures] {
      try SettingPictures.make(source, preset: "truedepth-backdrop", setting, frames: frames, threadCount: 1)
    }
    let alone = try pictures([4])
    #expect(alone.map(\.frame) == [4])
    #expect(try pictures([4, 14]).first == alone.first)
  }
}
