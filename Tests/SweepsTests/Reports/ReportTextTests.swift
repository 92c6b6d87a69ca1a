import Foundation
import FrameModel
import Support
import Sweeps
import TestSupport
import Testing

/// Texts of a report.
@Suite(.long) struct ReportTextTests {
  @Test(arguments: [
    "plain.retake", "", "two words", "it's", "$(touch x)`touch y`", "a\nb", "-o", "\\n\"*?[~", "ünïcode", "!x #y",
    "\u{1B}[31m'\\ \u{85}ü1\u{7F}",
  ])
  func `a word for a shell comes back from it as it was`(word: String) throws {
    let child = try ChildProcess.run("/bin/bash", ["-c", "printf %s " + ShellWord.quoted(word)])
    #expect(child.text == word)
  }

  @Test
  func `control characters are written as numbers`() {
    #expect(ShellWord.quoted("a\u{1B}]0;\u{7}'\\\u{E9}") == "$'a\\033]0;\\007\\047\\134\\303\\251'")
  }

  @Test(
    arguments: [
      ("--list 'matte.blur=1,2' --set 'a=it'\\''s $HOME; ü'", true), ("", true), ("a; touch x", false),
      ("$(touch x)", false), ("`x`", false), ("'open", false), ("a\nb", false), ("'a\nb'", false), ("\\$x", false),
      ("a\\", false), ("~/x", false), ("'a'>b", false), ("a #b", false),
      (ShellWord.joined(["a\u{85}b", "it's\na \\ b", "x y"]), true), ("$x", false), ("$'a", false), ("$'\\x41'", false),
      ("$'\\09'", false), ("$'a\nb'", false), ("$'\\07", false),
    ] as [(String, Bool)])
  func `words that are quoted already stay, and what a shell would act upon becomes one word`(
    words: String, isKept: Bool
  ) {
    #expect(Escaping.inert(words) == (isKept ? words : ShellWord.quoted(words)))
  }

  @Test
  func `a path is never an option`() { #expect(Escaping.shellPath("-x") == "./-x") }

  @Test
  func `a command sets what the preset does not have by itself, and plays the frames that were scored`() throws {
    var sweep = SampleSweep.line(4, recordings: 1)
    sweep.identity.recordings[0].frames = 10..<200
    sweep.identity.recordings[0].every = 3
    let setting = sweep.identity.settings[3]
    let known = ReplayWords(sweep.identity, presetValues: SampleSweep.presetValues)
    #expect(
      known.commands(setting)
        == "retake replay take-0.retake --preset soft --set mask.close=3 --set matte.blur=12.0000 --set mask.offset=0.3 "
        + "--set depth.rate=1/1 --from 10 --to 199 --every 3 --output sheet:setting-3.png")
    let unknown = ReplayWords(sweep.identity, presetValues: nil)
    #expect(unknown.commands(setting).contains("--set depth.hold=true --set mask.close=3"))
  }

  @Test(arguments: [
    (PageFiles.style, PageFiles.styleSource), (PageFiles.script, PageFiles.scriptSource),
  ])
  func `the page's policy names its own style and script`(file: String, source: String) throws {
    let program =
      "import base64,hashlib,sys; print('sha256-'+base64.b64encode(hashlib.sha256(sys.argv[1].encode()).digest()).decode())"
    #expect(try ChildProcess.run(Checkout.python, ["-c", program, file]).text == source + "\n")
  }

  @Test
  func `numbers are written in decimals, rounded half away from zero`() {
    #expect(Figure.fixed(0.125, 2) == "0.13")
    #expect(Figure.fixed(-0.125, 2) == "−0.13")
    #expect(Figure.fixed(-0.001, 2) == "0.00")
    #expect(Figure.fixed(1234.5, 0) == "1235")
    #expect(Figure.fixed(9.999, 2) == "10.00")
    #expect(Figure.fixed(1e300, 2) == "1e+300")
    #expect(Figure.signed(0.004, 2) == "0.00")
    #expect(Figure.signed(0.02, 2) == "+0.02")
    #expect(Figure.json(-1.5, 4) == "-1.5")
    #expect(Figure.json(100, 0) == "100")
    #expect(Figure.count(-1_234_567) == "−1,234,567")
    #expect(Figure.counted(1, "setting") == "1 setting")
  }

  @Test
  func `as many decimals are shown as make differences seen`() {
    #expect(Figure.decimals(for: [0.9, 0.95]) == 4)
    #expect(Figure.decimals(for: [800, 2400]) == 0)
    #expect(Figure.decimals(for: [0.5]) == 3)
    #expect(Figure.decimals(for: [0, 0]) == 1)
    #expect(Figure.decimals(for: [1, 1 + 1e-15]) == Figure.mostDecimals)
  }

  @Test(
    arguments: [
      ("4", 4.0), ("1/4", 0.25), ("-0.5", -0.5), ("1e3", 1000), ("1/0", nil), ("nan", nil), ("true", nil),
      ("1/2/3", nil), ("", nil),
      ("0x10", nil), ("/", nil), ("1e100", 1e100), ("-1e101", nil), ("1/1e-200", nil),
    ] as [(String, Double?)])
  func `texts of parameters are numbers where they look like it`(text: String, value: Double?) {
    #expect(Figure.number(text) == value)
  }
}
