import FrameModel
import MattePipeline
import Parameters
import Replay
import Scores
import Sweeps
import Testing

/// How long units are, what warms up before them, and where they lie.
@Suite struct SearchUnitTests {
  private func space(_ lists: [String], preset: String = "truedepth-backdrop", set: [String] = []) throws -> SearchSpace
  {
    var base = try Preset.named(preset).parameters(ReplaySession.declarations)
    for assignment in set { try base.set(assignment) }
    var definition = SweepDefinition()
    for list in lists { definition.terms.append(try SweepTerm(.list, list, ReplaySession.declarations)) }
    return try SearchSpace(definition, base)
  }

  @Test func `without memory a unit is one frame; temporal scores need two, and one before them`() throws {
    let plain = try space(["matte.blur=1,2,3"])
    let rules = SearchUnitRules(plain, scores: [.iou])
    #expect(rules.length == 1 && rules.warmUp == 0 && rules.runOut == 0 && rules.reasons.isEmpty)
    let temporal = SearchUnitRules(plain, scores: [.iou, .dtssd])
    #expect(temporal.length == 2 && temporal.warmUp == 1)
  }

  @Test func `settings with memory warm up, longer the longer it is`() throws {
    let tried = SearchUnitRules(try space(["matte.temporal=none,average"]), scores: [.iou])
    #expect(tried.length == 4 && tried.warmUp == 2)
    let set = SearchUnitRules(try space(["matte.blur=1,2"], set: ["depth.persistence=3"]), scores: [.iou])
    #expect(set.length == 4 && set.warmUp == 8)
    let long = SearchUnitRules(
      try space(["matte.temporal=none,average", "matte.temporal-weight=0.5,0.95"]), scores: [.iou])
    #expect(long.warmUp == 18 && long.length == 9)
    // A weight alone has no memory.
    #expect(SearchUnitRules(try space(["matte.temporal-weight=0.5,0.95"]), scores: [.iou]).warmUp == 0)
  }

  @Test func `an empty start is played before a unit only if a recording may have one`() throws {
    let space = try space(["mask.offset=0.1,0.2", "mask.empty-start=false,true"])
    #expect(SearchUnitRules(space, scores: [.iou]).warmUp == 0)
    let rules = SearchUnitRules(space, scores: [.iou], beginsEmpty: true)
    #expect(rules.warmUp == .max && rules.length == 30)
    let leads = rules.leads(of: space)
    #expect(leads([0, 0]).warmUp == 0 && leads([0, 1]).warmUp == .max)
  }

  @Test func `each setting warms up as long as its own memory asks for, round the same scored frames`() throws {
    let space = try space([
      "matte.temporal=none,average", "matte.temporal-weight=0.2,0.9", "depth.rate=1/1,1/3", "depth.persistence=0,3",
    ])
    let rules = SearchUnitRules(space, scores: [.iou])
    #expect(rules.warmUp == 9)
    let leads = rules.leads(of: space)
    // By level of temporal, weight, rate and persistence.
    let expected: [(SearchLattice.Point, Int)] = [
      ([0, 0, 1, 0], 0), ([0, 1, 1, 0], 0), ([1, 0, 1, 0], 2), ([1, 1, 1, 0], 9), ([0, 0, 0, 0], 2), ([0, 0, 1, 1], 8),
    ]
    for (point, warmUp) in expected { #expect(leads(point).warmUp == warmUp, "\(point)") }
    let unit = SearchUnit(recording: 0, frames: 40..<44, played: 31..<44)
    #expect(unit.played(leads([1, 0, 1, 0])) == 38..<44 && unit.played(.most) == 31..<44)
    // The recording's first frames have nothing before them.
    let first = SearchUnit(recording: 0, frames: 1..<4, played: 0..<4)
    #expect(first.played(leads([1, 1, 1, 0])) == 0..<4)
    let temporal = SearchUnitRules(space, scores: [.dtssd])
    #expect(temporal.lead(of: try space.setting([0, 0, 1, 0])) == SearchLead(warmUp: 1, runOut: 0))
  }

  @Test func `an empty room that is learned is played from the beginning`() throws {
    let rules = SearchUnitRules(try space(["matte.blur=1,2"], preset: "static-camera"), scores: [.iou])
    let units = rules.units(frameCounts: [90], seed: 1)
    #expect(units.allSatisfy { $0.played.lowerBound == 0 && $0.played.upperBound == $0.frames.upperBound })
  }

  @Test func `a unit holds whole cycles of the rates, and look-ahead plays on after it`() throws {
    let rates = SearchUnitRules(try space(["depth.rate=1/1,1/2,1/3"]), scores: [.iou])
    #expect(rates.length == 6 && rates.warmUp == 2)
    let ahead = SearchUnitRules(
      try space(["depth.look-ahead=0,3"], set: ["depth.temporal=interpolate"]), scores: [.iou])
    #expect(ahead.runOut == 3)
    let units = ahead.units(frameCounts: [40], seed: 0)
    #expect(units.allSatisfy { $0.played.upperBound == min(40, $0.frames.upperBound + 3) })
  }

  @Test(arguments: [1, 4, 6])
  func `units cover every recording once without overlap, and the first ones are spread over it`(length: Int) throws {
    let lists = length == 1 ? [] : length == 4 ? ["matte.temporal=none,average"] : ["depth.rate=1/1,1/2,1/3"]
    let rules = SearchUnitRules(try space(lists + ["matte.blur=1,2"]), scores: [.iou])
    #expect(rules.length == length)
    let counts = [120, 97, 3]
    for seed in UInt64(0)..<5 {
      let units = rules.units(frameCounts: counts, seed: seed)
      for (recording, count) in counts.enumerated() {
        let frames = units.filter { $0.recording == recording }.flatMap { Array($0.frames) }
        #expect(frames.sorted() == Array(0..<count))
      }
      // Each recording comes in turn, while it has units.
      #expect(Set(units.prefix(3).map(\.recording)) == [0, 1, 2])
      // In each third of the longest there is one of its first six units.
      let first = units.filter { $0.recording == 0 }.prefix(6).map(\.frames.lowerBound)
      for third in 0..<3 { #expect(first.contains { $0 / 40 == third }, "\(seed): \(first)") }
    }
    #expect(rules.units(frameCounts: counts, seed: 1) != rules.units(frameCounts: counts, seed: 2))
  }
}
