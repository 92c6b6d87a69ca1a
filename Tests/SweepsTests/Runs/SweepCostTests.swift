import Foundation
import RecordingTestSupport
import Sweeps
import TestSupport
import Testing

/// What settings cost, in time and in memory.
@Suite struct SweepCostTests {
  @Test
  func `every setting's stages are timed, those it shares in full`() throws {
    let made = try SimulatedRecording("frames=10&size=160x120&depth-size=80x60&seed=3")
    let settings = try SweepCase.grid(("mask.offset", ["0.2", "0.3"]), ("matte.blur", ["1", "12"]))
    let (file, _) = try SweepCase(made.recording, settings: settings).run(threadCount: 1)
    let costs = try file.summaries().map { try #require($0.cost) }
    for cost in costs {
      for part in [cost.color, cost.depth, cost.mask, cost.matte] { #expect(part > 0 && part.isFinite) }
    }
    // Colour and depth are all settings', a mask is two's.
    #expect(Set(costs.map(\.color)).count == 1)
    #expect(Set(costs.map(\.depth)).count == 1)
    #expect(costs[0].mask == costs[1].mask && costs[2].mask == costs[3].mask)
    #expect(Set(costs.map(\.matte)).count == 4)
  }

  @Test
  func `what mattes need while they are made is counted once for each that is made at once`() throws {
    let made = try SimulatedRecording("frames=4&size=160x120&depth-size=80x60&seed=3")
    func byteCount(_ name: String, _ values: [String], threads: Int) throws -> Int {
      let settings = try SweepCase.grid(("matte.refine", ["color"]), (name, values))
      let sweep = try SweepCase(made.recording, settings: settings, scores: [.area])
      return try SweepRunner(sweep.job, into: nil, threadCount: threads, memoryLimit: 1 << 32).forecast().byteCount
    }
    let (gammas, doubts) = (["1", "1.5", "2", "2.5"], ["0.02", "0.04", "0.06", "0.08"])
    let refinement = 100 * 80 * 60
    let one = try byteCount("matte.gamma", gammas, threads: 1)
    #expect(try byteCount("matte.gamma", gammas, threads: 3) - one > 2 * refinement)
    // No more than there are settings.
    #expect(try byteCount("matte.gamma", gammas, threads: 99) == byteCount("matte.gamma", gammas, threads: 4))
    // Each doubt has a refinement of its own, and is one setting's.
    #expect(try byteCount("matte.refine-doubt", doubts, threads: 1) - one > 3 * refinement)
    let many =
      try byteCount("matte.refine-doubt", doubts, threads: 8) - byteCount("matte.refine-doubt", doubts, threads: 1)
    #expect(many < refinement)
  }

  @Test
  func `settings to which colour comes differently have scenes of their own, in the estimate too`() throws {
    let made = try SimulatedRecording("frames=4&size=160x120&depth-size=80x60&seed=3")
    func byteCount(_ name: String, _ values: [String]) throws -> Int {
      let settings = try SweepCase.grid(("fault.color-drop", ["0.1"]), (name, values))
      let sweep = try SweepCase(made.recording, settings: settings, scores: [.area])
      let forecast = try SweepRunner(sweep.job, into: nil, threadCount: 1, memoryLimit: 1 << 32).forecast()
      #expect(forecast.batchCount == 1)
      return forecast.byteCount
    }
    let values = ["1", "2", "3", "4"]
    let difference = try byteCount("fault.seed", values) - byteCount("matte.blur", values)
    #expect(difference > 3 * 60 * 160 * 120)
  }

  @Test(.long)
  func `the estimate of a batch's memory is above what it takes, and not far above`() async {
    // By itself: other tests take memory too.
    await #expect(processExitsWith: .success) {
      let made = try SimulatedRecording("frames=6&size=640x480&depth-size=320x240&seed=3")
      for assignments in [["matte.blur=2"], ["matte.guided-radius=8", "matte.temporal=average"], ["depth.latency=2"]] {
        var settings = try SweepCase.grid(("matte.gamma", (0..<40).map { "\(1 + Double($0) / 8)" }))
        for assignment in assignments { for i in settings.indices { try settings[i].set(assignment) } }
        let sweep = try SweepCase(made.recording, settings: settings)
        let before = try residentByteCount()
        var most = 0
        let file = try sweep.file()
        _ = try SweepRunner(sweep.job, into: file, threadCount: 1, memoryLimit: 1 << 32).run { _ in
          most = max(most, (try? residentByteCount()) ?? 0)
          return true
        }
        let estimate = try SweepRunner(sweep.job, into: nil, threadCount: 1, memoryLimit: 1 << 32).forecast().byteCount
        let share = Double(most - before) / Double(estimate)
        print("\(assignments): \(most - before) of \(estimate) bytes, \(share)")
        // What was freed before is used again, and does not show.
        precondition(share < 1 && (share > 0.4 || assignments != ["matte.blur=2"]), "\(assignments) \(share)")
      }
    }
  }
}

/// Pages of this process that are in memory.
private func residentByteCount() throws -> Int {
  let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
