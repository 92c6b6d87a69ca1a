import CommandTestSupport
import Foundation
import Glibc
import Support
import TestSupport
import Testing

/// However a sweep is ended, or divided, its results are those of one that nobody disturbed.
@Suite(.long) struct SweepInterruptionTests {
  private let swept: SweptFolder
  init() throws { swept = try SweptFolder("frames=12&size=160x120") }

  private let words = [
    "--scan", "matte.blur=1..5:1", "--list", "depth.rate=1/1,1/2", "--list", "depth.spatial-passes=0,1", "--scores",
    "iou,flicker,lag,edge-alignment", "--memory", "8M", "--threads", "1",
  ]

  private func expectSame(_ a: String, _ b: String, _ seen: String) throws {
    let result = try CommandLineTool.run(["sweep", "compare", swept.path(a), swept.path(b), "--json"])
    #expect(try CommandLineTool.json(result.text)["equal"] as? Bool == true, "\(seen): \(result.text)")
    try expectSameContents(swept.path(a), swept.path(b), seen)
  }

  @Test func `killed at random again and again, and started again, it ends with the same results`() throws {
    let start = ContinuousClock.now
    try swept.sweep(words, to: "undisturbed.sqlite")
    let whole = start.duration(to: .now)
    var wholeMilliseconds = max(
      50, Int(whole.components.seconds * 1000 + whole.components.attoseconds / 1_000_000_000_000_000))
    var generator = SeededGenerator(seed: 20)
    var killsLeft = Sample.count(of: 20, usual: 5)
    var ends = 0
    var delays: [Int] = []
    while killsLeft > 0 {
      let delay = generator.next(below: wholeMilliseconds)
      delays.append(delay)
      let child = try ChildProcess.run(
        Checkout.retake, ["sweep", swept.recording] + words + ["-o", swept.path("r.sqlite")]
      ) { process in
        usleep(UInt32(delay * 1000))
        kill(process, SIGKILL)
      }
      if child.status == -SIGKILL {
        killsLeft -= 1
        continue
      }
      // It was quicker than the axe: once more from the beginning, and a little earlier.
      try #require(child.status == 0, "\(delays): \(child.errors)")
      try expectSame("undisturbed.sqlite", "r.sqlite", "\(delays)")
      try FileManager.default.removeItem(atPath: swept.path("r.sqlite"))
      ends += 1
      try #require(ends < 100)
      wholeMilliseconds = max(50, wholeMilliseconds * 9 / 10)
    }
    try swept.sweep(words)
    try expectSame("undisturbed.sqlite", "r.sqlite", "\(delays)")
  }

  @Test func `sixteen parts merged are what one machine makes, whatever their order`() throws {
    try swept.sweep(words, to: "whole.sqlite")
    var parts: [String] = []
    for part in 1...16 {
      let name = "part-\(part).sqlite"
      // The bits do not depend on threads and memory either.
      try swept.sweep(words.dropLast(4) + ["--threads", "\(1 + part % 3)", "--shard", "\(part)/16"], to: name)
      parts.append(swept.path(name))
    }
    try CommandLineTool.run(["sweep", "merge"] + parts.reversed() + ["-o", swept.path("merged.sqlite")])
    try expectSame("whole.sqlite", "merged.sqlite", "merged")
    // A part is missing: that is said, and the sweep goes on with it.
    let some = try CommandLineTool.run(
      ["sweep", "merge"] + parts.dropLast(2) + ["-o", swept.path("some.sqlite")], expecting: 3)
    #expect(some.errors.contains("missing"), "\(some.errors)")
    try CommandLineTool.run(["sweep", "compare", swept.path("whole.sqlite"), swept.path("some.sqlite")], expecting: 1)
    try swept.sweep(words, to: "some.sqlite")
    try expectSame("whole.sqlite", "some.sqlite", "completed")
    // Nothing is written over, and a part twice is a part.
    let again = try CommandLineTool.run(["sweep", "merge", parts[0], "-o", swept.path("some.sqlite")], expecting: 1)
    #expect(again.errors.contains("some.sqlite") && again.errors.contains("hint: "), "\(again.errors)")
    try CommandLineTool.run(["sweep", "merge"] + parts + parts + ["-o", swept.path("twice.sqlite")])
    try expectSame("whole.sqlite", "twice.sqlite", "twice")
  }
}
