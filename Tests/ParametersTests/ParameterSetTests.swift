import Parameters
import Support
import Testing

@Suite struct ParameterSetTests {
  private let declarations = [
    Parameter<Int>("mask.open", 0...9, default: 2, help: "").declaration,
    Parameter<Double>("matte.blur", 0...9, default: 1.5, help: "").declaration,
    Parameter<Int>("matting.rate", 0...9, default: 3, help: "").declaration,
    Parameter<Bool>("matte.still", default: false, help: "").declaration,
  ]

  @Test func `the text of a group has its parameters in order, and none of a group whose name begins alike`() throws {
    var set = ParameterSet(declarations)
    try set.set("matte.still=true")
    #expect(set.text(ofGroup: "matte") == "matte.blur=1.5\nmatte.still=true\n")
    #expect(set.text(ofGroup: "matting") == "matting.rate=3\n")
    #expect(set.text(ofGroup: "mat").isEmpty)
    #expect(set.canonicalText == "mask.open=2\nmatte.blur=1.5\nmatting.rate=3\nmatte.still=true\n")
  }

  @Test func `an error has only the beginning of a name or value that is as long as a file`() throws {
    let long = String(repeating: "1", count: 200_000)
    for (name, value) in [("mask.open", long), ("matte.blur", long), ("matte.still", long), (long, "1")] {
      var set = ParameterSet(declarations)
      let error = #expect(throws: RetakeError.self) { try set.set(name, to: value) }
      #expect((error?.message.utf8.count ?? 0) + (error?.hint.utf8.count ?? 0) < 500)
    }
  }

  @Test func `sets are equal if declarations and values are, and only then`() throws {
    let one = ParameterSet(declarations)
    var other = ParameterSet(declarations)
    #expect(one == other && one.hashValue == other.hashValue)
    try other.set("mask.open=3")
    #expect(one != other)
    try other.set("mask.open=2")
    #expect(one == other)
    #expect(one != ParameterSet(Array(declarations.dropLast())))
  }
}
