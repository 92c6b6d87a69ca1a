import FrameModel
import Parameters
import Support
import Sweeps
import Testing

/// The YAML form says what the words of the command line say, and where it is off, its line.
@Suite struct SweepFileTests {
  private func file(_ text: String, name: String = "there/a.yaml") throws(RetakeError) -> SweepFile {
    try SweepFile(YAMLDocument(text, name: name), SweepParameters.all)
  }

  @Test func `every key says what its word says`() throws {
    let file = try file(
      """
      preset: truedepth-backdrop
      profile: kinect-v1
      set: {mask.soft: true}
      scan: {matte.blur: 1..12:1}
      list:
        depth: {rate: [1/1, 1/2]}
        mask.kind: face,band
      range: {mask.offset: 0.1..0.5, depth.passes: 1..5:log}
      where: [matte.blur>=depth.passes, "mask.kind!=fixed"]
      random: 200
      seed: 18446744073709551615
      every: 2
      from: 2s
      to: 120
      truth: mattes
      scores: [iou, flicker]
      recordings: [a.retake, /b.retake]
      """)
    #expect(file.parameters.preset == "truedepth-backdrop" && file.parameters.profile == "kinect-v1")
    var base = SweepParameters.base
    try file.parameters.apply(to: &base)
    #expect(base[SweepParameters.isSoft])
    #expect(
      file.definition.words == [
        "--scan", "matte.blur=1..12:1", "--list", "depth.rate=1/1,1/2", "--list", "mask.kind=face,band",
        "--range", "mask.offset=0.1..0.5", "--range", "depth.passes=1..5:log",
        "--where", "matte.blur>=depth.passes", "--where", "mask.kind!=fixed",
        "--random", "200", "--seed", "18446744073709551615",
      ])
    #expect(try file.every() == 2)
    #expect(file.words(.from) == ["2s"] && file.words(.to) == ["120"])
    #expect(file.words(.scores) == ["iou", "flicker"])
    #expect(file.paths(.recordings) == ["there/a.retake", "/b.retake"] && file.paths(.truth) == ["there/mattes"])
  }

  @Test func `the words of a definition make the same definition again`() throws {
    let definition = try file(
      "scan: {matte.blur: ' 1 .. 16 : *2'}\nlist: {depth.rate: [1/2, 2/4]}\nwhere: matte.blur > 1\nlatin: 5"
    ).definition
    var again = SweepDefinition()
    var words = definition.words[...]
    while let flag = words.popFirst(), let value = words.popFirst() {
      if let kind = SweepTerm.Kind(rawValue: String(flag.dropFirst(2))) {
        again.terms.append(try SweepTerm(kind, value, SweepParameters.all))
      } else if flag == "--where" {
        again.constraints.append(try SweepConstraint(value, SweepParameters.all))
      } else if flag == "--latin" {
        again.choice = .latinHypercube(count: try #require(Int(value)))
      } else {
        #expect(flag == "--seed")
        again.seed = UInt64(value)
      }
    }
    #expect(again.words == definition.words)
    #expect(
      (try again.space(SweepParameters.base).settings() == definition.space(SweepParameters.base).settings()) == true)
  }

  @Test func `a file and words that say the same make the same settings`() throws {
    let file = try file("scan: {matte.blur: 1..4:1}\nlist: {depth.rate: [1/1, 1/2]}\nwhere: [matte.blur!=2]")
    var words = SweepDefinition()
    words.terms = [
      try SweepTerm(.scan, "matte.blur=1..4:1", SweepParameters.all),
      try SweepTerm(.list, "depth.rate=1/1,1/2", SweepParameters.all),
    ]
    words.constraints = [try SweepConstraint("matte.blur!=2", SweepParameters.all)]
    #expect(words == file.definition)
    // Settings have their numbers whatever the order in a file, for words have one order only.
    words.terms.reverse()
    #expect(words != file.definition && words.words == file.definition.words && words.tried == file.definition.tried)
    #expect(
      (try words.space(SweepParameters.base).settings() == file.definition.space(SweepParameters.base).settings())
        == true)
  }

  @Test func `nothing is a sweep of the one setting`() throws {
    for text in ["", "set:\nscan:\nlist:\nrange:\nwhere:\nscores:\n", "scan: {}\n"] {
      let file = try file(text)
      #expect(file.definition == SweepDefinition())
      #expect(try file.definition.space(SweepParameters.base).settings() == [SweepParameters.base])
      #expect(file.words(.scores).isEmpty && file.paths(.recordings).isEmpty)
    }
  }

  @Test func `what comes on top replaces what is tried of a parameter, and adds the rest`() throws {
    let below = try file(
      "scan: {matte.blur: 1..4:1}\nlist: {depth.rate: [1/1, 1/2]}\nrandom: 9\nseed: 3\nwhere: [matte.blur<9]"
    ).definition
    var above = SweepDefinition()
    above.terms = [
      try SweepTerm(.list, "mask.kind=face", SweepParameters.all),
      try SweepTerm(.list, "matte.blur=7,8", SweepParameters.all),
    ]
    above.constraints = [try SweepConstraint("matte.blur<8", SweepParameters.all)]
    above.choice = .latinHypercube(count: 2)
    #expect(
      below.overlaid(by: above).words == [
        "--list", "matte.blur=7,8", "--list", "depth.rate=1/1,1/2", "--list", "mask.kind=face",
        "--where", "matte.blur<9", "--where", "matte.blur<8", "--latin", "2", "--seed", "3",
      ])
    #expect(below.overlaid(by: SweepDefinition()) == below)
    #expect(SweepDefinition().overlaid(by: below) == below)
    // Said twice on one side it is a mistake still, whichever side.
    above.terms.append(above.terms[1])
    let said = message { () throws(RetakeError) in _ = try below.overlaid(by: above).space(SweepParameters.base) }
    #expect(said.contains("given twice"), "\(said)")
  }

  @Test(arguments: [
    ("# a\nscna: {matte.blur: 1..2:1}", "2", "did you mean scan"), ("matte.blur: 5", "1", "under set"),
    ("scan: {matte.blurr: 1..2:1}", "1", "did you mean matte.blur"), ("scan:\n  matte.blur: 5..2:1", "2", "empty"),
    ("scan: {matte.blur: [1..2:1, 2..3:1]}", "1", "under list"), ("scan: {matte.blur: }", "1", "no values to try"),
    ("scan: 5", "1", "names of parameters"), ("list: {mask.kind: []}", "1", "no values to try"),
    ("list: {mask.kind: [face, cat]}", "1", "mask.kind=face"),
    ("range: {mask.offset: 1..inf}", "1", "is not a range of"),
    ("where: [matte.blur<1, matte.blurr<1]", "1", "did you mean"), ("random: many", "1", "whole number"),
    ("random: 0", "1", "1 to 1000000"), ("latin: -1", "1", "whole number"),
    ("random: 1\nlatin: 1", "2", "cannot be used together"),
    ("seed: -1", "1", "whole number"), ("seed: 18446744073709551616", "1", "whole number"),
    ("random: {a: 1}", "1", "not a group"), ("truth: [a, b]", "1", "not a list"),
    ("set: 5", "1", "names of parameters"),
    ("preset: [a]", "1", "'preset' must name one preset"), ("scores: {iou: 1}", "1", "not a group"),
    ("rangee: 1", "1", "did you mean range"),
  ])
  func `what is off is told with its line and the nearest word`(text: String, line: String, word: String) {
    let said = message { () throws(RetakeError) in _ = try file(text) }
    #expect(said.hasPrefix("usage: there/a.yaml:\(line): ") && said.contains(word), "\(said)")
  }

  @Test(arguments: [("every: 0", "whole number"), ("every: x", "not 'x'")])
  func `which frames are played is checked too`(text: String, word: String) throws {
    let file = try file(text)
    let said = message { () throws(RetakeError) in _ = try file.every() }
    #expect(said.contains("there/a.yaml:1: ") && said.contains(word), "\(said)")
  }

  @Test func `a value that does not fit is told with the line under set`() throws {
    let file = try file("preset: a\nset:\n  matte.blur: 99\n")
    let said = message { () throws(RetakeError) in
      var base = SweepParameters.base
      try file.parameters.apply(to: &base)
    }
    #expect(said.contains("there/a.yaml:3: ") && said.contains("nearest valid value is 64"), "\(said)")
  }

  @Test func `what a key leads to is told with the key's line`() throws {
    let file = try file("seed: 1\nscores: [nothing]\n")
    let said = message { () throws(RetakeError) in
      try file.at(.scores) { () throws(RetakeError) in throw RetakeError(.usage, "No.", hint: "Yes.") }
    }
    #expect(said == "usage: there/a.yaml:2: No. Yes.")
  }

  @Test func `drawing needs something to draw from`() throws {
    let definition = try file("random: 5").definition
    let said = message { () throws(RetakeError) in _ = try definition.space(SweepParameters.base) }
    #expect(said.contains("no values to draw settings from"), "\(said)")
  }

  @Test func `whatever stands in a file, it is read or refused`() {
    let words = [
      "scan", "set", "where", "random", "matte.blur", ": ", "\n", "{", "}", "[", "]", ",", "1..2:1", "  ", "null", "&a",
      "*a", "'",
    ]
    var state: UInt64 = 1
    for _ in 0..<3000 {
      var text = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += words[Int(state >> 33) % words.count]
      }
      do throws(RetakeError) {
        let file = try file(text)
        _ = try? file.definition.space(SweepParameters.base)
      } catch {
        #expect(error.code == .usage && !error.message.isEmpty, "\(text)")
      }
    }
  }
}
