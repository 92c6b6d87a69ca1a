import FrameModel
import Parameters
import Sweeps
import Testing

/// What a search may try, and what it may cost.
@Suite struct SearchSpaceTests {
  private let all = SweepParameters.all

  private func definition(_ terms: [(SweepTerm.Kind, String)], where constraints: [String] = []) throws
    -> SweepDefinition
  {
    var definition = SweepDefinition()
    for (kind, text) in terms { definition.terms.append(try SweepTerm(kind, text, all)) }
    for text in constraints { definition.constraints.append(try SweepConstraint(text, all)) }
    return definition
  }

  private func space(_ terms: [(SweepTerm.Kind, String)], where constraints: [String] = []) throws -> SearchSpace {
    try SearchSpace(try definition(terms, where: constraints), SweepParameters.base)
  }

  @Test func `numbers are ordered whatever their order, names and rates are not`() throws {
    let space = try space([
      (.list, "matte.blur=8,1,4"), (.list, "depth.rate=1/1,1/3,1/2"), (.list, "mask.kind=band,face"),
    ])
    // Levels of rates are in order, but others than the next may be better.
    #expect(space.axes.map(\.levels) == [["1", "4", "8"], ["1/3", "1/2", "1/1"], ["band", "face"]])
    #expect(space.axes.map(\.isOrdered) == [true, false, false])
    // Current values: 5, 1/1 and face.
    #expect(space.lattice.origin == [1, 2, 1])
    #expect(space.settingCount == 18)
  }

  @Test func `a range has both ends and levels between; whole numbers have each`() throws {
    let space = try space([
      (.range, "matte.blur=0.5..32:log"), (.range, "depth.passes=0..5"), (.range, "mask.offset=0.1..0.5"),
    ])
    #expect(space.axes[0].levels.first == "0.5" && space.axes[0].levels.last == "32")
    // And the current value, 5, which is between two of them.
    #expect(space.axes[0].levels.count == SearchSpace.rangeLevelCount + 1)
    let place = try #require(space.axes[0].levels.firstIndex(of: "5"))
    #expect(space.lattice.origin[0] == place && space.axes[0].levels.compactMap(Double.init).sorted()[place] == 5)
    #expect(space.axes[1].levels == ["0", "1", "2", "3", "4", "5"])
    #expect(space.axes[2].levels.first == "0.1" && space.axes[2].levels.last == "0.5")
    #expect(space.settingCount == SearchSpace.rangeCount)
    for axis in space.axes { #expect(Set(axis.levels).count == axis.levels.count) }
  }

  @Test func `constraints exclude points and are counted`() throws {
    let space = try space(
      [(.scan, "matte.blur=1..4:1"), (.scan, "depth.passes=0..5:1")], where: ["matte.blur<=depth.passes"])
    #expect(space.settingCount == 14)
    #expect(!space.lattice.contains([3, 0]) && space.lattice.contains([0, 1]))
    let none = failure { _ = try self.space([(.scan, "matte.blur=1..4:1")], where: ["matte.blur>9"]) }
    #expect(none?.message.contains("No setting fulfils matte.blur>9") == true)
  }

  @Test func `nothing to search, and settings drawn besides, are refused`() throws {
    #expect(failure { _ = try space([]) }?.message.contains("nothing to search") == true)
    var drawn = try definition([(.scan, "matte.blur=1..4:1")])
    drawn.choice = .random(count: 5)
    let hint = failure { _ = try SearchSpace(drawn, SweepParameters.base) }?.hint
    #expect(hint?.contains("--budget") == true && hint?.contains("keys random and latin") == true)
    #expect(
      failure { _ = try space([(.scan, "matte.blur=1..4:1"), (.list, "matte.blur=1,2")]) }?.message.contains("twice")
        == true)
  }

  @Test func `a budget is a share or a number of frames`() throws {
    #expect(
      try SearchBudget("3%") == .standard && SearchBudget("2.5%") == .share(2500) && SearchBudget("900") == .frames(900)
    )
    for text in ["", "%", "0%", "101%", "-3%", "1e1%", "0", "-5", "+5", "3 frames", "0.0001%", "9999999999999999999"] {
      #expect(failure { _ = try SearchBudget(text) }?.code == .usage, "\(text)")
    }
    let budget = try SearchBudget("3%")
    #expect(try budget.frames(settingCount: 1000, wholeCost: 120, isGiven: true) == 3600)
    // The default is raised on a small grid; a given one is refused.
    #expect(try budget.frames(settingCount: 100, wholeCost: 120, isGiven: false) == 1200)
    #expect(failure { _ = try budget.frames(settingCount: 100, wholeCost: 120, isGiven: true) }?.code == .usage)
    #expect(failure { _ = try budget.frames(settingCount: .max, wholeCost: 120, isGiven: true) }?.code == .usage)
  }

  @Test func `a search cannot choose by what short runs of frames do not have`() throws {
    for text in ["cost", "unsupervised", "lag", "cost<3,iou", "drop-outs<1,iou", "max(area-variation)"] {
      let error = failure { _ = try SearchGoal(try SweepChoice(text)) }
      #expect(error?.code == .usage && error?.message.contains("cannot choose by") == true, "\(text)")
    }
    let goal = try SearchGoal(try SweepChoice("flicker<0.6,min(soft)"), front: [.iou])
    #expect(goal.targets.map(\.wantsHigher) == [false, true] && goal.scores == [.soft, .iou, .flicker])
  }
}
