import Foundation
import FrameModel
import Scores
import Support
import Sweeps
import TestSupport
import Testing

/// Results as tables.
@Suite(.long) struct TableTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func python(_ script: String, _ arguments: String...) throws -> String {
    let result = try ChildProcess.run(Checkout.python, ["-c", script] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result.text
  }

  /// What Python is to find: in a form that both write alike.
  private func expected(_ fixture: SweepFixture) -> [[String]] {
    fixture.runs.map { run in
      let setting = fixture.identity.settings[run.key.setting]
      func parameter(_ name: String) -> String { setting.parameters.first { $0.name == name }?.value ?? "" }
      let recording = fixture.identity.recordings[run.key.recording]
      var cells = [
        "\(run.key.setting)", recording.id, recording.path, parameter("matte.blur"),
        bits(Double(parameter("mask.offset"))), parameter("depth.rate"),
      ]
      switch run.outcome {
      case .scored(let scores):
        cells += fixture.identity.scores.map { bits(scores.summary[$0]) } + [bits(run.cost?.milliseconds), "none"]
      case .failed(let error):
        cells += fixture.identity.scores.map { _ in "none" } + [bits(run.cost?.milliseconds), error]
      }
      return cells
    }
  }

  private func bits(_ value: Double?) -> String {
    value.map { String($0.bitPattern, radix: 16) } ?? "none"
  }

  /// Prints every row of a frame as `expected` has them.
  private static let printRows = """

    import json, struct, numpy
    def bits(v): return "none" if v is None or v != v else f"{struct.unpack('<Q', struct.pack('<d', v))[0]:x}"
    def text(v): return v if isinstance(v, str) else "none"
    columns = list(table.columns)
    first, last = columns.index("matte.blur"), columns.index("cost_ms")
    assert columns[:first] == ["setting", "recording", "path", "frames", "missing", "truth_frames"], columns
    assert columns[first:first + 3] == ["matte.blur", "mask.offset", "depth.rate"], columns
    assert columns[last:] == ["cost_ms", "error"], columns
    rows = []
    for row in table.itertuples(index=False):
        row = list(row)
        rows.append([str(row[0]), row[1], row[2], str(row[first]), bits(float(row[first + 1])), row[first + 2]]
            + [bits(v) for v in row[first + 3:last + 1]] + [text(row[last + 1])])
    print(json.dumps(rows))
    """

  @Test
  func `pandas reads the view in one line, to the bit`() throws {
    let fixture = SweepFixture(settings: 13)
    let path = try fixture.write(folder.path("sweep.sqlite"))
    let script = """
      import pandas, sqlite3, sys
      table = pandas.read_sql("select * from result", sqlite3.connect(sys.argv[1]))
      assert table["matte.blur"].dtype == "int64", table.dtypes
      assert table["mask.offset"].dtype == "float64" and table["boundary-f"].dtype == "float64", table.dtypes
      """
    let rows = try JSONDecoder().decode([[String]].self, from: Data(python(script + Self.printRows, path).utf8))
    #expect(areSame(rows, expected(fixture)))
    #expect(try Folder.names(in: folder.path) == ["sweep.sqlite"])
  }

  @Test
  func `while a sweep writes, and after one was killed, pandas reads what is there`() throws {
    let fixture = SweepFixture()
    let path = folder.path("sweep.sqlite")
    let writer = try SweepResultsFile.create(path, fixture.identity)
    try writer.write(fixture.runs[0])
    let script = """
      import pandas, sqlite3, sys
      print(len(pandas.read_sql("select * from result", sqlite3.connect(sys.argv[1]))))
      """
    #expect(try python(script, path) == "1\n")
    try writer.write(fixture.runs[1])
    #expect(try python(script, path) == "2\n")
  }

  @Test
  func `CSV is read back to the bit by others, with quotes, commas and line breaks in its texts`() throws {
    let fixture = SweepFixture(settings: 13)
    let text = try SweepTableText(fixture.identity).csv(
      SweepResultsFile.open(fixture.write(folder.path("sweep.sqlite"))).summaries())
    try FileBytes.write(Array(text.utf8), to: folder.path("a.csv"))
    let script = """
      import pandas, sys
      table = pandas.read_csv(sys.argv[1], float_precision="round_trip")
      """
    let rows = try JSONDecoder().decode(
      [[String]].self, from: Data(python(script + Self.printRows, folder.path("a.csv")).utf8))
    #expect(areSame(rows, expected(fixture)))
    #expect(text.hasPrefix("setting,recording,path,frames,missing,truth_frames,matte.blur,mask.offset,depth.rate,iou,"))
    #expect(text.hasSuffix("\r\n"))
    #expect(text.contains("\"It does not work: \"\"3\"\", ever.\""))
    #expect(text.contains(",\"clips/walk, 0.retake\","))
  }

