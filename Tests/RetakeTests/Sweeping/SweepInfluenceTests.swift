import CommandTestSupport
import TestSupport
import Testing

/// A sweep over parameters that have no effect beside the others says so.
@Suite(.long) struct SweepInfluenceTests {
  private let swept: SweptFolder
  init() throws { swept = try SweptFolder("frames=6&size=64x48") }

  private func said(_ preset: String, _ more: [String]) throws -> String {
    let results = swept.path("\(preset)\(more.count).sqlite")
    return try CommandLineTool.run(
      ["sweep", swept.recording, "--preset", preset, "--scores", "iou,mse", "-o", results] + more
    ).errors
  }

  @Test func `parameters that change no score are named, others are not`() throws {
    // Without blur there is nothing that gamma could change.
    let words = ["--set", "matte.blur=0", "--list", "matte.gamma=0.5,1", "--list", "mask.offset=-0.05,0.3"]
    let idle = try said("truedepth-backdrop", words)
    #expect(idle.contains("No score depends on matte.gamma here: "), "\(idle)")
    let used = try said("video-depth-maps", ["--list", "matte.gamma=0.5,1", "--set", "matte.blur=4"])
    #expect(!used.contains("No score depends"), "\(used)")
    let later = try said("truedepth-backdrop", ["--list", "composite.foreground=video,estimate"])
    #expect(later.contains("No score depends on composite.foreground: sweeps score mattes"), "\(later)")
    #expect(!later.contains("retake parameters"), "\(later)")
    // A single setting has nothing to be compared with.
    let single = try said("desk", ["--list", "matte.blur=2"])
    #expect(!single.contains("No score depends"), "\(single)")
  }
}
