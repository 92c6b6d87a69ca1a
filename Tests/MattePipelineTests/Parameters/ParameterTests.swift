import FrameModel
import MattePipeline
import Parameters
import Support
import Testing

@Suite struct ParameterTests {
  private static let fraction = Parameter<Fraction>("depth.rate", default: .one, help: "")
  private static let count = Parameter<Int>("count", 1...8, default: 2, help: "")
  private static var set: ParameterSet {
    ParameterSet(PipelineParameters.all + [fraction.declaration, count.declaration])
  }

  private static func failure(_ assignment: String) -> RetakeError? {
    var set = set
    let error = #expect(throws: RetakeError.self, "\(assignment)") { try set.set(assignment) }
    #expect(error?.code == .usage)
    #expect(set == Self.set, "a failed assignment changes nothing")
    return error
  }

  @Test
  func `an unknown name is answered with the nearest one`() throws {
    for (name, nearest) in [
      ("matte.blurr", "matte.blur"), ("mate.gamma", "matte.gamma"), ("mask.ofset", "mask.offset"),
      ("mask.satrt", "mask.start"), ("composite.back", "composite.background"), ("cout", "count"),
    ] {
      let error = try #require(Self.failure("\(name)=1"))
      #expect(error.message == "There is no parameter '\(name)'.")
      #expect(error.hint.hasPrefix("did you mean \(nearest)? "))
    }
    #expect(Self.failure("=1") != nil)
  }

  @Test
  func `with no parameters at all there is nothing to suggest`() {
    var set = ParameterSet([])
    let error = #expect(throws: RetakeError.self) { try set.set("a=1") }
    #expect(error?.hint == "'retake parameters' lists them all")
  }

  @Test
  func `a value out of range is answered with the range and the nearest valid value`() throws {
    for (assignment, range, nearest) in [
      ("matte.blur=65", "0 to 64 mask px", "64"), ("matte.blur=-0.5", "0 to 64 mask px", "0"),
      ("matte.gamma=0", "0.4 to 20", "0.4"), ("mask.offset=-1.001", "-1 to 5 m", "-1"),
      ("count=9", "1 to 8", "8"), ("count=-3", "1 to 8", "1"),
    ] {
      let error = try #require(Self.failure(assignment))
      #expect(error.message == "\(assignment) is out of range: it takes \(range).")
      #expect(error.hint == "the nearest valid value is \(nearest)")
    }
  }

  @Test(arguments: ["", "five", "5px", " 5", "nan", "inf", "-inf", "1e999", "5,5"])
  func `what is not a number is said to be none, with the range`(text: String) throws {
    let real = try #require(Self.failure("matte.blur=\(text)"))
    #expect(real.message == "'\(text)' is not a number, which matte.blur needs.")
    #expect(real.hint == "it takes 0 to 64 mask px")
    let whole = try #require(Self.failure("count=\(text)"))
    #expect(whole.message == "'\(text)' is not a whole number, which count needs.")
  }

  @Test
  func `a choice that is none is answered with the nearest one`() throws {
    let error = try #require(Self.failure("mask.face-sample=medium"))
    #expect(error.message.contains("it takes median, center-pixel"))
    #expect(error.hint == "did you mean mask.face-sample=median?")
  }

  @Test
  func `an assignment without '=' or with no fraction for a fraction is refused`() {
    #expect(Self.failure("matte.blur")?.hint.contains("name=value") == true)
    #expect(Self.failure("")?.message == "'' is not a parameter assignment.")
    #expect(Self.failure("depth.rate=3/2")?.hint == "for example depth.rate=1/2")
  }

