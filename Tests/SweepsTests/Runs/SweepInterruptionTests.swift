import RecordingTestSupport
import Support
import Sweeps
import TestSupport
import Testing

/// A sweep that is ended goes on where it was.
@Suite struct SweepInterruptionTests {
  private static let made = Result { try SimulatedRecording("frames=12&size=96x72&depth-size=48x36&seed=8") }

  @Test
  func `ended at random points and begun again, it has the contents of an undisturbed one, and computes nothing twice`()
    throws
  {
    let settings = try SweepCase.grid(
      ("depth.rate", ["1/1", "1/3"]), ("mask.offset", ["0.15", "0.3"]), ("matte.blur", ["1", "4"]))
    let sweep = try SweepCase(try Self.made.get().recording, settings: settings)
    let whole = try sweep.run("whole").file.contentText()
    var generator = SeededGenerator(seed: 71)
    for attempt in 0..<4 {
      let path = sweep.path("attempt-\(attempt)")
      var written = 0
      var starts = 0
      while true {
        starts += 1
        try #require(starts < 60)
        let file = try SweepResultsFile.openOrCreate(path, try sweep.job.identity())
        let before = try file.finishedRuns().count
        // Batches of one setting: eight times twelve frames.
        let runner = SweepRunner(sweep.job, into: file, threadCount: 2, memoryLimit: 1)
        var steps = 3 + generator.next(below: 40)
        let outcome = try runner.run { progress in
          #expect(progress.doneFrameCount <= progress.frameCount && progress.frameCount == (8 - before) * 12)
          steps -= 1
          return steps > 0
        }
        written += outcome.runCount
        #expect(try file.finishedRuns().count == before + outcome.runCount)
        try file.close()
        if outcome.isWhole { break }
      }
      // Writing a run twice would be an error; computing it twice would make more runs than there are.
      #expect(written == settings.count)
      #expect(starts > 1)
      #expect(areSame(try SweepResultsFile.open(path).contentText(), whole), "attempt \(attempt)")
    }
  }

  @Test
  func `a sweep that is whole does nothing more, and a file of another sweep is refused`() throws {
    let recording = try Self.made.get().recording
    let sweep = try SweepCase(recording, settings: SweepCase.grid(("matte.blur", ["1", "4"])))
    let (file, _) = try sweep.run()
    let again = try SweepRunner(sweep.job, into: file, threadCount: 1, memoryLimit: 1 << 30).run()
    #expect(again.runCount == 0 && again.isWhole && again.decodedFrameCount == 0)
    let other = try SweepCase(recording, settings: SweepCase.grid(("matte.blur", ["1", "4", "5"])))
    #expect(throws: (any Error).self) {
      try SweepRunner(other.job, into: file, threadCount: 1, memoryLimit: 1 << 30).run()
    }
  }
}
