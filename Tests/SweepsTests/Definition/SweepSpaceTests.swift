import FrameModel
import Parameters
import Support
import Sweeps
import Testing

@Suite struct SweepSpaceTests {
  private let all = SweepParameters.all
  private func grid(_ dimensions: [SweepDimension], _ constraints: [String] = []) throws -> [ParameterSet] {
    let constraints = try constraints.map { try SweepConstraint($0, all) }
    return try SweepSpace(base: SweepParameters.base, dimensions, constraints: constraints).settings()
  }

  @Test func `a grid is every combination, the last parameter first`() throws {
    let settings = try grid([.scan("matte.blur=1..2:1", all), .list("depth.rate=1/1,1/2,1/3", all)])
    #expect(
      settings.map { "\($0[SweepParameters.blur]) \($0[SweepParameters.rate])" } == [
        "1.0 1/1", "1.0 1/2", "1.0 1/3", "2.0 1/1", "2.0 1/2", "2.0 1/3",
      ])
    #expect(settings.allSatisfy { $0[SweepParameters.offset] == 0.25 })
  }

  @Test func `a sweep of nothing is the setting as it is`() throws {
    #expect(try grid([]) == [SweepParameters.base])
  }

  @Test(arguments: [
    ("matte.blur<3", 2), ("matte.blur<3e0", 2), ("matte.blur<=3", 3), ("matte.blur==3", 1), ("matte.blur!=3", 3),
    ("matte.blur > 3", 1),
    ("matte.blur>=depth.passes", 3), ("mask.kind==face", 4), ("depth.rate<1/1", 0),
  ])
  func `constraints leave what fulfils them`(constraint: String, count: Int) throws {
    var base = SweepParameters.base
    try base.set("depth.passes=2")
    let space = try SweepSpace(
      base: base, [.scan("matte.blur=1..4:1", all)], constraints: [SweepConstraint(constraint, all)])
    guard count > 0 else {
      #expect(message { () throws(RetakeError) in _ = try space.settings() }.contains("No setting fulfils"))
      return
    }
    #expect(try space.settings().count == count)
  }

  @Test func `the example of a constraint names parameters that there are`() throws {
    let said = message { () throws(RetakeError) in _ = try SweepConstraint("x", SweepParameters.all) }
    #expect(said.contains("'matte.open<matte.close'"), "\(said)")
  }

  @Test(arguments: [
    ("matte.blur", "is not a comparison"), ("matte.blurr<3", "did you mean"), ("matte.blur<99", "out of range"),
    ("mask.offset<matte.blurr", "did you mean"), ("mask.kind<face", "no order"), ("mask.soft>=true", "no order"),
    ("<3", "no parameter"),
  ])
  func `a constraint that is off is told in a sentence`(text: String, word: String) {
    let said = message { () throws(RetakeError) in _ = try SweepConstraint(text, SweepParameters.all) }
    #expect(said.hasPrefix("usage") && said.contains(word), "\(said)")
  }

  private func drawn(_ choice: SweepSpace.Choice, seed: UInt64) throws -> [ParameterSet] {
    try SweepSpace(
      base: SweepParameters.base,
      [
        .range("matte.blur=0.5..32:log", all), .range("mask.offset=-0.5..0.5", all), .range("depth.passes=0..5", all),
        .list("mask.kind=face,fixed,band", all),
      ], choice: choice, seed: seed
    ).settings()
  }

  @Test(arguments: [SweepSpace.Choice.random(count: 60), .latinHypercube(count: 60)])
  func `what is drawn follows from the seed and stays in its range`(choice: SweepSpace.Choice) throws {
    let settings = try drawn(choice, seed: 7)
    #expect(settings.count == 60)
    #expect((try drawn(choice, seed: 7) == settings) == true)
    #expect((try drawn(choice, seed: 8) == settings) == false)
    #expect(settings.allSatisfy { (0.5...32).contains($0[SweepParameters.blur]) })
    #expect(settings.allSatisfy { (-0.5...0.5).contains($0[SweepParameters.offset]) })
    #expect(Set(settings.map { $0[SweepParameters.passes] }) == [0, 1, 2, 3, 4, 5])
    #expect(Set(settings.map { $0[SweepParameters.kind] }) == [.face, .fixed, .band])
    // Of a logarithmic range each doubling is as likely as the next: about a half lies below its middle, 4.
    let low = settings.count { $0[SweepParameters.blur] < 4 }
    #expect((18...42).contains(low))
    // For people: no more than four digits that say something.
    #expect(settings.allSatisfy { ParameterValue.real($0[SweepParameters.blur]).description.count <= 6 })
  }

  @Test func `a Latin hypercube has one value in each part of each range`() throws {
    let settings = try drawn(.latinHypercube(count: 50), seed: 3)
    let parts = Set(settings.map { Int((($0[SweepParameters.offset] + 0.5) * 50).rounded(.down)) })
    // Rounding to four digits may move one across a border.
    #expect(parts.count >= 48)
    let kinds = settings.map { $0[SweepParameters.kind] }
    #expect(SweepParameters.Kind.allCases.allSatisfy { kind in (16...17).contains(kinds.count { $0 == kind }) })
  }

  @Test func `more draws than combinations give each combination once`() throws {
    let space = try SweepSpace(
      base: SweepParameters.base, [.scan("matte.blur=1..4:1", all), .list("mask.kind=face,fixed", all)],
      choice: .random(count: 200), seed: 1)
    let settings = try space.settings()
    #expect(settings.count == 8 && Set(settings).count == 8)
  }

  @Test func `what cannot be tried is told in a sentence`() throws {
    let blur = try SweepDimension.scan("matte.blur=1..4:1", all)
    func said(_ dimensions: [SweepDimension], _ choice: SweepSpace.Choice = .grid) -> String {
      message { () throws(RetakeError) in
        _ = try SweepSpace(base: SweepParameters.base, dimensions, choice: choice)
      }
    }
    #expect(said([blur, blur]).contains("given twice"))
    #expect(said([try .range("matte.blur=1..4", all)]).contains("--scan"))
    #expect(said([blur], .random(count: 2_000_000)).contains("--random 1000"))
    for count in [0, -1, Int.min] {
      for choice in [SweepSpace.Choice.random(count: count), .latinHypercube(count: count)] {
        let text = said([blur], choice)
        #expect(text.hasPrefix("usage") && text.contains("not \(count).") && text.contains("--random 100"), "\(text)")
      }
    }
    let many = try [
      SweepDimension.scan("matte.blur=0..50:0.01", all), .scan("mask.offset=-1..1:0.001", all),
    ]
    #expect(said(many).contains("more than 1000000"))
  }
}