  @Test(arguments: [
    ("0.5", "write depth.rate=1/2"), ("0.33", "write depth.rate=1/3"), ("0.67", "write depth.rate=2/3"),
    (".25", "write depth.rate=1/4"), ("0.9", "write depth.rate=9/10"), ("0.01", "write depth.rate=1/100"),
    ("0.997", "write depth.rate=997/1000"), ("1.0", "write depth.rate=1/1"),
    ("0.0", "for example depth.rate=1/2"), ("1.5", "for example depth.rate=1/2"), ("nan", "for example depth.rate=1/2"),
  ])
  func `a decimal for a fraction is answered with the fraction`(text: String, hint: String) throws {
    let error = try #require(Self.failure("depth.rate=\(text)"))
    #expect(
      error.message == "'\(text)' is not a valid value for depth.rate: it takes a fraction p/q above 0 and at most 1.")
    #expect(error.hint == hint)
  }

  @Test
  func `both ends of a range are valid, and values come back as they were set`() throws {
    var set = Self.set
    for text in ["0", "64", "2.5", "1e1"] {
      try set.set("matte.blur=\(text)")
      #expect(set[PipelineParameters.matte.blur] == Double(text))
    }
    try set.set("mask.face-sample=center-pixel")
    #expect(set[PipelineParameters.mask.faceSample] == .centerPixel)
    try set.set("count=8")
    #expect(set[Self.count] == 8)
    try set.set("depth.rate=2/4")
    #expect(set[Self.fraction] == Fraction(1, 2))
    try set.set("composite.background=a=b.png")
    #expect(set[PipelineParameters.composite.background] == "a=b.png")
  }

  @Test
  func `equal values have one canonical text, however they were written`() throws {
    var (a, b) = (Self.set, Self.set)
    try a.set("matte.blur=2.50")
    try a.set("depth.rate=4/8")
    try a.set("mask.start=1.0")
    try b.set("matte.blur=25e-1")
    try b.set("depth.rate=1/2")
    #expect(a == b)
    #expect(a.canonicalText == b.canonicalText)
    #expect(a.canonicalText.contains("matte.blur=2.5\n") && a.canonicalText.contains("depth.rate=1/2\n"))
    #expect(a.canonicalText != Self.set.canonicalText)
  }
}

@Suite struct FractionTests {
  @Test
  func `a fraction is above 0 and at most 1, in lowest terms`() throws {
    for (text, numerator, denominator) in [
      ("1/1", 1, 1), ("1", 1, 1), ("2/4", 1, 2), ("1/2", 1, 2), ("6/9", 2, 3), ("1/1000000", 1, 1_000_000),
      ("999999/1000000", 999_999, 1_000_000), ("30/30", 1, 1),
    ] {
      let fraction = try #require(Fraction(text), "\(text)")
      #expect(fraction.numerator == numerator && fraction.denominator == denominator)
      #expect(Fraction(fraction.description) == fraction)
    }
    #expect(Fraction(2, 4) == Fraction(1, 2))
    #expect(Fraction(2, 4)?.description == "1/2")
    #expect(Fraction.one.description == "1/1")
  }

  @Test(arguments: [
    "0", "3/2", "1/0", "0/0", "0/1", "-1/2", "-1/-2", "1/-2", "half", "", "/", "1/", "/2", "1/2/3", "0.5",
    "1 / 2",
    "2", "1/1000001", "99999999999999999999/1", "1/99999999999999999999",
  ])
  func `what is no such fraction is refused`(text: String) {
    #expect(Fraction(text) == nil)
  }
}

@Suite struct SpellingTests {
  @Test
  func `the nearest word has the fewest slips; the first of equals; none that is too far`() {
    #expect(Spelling.nearest(to: "kitten", in: ["mitten", "sitting"]) == "mitten")
    #expect(Spelling.nearest(to: "ac", in: ["abc", "acd"]) == "abc")
    #expect(Spelling.nearest(to: "ofset", in: ["reset", "offset"]) == "offset")
    #expect(Spelling.nearest(to: "offfset", in: ["off", "offset"]) == "offset")
    #expect(Spelling.nearest(to: "", in: ["long", "a"]) == "a")
    #expect(Spelling.nearest(to: "x", in: []) == nil)
    #expect(Spelling.nearest(to: "blur", in: ["gamma", "blur"]) == "blur")
    #expect(Spelling.nearest(to: "tabel", in: ["report", "table"]) == "table")
    #expect(Spelling.nearest(to: "blur", in: ["matte.grow", "matte.blur"]) == "matte.blur")
    #expect(Spelling.nearest(to: "fault.drop", in: ["fault.seed", "fault.color-drop"]) == "fault.color-drop")
    #expect(Spelling.nearest(to: "no", in: ["face", "none"]) == "none")
    #expect(Spelling.guess("iuo", in: ["iou"]) == "did you mean iou? ")
    #expect(Spelling.guess("stop", in: ["tag"]).isEmpty)
    let verbs = ["verify", "faces", "devices", "recover", "trim", "tag", "export", "doctor"]
    for word in ["stop", "version", "docs", "delete", "convert", "tutorial"] {
      #expect(Spelling.nearest(to: word, in: verbs) == nil, "\(word)")
    }
  }
}
