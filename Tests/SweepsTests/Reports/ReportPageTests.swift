import FrameModel
import Scores
import Support
import Sweeps
import TestSupport
import Testing

/// The page of a report.
@Suite(.long) struct ReportPageTests {
  private func rows(_ checks: ReportChecks) -> Int { (checks.data["rows"] as? [Any])?.count ?? -1 }

  @Test
  func `a sweep of 120 settings over two recordings, one failed, is a sound page with every part`() throws {
    let sweep = SampleSweep.grid()
    let roles = try SweepReport.roles(sweep.identity, sweep.summaries, choice: try SweepChoice("flicker<0.02,iou"))
    #expect(roles.map(\.setting) == [66, 119, 40] && roles.map(\.role) == [.best, .worst, .current])
    let pictures = try SamplePictures.all(roles, recordings: 2)
    let checks = try ReportChecks(try sweep.report(pictures: pictures, choice: "flicker<0.02,iou"))
    #expect(checks.problems.isEmpty)
    #expect(checks.counts["section"] == 8)
    #expect(checks.counts["img"] == 12)
    #expect(rows(checks) == 120)
    for words in [
      "Sweep of matte.blur, mask.offset and depth.rate over 2 recordings", "238 of 240", "higher is better",
      "Chosen by flicker<0.02,iou: 49 of 119 settings are within the limits.", "Effect of each parameter",
      "Faces were never looked for in this recording: 'retake faces' does.", "logarithmic",
      "frames without a matte: best 5, current 8, worst 9",
    ] { #expect(checks.text.contains(words), "\(words)") }
    // Fifty rows are there without a script, and their commands.
    #expect(checks.texts.count { $0.hasPrefix("retake replay 'recordings/desk at noon.retake' --preset soft") } == 50)
  }

  @Test
  func `the same input gives the same bytes`() throws {
    let sweep = SampleSweep.grid()
    var shuffled = sweep.summaries
    shuffled.reverse()
    let other = try SweepReport(
      sweep.identity, shuffled, frames: { (key) throws(RetakeError) in sweep.frames(key) }, pictures: [], choice: nil,
      presetValues: SampleSweep.presetValues
    ).html
    let isSame = try sweep.report() == other
    #expect(isSame)
  }

  @Test(arguments: [1, 2, 30])
  func `one setting, and a recording without truth`(count: Int) throws {
    let checks = try ReportChecks(try SampleSweep.line(count, truth: false).report())
    #expect(checks.problems.isEmpty)
    #expect(checks.text.contains("Best by edge-alignment, higher is better."))
    #expect(rows(checks) == count)
  }

  @Test
  func `a thousand settings over two recordings take less than 5 MB, and twenty thousand too`() throws {
    let thousand = try SampleSweep.line(1000, recordings: 2).report()
    #expect(thousand.utf8.count < 2_500_000)
    let checks = try ReportChecks(thousand)
    #expect(checks.problems.isEmpty)
    #expect(rows(checks) == 1000)
    #expect(checks.text.contains("1,000"))
    var huge = SampleSweep.line(20_000)
    huge.summaryFrameCount = 1
    let html = try huge.report()
    #expect(html.utf8.count < 5_000_000)
    #expect(html.contains("Of 20,000 settings, the first 4,000 are on this page"))
  }

  @Test
  func `many recordings and long ones take less than 5 MB: curves are of the first eight`() throws {
    var sweep = SampleSweep.line(60, recordings: 40)
    sweep.frameCount = 3000
    let html = try sweep.report()
    #expect(html.utf8.count < 5_000_000)
    let checks = try ReportChecks(html)
    #expect(checks.problems.isEmpty)
    #expect(checks.text.contains("Curves are of the first 8 of 40 recordings."))
  }

  @Test
  func `what a stranger's file may claim does not make a page without end: parameters, recordings, long errors`() throws
  {
    var sweep = SampleSweep.line(100, recordings: 130)
    sweep.summaryFrameCount = 1
    let more = (0..<200).map { SweepIdentity.Assignment(name: "more.parameter-\($0)", value: "") }
    for place in sweep.identity.settings.indices {
      sweep.identity.settings[place].parameters += more.map { .init(name: $0.name, value: "\(place % 7)") }
    }
    sweep.identity.tried += more.map(\.name)
    sweep.failures = [3: String(repeating: "too long ", count: 5000)]
    let html = try sweep.report()
    #expect(html.utf8.count < 5_000_000)
    let checks = try ReportChecks(html)
    #expect(checks.problems.isEmpty)
    for words in ["Plots are of the first 60 of 203 parameters.", "and 30 more", "and so on, over each recording"] {
      #expect(checks.text.contains(words), "\(words)")
    }
  }

  @Test
  func `a sweep of which nothing ran, or everything failed, says so`() throws {
    var sweep = SampleSweep.line(5, recordings: 2)
    for place in 0..<5 { sweep.failures[place] = "It ended early. (try again)" }
    let failed = try ReportChecks(try sweep.report(choice: "iou"))
    #expect(failed.problems.isEmpty)
    #expect(failed.text.contains("No setting was scored over every recording."))
    #expect(failed.text.contains("It ended early. (try again)"))
    sweep.failures = [:]
    for setting in 0..<5 {
      for recording in 0..<2 { sweep.missing.insert(RunKey(setting: setting, recording: recording)) }
    }
    let unrun = try ReportChecks(try sweep.report())
    #expect(unrun.problems.isEmpty)
    #expect(unrun.text.contains("10 runs of 10 are not done yet"))
    #expect(unrun.text.contains("Not run yet."))
  }

  @Test
  func `a setting that ran over one of two recordings is neither best nor in a plot`() throws {
    var sweep = SampleSweep.line(3, recordings: 2)
    let whole = try ReportChecks(try sweep.report())
    let best = (whole.data["roles"] as? [String: Int])?["best"] ?? -1
    sweep.missing = [RunKey(setting: best, recording: 1)]
    let checks = try ReportChecks(try sweep.report())
    #expect(checks.problems.isEmpty)
    #expect((checks.data["roles"] as? [String: Int])?["best"] != best)
    #expect(checks.text.contains("Not run yet over take-1.retake."))
  }

  @Test
  func `where no setting is within the limits, the page says so and shows the best without them`() throws {
    let checks = try ReportChecks(try SampleSweep.grid().report(choice: "flicker<0.0001,iou"))
    #expect(checks.problems.isEmpty)
    #expect(checks.text.contains("No setting fulfils flicker<0.0001. Best by iou, higher is better."))
    #expect(throws: RetakeError.self) { try SampleSweep.grid().report(choice: "lag") }
  }

  @Test
  func `what is not a number is no value, and no cost is no column`() throws {
    var sweep = SampleSweep.line(4)
    sweep.hasCost = false
    let summaries = sweep.summaries.map { summary in
      var summary = summary
      if case .scored(var row) = summary.outcome {
        row[.iou] = summary.key.setting == 0 ? .nan : .infinity
        row[.soft] = 0
        summary.outcome = .scored(row)
      }
      return summary
    }
    let html = try SweepReport(
      sweep.identity, summaries,
      frames: { (key) throws(RetakeError) in
        sweep.frames(key).map { frame in
          var frame = frame
          frame.scores[.boundaryF] = .nan
          return frame
        }
      }, pictures: [], choice: nil
    ).html
    let checks = try ReportChecks(html)
    #expect(checks.problems.isEmpty)
    let names = (checks.data["columns"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
    #expect(!names.contains("iou") && !names.contains("cost") && names.contains("soft"))
  }

  @Test
  func `words of files are words, whatever they are`() throws {
    let bad = "</script><script>alert(1)</script><img src=x onerror=\"alert('2')\">&amp;\u{2028}\u{202E}\u{9B}'`\u{0}"
    var sweep = SampleSweep.line(3, recordings: 2)
    for place in sweep.identity.settings.indices {
      for parameter in sweep.identity.settings[place].parameters.indices where parameter > 0 && parameter < 3 {
        sweep.identity.settings[place].parameters[parameter].value = "\(bad)\(place)"
      }
    }
    let tried = sweep.identity.settings[0].parameters[2].name
    for place in sweep.identity.recordings.indices {
      sweep.identity.recordings[place].path = bad
      sweep.identity.recordings[place].id = bad
      sweep.identity.recordings[place].truth = bad
      sweep.identity.recordings[place].absences = [.init(score: .faceCoverage, reason: bad)]
    }
    (sweep.identity.words, sweep.identity.version, sweep.identity.preset) = (bad, bad, bad)
    sweep.failures = [1: bad]
    let pictures = [
      ReportPicture(role: .best, setting: 0, recording: 0, frame: 0, composite: [UInt8](bad.utf8), matte: [])
    ]
    let checks = try ReportChecks(try sweep.report(pictures: pictures))
    #expect(checks.problems.isEmpty)
    #expect(checks.counts["script"] == 2)
    #expect(checks.counts["img"] == nil)
    let harmful: Set<Unicode.Scalar> = ["\u{0}", "\u{9B}", "\u{2028}", "\u{202E}"]
    let shown = String(
      String.UnicodeScalarView(bad.unicodeScalars.map { harmful.contains($0) ? "\u{FFFD}" : $0 }))
    #expect(checks.texts.contains(shown))
    let rows = checks.data["rows"] as? [[String: Any]] ?? []
    #expect(rows.contains { $0["e"] as? String == bad })
    #expect(rows.contains { ($0["t"] as? [String])?.contains("\(bad)0") ?? false }, "\(tried)")
  }

  @Test
  func `a setting that is the worst and the current one is shown once, with both names`() throws {
    var sweep = SampleSweep.line(2)
    let roles = try SweepReport.roles(sweep.identity, sweep.summaries, choice: nil)
    let worst = try #require(roles.first { $0.role == .worst }).setting
    sweep.identity.defaultSetting = worst
    let both = try SweepReport.roles(sweep.identity, sweep.summaries, choice: nil)
    #expect(both.map(\.role) == [.best, .worst, .current])
    let html = try sweep.report(pictures: SamplePictures.all(both, recordings: 1))
    #expect(html.ranges(of: "<figure class=\"picture\">").count == 2)
    #expect(html.ranges(of: "<span class=\"quiet\">setting \(worst)</span></th>").count == 1)
  }

  @Test
  func `pictures beyond what makes a page slow are left out, and counted`() throws {
    let one = try SamplePictures.all([(.best, 0)], recordings: 1)[0]
    let pictures = (0..<4).map { place in
      var picture = one
      picture.frame = place
      // What follows a PNG's end is not looked at.
      picture.composite += [UInt8](repeating: 0, count: 800_000)
      return picture
    }
    let html = try SampleSweep.line(2).report(pictures: pictures)
    #expect(html.utf8.count < 5_000_000)
    #expect(html.contains("1 picture left out to limit the size of this page."))
  }
}
