import FrameModel
import Parameters
import Support
import Sweeps
import Testing

@Suite struct SweepDimensionTests {
  private static func values(_ dimension: SweepDimension) -> [String] {
    if case .list(let values) = dimension.values { values } else { [] }
  }

  @Test(arguments: [
    ("matte.blur=1..4:1", ["1", "2", "3", "4"]),
    // In binary floating point the third would be 0.30000000000000004, and the last beyond the end.
    ("matte.blur=0.1..0.5:0.1", ["0.1", "0.2", "0.3", "0.4", "0.5"]),
    ("matte.blur=1..16:*2", ["1", "2", "4", "8", "16"]),
    ("matte.blur=1..5:*1.5", ["1", "1.5", "2.25", "3.375"]),
    ("mask.offset=-0.2..0.1:0.15", ["-0.2", "-0.05", "0.1"]),
    ("depth.passes=0..5:2", ["0", "2", "4"]),
    ("matte.blur=3..3:1", ["3"]), ("matte.blur=.5..2:.5", ["0.5", "1", "1.5", "2"]),
  ])
  func `a scan goes from end to end by whole steps`(text: String, expected: [String]) throws {
    #expect(try Self.values(.scan(text, SweepParameters.all)) == expected)
  }

  @Test func `a list is what the parameter takes, each once`() throws {
    #expect(try Self.values(.list("depth.rate=1/1,1/2,2/4, 1/3", SweepParameters.all)) == ["1/1", "1/2", "1/3"])
    #expect(try Self.values(.list("mask.soft=yes,no", SweepParameters.all)) == ["true", "false"])
  }

  @Test(arguments: [
    ("matte.blurr=1..2:1", "did you mean matte.blur"), ("matte=1..2:1", "group"),
    ("matte.blur", "does not give a parameter"),
    ("matte.blur=1..2", "is not a range with a step"), ("matte.blur=5..2:1", "empty"),
    ("matte.blur=1..2:0", "not a valid step"),
    ("matte.blur=1..2:-1", "not a valid step"), ("matte.blur=1..inf:1", "not a range with a step"),
    ("matte.blur=1..nan:1", "not a range with a step"),
    ("matte.blur=1..99:1", "out of range"), ("matte.blur=0..8:*2", "above 0"), ("matte.blur=1..8:*1", "above 1"),
    ("matte.blur=0..64:0.000001", "larger step"), ("mask.kind=1..2:1", "is not a number"),
    ("depth.passes=0..2:0.5", "whole"),
    ("matte.blur=1..2:1e-3", "not a valid step"), ("matte.blur=..2:1", "not a range with a step"),
    ("matte.blur=", "not a range with a step"),
    ("matte.blur=1..1000000000000000000000:1", "not a range with a step"),
  ])
  func `a scan that is off is told in a sentence`(text: String, word: String) {
    let said = message { () throws(RetakeError) in _ = try SweepDimension.scan(text, SweepParameters.all) }
    #expect(said.hasPrefix("usage") && said.contains(word), "\(said)")
  }

  @Test(arguments: [
    ("mask.kind=face,cat", "mask.kind=face"), ("depth.rate=1/2,2/1", "fraction"),
    ("mask.offset=0.1,,0.2", "not a number"),
    ("mask.offset=", "not a number"),
  ])
  func `a list that is off is told in a sentence`(text: String, word: String) {
    let said = message { () throws(RetakeError) in _ = try SweepDimension.list(text, SweepParameters.all) }
    #expect(said.hasPrefix("usage") && said.contains(word), "\(said)")
  }

  @Test(arguments: [
    ("matte.blur=2..2", "empty"), ("matte.blur=0..2:log", "above 0"), ("mask.kind=a..b", "is not a number"),
    ("matte.blur=1..2:lag", "is not a range of"), ("matte.blur=1..2e9", "is not a range of"),
    ("matte.blur=1..65", "out of range"), ("matte.blur=0...5", "is not a range of"),
  ])
  func `a range that is off is told in a sentence`(text: String, word: String) {
    let said = message { () throws(RetakeError) in _ = try SweepDimension.range(text, SweepParameters.all) }
    #expect(said.hasPrefix("usage") && said.contains(word), "\(said)")
  }

  @Test(arguments: ["0", "12", "-3", "0.5", "-0.05", "3.375", "123456.000001"])
  func `a decimal reads back as it was written`(text: String) {
    #expect(DecimalNumber(text)?.description == text)
  }

  @Test(arguments: ["", "-", ".", "-.", "5.", "1e3", "0x1", "1.0000000001", "inf", "1 2", "9999999999999999", "٣"])
  func `what is no decimal is none`(text: String) { #expect(DecimalNumber(text) == nil) }
}