  @Test
  func `JSON is read back to the bit by others`() throws {
    let fixture = SweepFixture(settings: 13)
    let text = try SweepTableText(fixture.identity).json(
      SweepResultsFile.open(fixture.write(folder.path("sweep.sqlite"))).summaries())
    try FileBytes.write(Array(text.utf8), to: folder.path("a.json"))
    let script = """
      import json, pandas, sys
      table = pandas.DataFrame(json.load(open(sys.argv[1])))
      assert set(table.pop("format_version")) == {1}
      """
    let rows = try JSONDecoder().decode(
      [[String]].self, from: Data(python(script + Self.printRows, folder.path("a.json")).utf8))
    #expect(areSame(rows, expected(fixture)))
  }

  @Test
  func `of no runs a table has its names, and a list nothing`() {
    let tables = SweepTableText(SweepFixture(scores: [.iou, .flicker]).identity)
    let names = "setting,recording,path,frames,missing,truth_frames,matte.blur,mask.offset,depth.rate,iou,flicker"
    #expect(tables.csv([]) == names + ",cost_ms,error\r\n")
    #expect(tables.json([]) == "[]\n")
    let key = RunKey(setting: 0, recording: 0)
    #expect(tables.csv(key, []) == "")
    #expect(tables.jsonLines(key, []) == "")
  }

  @Test
  func `frames have a line each, with the scores that are of frames`() {
    let tables = SweepTableText(SweepFixture(scores: [.iou, .flicker, .lag]).identity)
    var row = ScoreRow()
    (row[.iou], row[.lag]) = (1.0 / 3, 2)
    let frames = [
      ScoredFrame(number: 35, hasMatte: true, scores: row),
      ScoredFrame(number: 30, hasMatte: false, scores: ScoreRow()),
    ]
    let key = RunKey(setting: 3, recording: 1)
    #expect(tables.frameHeader == "setting,recording,frame,has_matte,iou,flicker\r\n")
    #expect(tables.csv(key, frames) == "3,0123-1,35,1,0.3333333333333333,\r\n3,0123-1,30,0,,\r\n")
    #expect(
      tables.jsonLines(key, frames) == """
        {"format_version":1,"setting":3,"recording":"0123-1","frame":35,"has_matte":1,"iou":0.3333333333333333,"flicker":null}
        {"format_version":1,"setting":3,"recording":"0123-1","frame":30,"has_matte":0,"iou":null,"flicker":null}

        """)
  }

  @Test
  func `a parameter is a column of numbers only where it is one in every setting`() {
    func table(_ values: [String]) -> String {
      var identity = SweepFixture(settings: values.count, recordings: 1, scores: [.iou]).identity
      identity.tried = ["matte.blur"]
      for (place, value) in values.enumerated() { identity.settings[place].parameters[2].value = value }
      let summaries = values.indices.map {
        RunSummary(
          key: RunKey(setting: $0, recording: 0), outcome: .scored(ScoreRow()), frameCount: 1, missingCount: 0,
          cost: nil)
      }
      let objects = SweepTableText(identity).json(summaries).split(separator: "matte.blur\":").dropFirst()
      return objects.map { String($0.prefix { $0 != "," }) }.joined(separator: " ")
    }
    #expect(table(["1", "-2", "30"]) == "1 -2 30")
    #expect(table(["1", "2.5", "1e-05"]) == "1.0 2.5 1e-05")
    #expect(table(["1", "1/2"]) == "\"1\" \"1/2\"")
    #expect(table(["1", "nan"]) == "\"1\" \"nan\"")
    #expect(table(["1", "0x10"]) == "\"1\" \"0x10\"")
    #expect(table(["1", ""]) == "\"1\" \"\"")
    #expect(table(["#00ff00", "1"]) == "\"#00ff00\" \"1\"")
  }
}
