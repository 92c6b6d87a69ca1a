import FrameModel
import Parameters
import Support
import Testing

@Suite struct YAMLDocumentTests {
  private func entries(_ text: String) throws -> [String] {
    try YAMLDocument(text, name: "a.yaml").entries.map { "\($0.line) \($0.key)=\($0.values.joined(separator: "|"))" }
  }

  private func error(_ text: String) throws -> RetakeError {
    try #require(throws: RetakeError.self) { try YAMLDocument(text, name: "a.yaml") }
  }

  @Test func `groups and dotted names are the same, with the line of each`() throws {
    let text = """
      # comment with *stars* in it
      matte: {blur: 5, gamma: "0.5"}
      mask:
        focus: 0.6   # 1/m
      depth.rate: 1/2
      a:
        b.c: [1, 2, x]
      """
    #expect(
      try entries(text) == [
        "2 matte.blur=5", "2 matte.gamma=0.5", "4 mask.focus=0.6", "5 depth.rate=1/2", "7 a.b.c=1|2|x",
      ])
    #expect(try entries("").isEmpty)
    #expect(try entries("# nothing\n").isEmpty)
  }

  @Test func `an asterisk or an ampersand alone is no alias`() throws {
    #expect(try entries("a: \"*b\"\nc: x*y # *z*") == ["1 a=*b", "2 c=x*y"])
    #expect(try entries("a: &b 1\nc: '&d'") == ["1 a=1", "2 c=&d"])
    #expect(try error("a: 1\r\nb: *c\r\n").message.contains("invalid YAML"))
    #expect(try error("a: &b 1\r\nc: *b\r\n").message.hasPrefix("a.yaml:2: YAML aliases (*name)"))
  }

  @Test func `values are kept as they are written`() throws {
    #expect(
      try entries("a: yes\nb: 1.50\nc: '#102030'\nd: 0x10\ne: a & b") == [
        "1 a=yes", "2 b=1.50", "3 c=#102030", "4 d=0x10", "5 e=a & b",
      ])
  }

  @Test(arguments: [
    ("a: [1", 1, "invalid YAML"), ("x: 1\na:\n  b: 1\n  b: 2", 3, "'b' is given twice"),
    ("a: {b: 1}\na.b: 2", 2, "first on line 1"), ("- 1\n- 2", 1, "mapping of names to values"),
    ("text", 1, "mapping of names to values"),
    ("a: 1\n? [x]\n: 2", 2, "expected a name"),
    ("x: &a 1\ny: *a", 2, "aliases"), ("x: &a [1]\ny: [*a, *a]", 2, "aliases"), ("a: [[1]]", 1, "plain values"),
    ("a: 1\n---\nb: 2", 2, "expected a single YAML document"),
    ("\ta: 1", 1, "invalid YAML"), ("a: \"1", 1, "invalid YAML"),
  ])
  func `what is no such file is refused with name and line`(text: String, line: Int, words: String) throws {
    let error = try error(text)
    #expect(error.code == .usage)
    #expect(error.message.hasPrefix("a.yaml:"), "\(error.message)")
    if words != "invalid YAML" { #expect(error.message.hasPrefix("a.yaml:\(line):"), "\(error.message)") }
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test func `hostile files are refused at once: aliases of aliases, deep nesting, too much of it`() throws {
    // A billion laughs, hidden from a reader who knows quotes.
    var bomb = "a: \"it's\"\nb0: &b0 [x, x, x, x, x, x, x, x, x]\n"
    for i in 1...30 { bomb += "b\(i): &b\(i) [*b\(i - 1), *b\(i - 1), *b\(i - 1), *b\(i - 1)]\n" }
    #expect(try error(bomb).message.contains("aliases"))
    // Behind what is a line to the parser alone, and in a line that is a comment to everybody else.
    for breaker in ["\u{85}", "\u{2028}", "\u{2029}", "\"\n# \"", "] #\n, ["] {
      var keys = "{ ? &a0 [x, x] : 0"
      for i in 1...40 { keys += ", ? &a\(i) [\(breaker)*a\(i - 1),\(breaker)*a\(i - 1)] : \(i)" }
      #expect(try error(keys + " }").message.contains("aliases"), "\(breaker)")
    }
    _ = try error(String(repeating: "{? ", count: 80_000))
    _ = try error(String(repeating: "[", count: 100_000))
    _ = try error(String(repeating: "{a: ", count: 60_000))
    let deep = (0..<20).map { String(repeating: " ", count: $0) + "k\($0):" }.joined(separator: "\n") + " 1"
    #expect(try error(deep).message.contains("too deep"))
    let many = (0..<20_000).map { "k\($0): 1" }.joined(separator: "\n")
    #expect(try error(many).message.contains("too many entries"))
  }
}

@Suite struct ParameterFileTests {
  /// Words that YAML reads as something else unless they are quoted.
  private enum HardWord: String, ParameterChoice {
    case none, null
    case yes = "true"
    case number = "1.0"
  }

  private static let declarations = [
    Parameter<Double>("matte.blur", unit: "px", 0...64, default: 5, help: "how soft").declaration,
    Parameter<Int>("mask.count", -4...9, default: 1, help: "how many").declaration,
    Parameter<Bool>("mask.soft", default: false, help: "whether").declaration,
    Parameter<RGBColor>("composite.color", default: .black, help: "which").declaration,
    Parameter<Fraction>("depth.rate", default: .one, help: "how often").declaration,
    Parameter<String>.path("composite.background", help: "what").declaration,
    Parameter<HardWord>("mask.kind", help: "how").declaration,
  ]

  private func parsed(_ text: String) throws -> ParameterSet {
    var set = ParameterSet(Self.declarations)
    try ParameterFile(YAMLDocument(text, name: "p.yaml")).apply(to: &set)
    return set
  }

  @Test func `a set reads back from its YAML, whatever its values look like`() throws {
    for assignments in [
      [], ["matte.blur=0.1", "mask.count=-4", "mask.soft=true", "composite.color=#0a0b0c", "depth.rate=2/3"],
      ["mask.kind=null", "composite.background=/a b/c: \"d\" \\ # e\u{7}\u{2028}ä.png"],
      ["mask.kind=true", "composite.background=null"],
      ["mask.kind=1.0", "composite.background=- x"], ["composite.background=~"], ["composite.background=*a"],
      ["composite.background= *a"], ["composite.background= *a &a"],
    ] {
      var set = ParameterSet(Self.declarations)
      for assignment in assignments { try set.set(assignment) }
      let text = set.yamlText(preset: "some-preset")
      #expect(try parsed(text) == set, "\(text)")
      #expect(try ParameterFile(YAMLDocument(text, name: "p.yaml")).preset == "some-preset")
    }
  }

  @Test func `nothing for a path is none, and a group of comments is nothing`() throws {
    #expect(try parsed("composite.background:\nmatte:\n  # blur: 3\n") == ParameterSet(Self.declarations))
  }

  @Test(arguments: [
    ("a: 1", ["p.yaml:1:", "'a'"]), ("matte:\n  blurr: 3", ["p.yaml:2:", "'matte.blurr'", "did you mean matte.blur"]),
    ("mask.count: 1\nmatte: {blur: 65}", ["p.yaml:2:", "matte.blur=65", "nearest valid value is 64"]),
    ("composite.color: #102030", ["p.yaml:1:", "composite.color has no value", "quotes"]),
    ("matte.blur: [1, 2]", ["p.yaml:1:", "not a list"]), ("mask.soft: maybe", ["p.yaml:1:", "mask.soft"]),
    ("preset: [a]", ["p.yaml:1:", "preset", "lists the valid names"]),
    ("matte: 5", ["p.yaml:1:", "matte is a group", "matte.blur"]), ("mask: [1]", ["mask is a group", "mask.count"]),
    ("mask.kind: no", ["p.yaml:1:", "did you mean mask.kind=none"]),
  ])
  func `a mistake is told with file, line, name and the nearest`(text: String, words: [String]) throws {
    let error = try #require(throws: RetakeError.self) { try parsed(text) }
    #expect(error.code == .usage)
    for word in words { #expect("\(error)".contains(word), "\(error)") }
  }
}
