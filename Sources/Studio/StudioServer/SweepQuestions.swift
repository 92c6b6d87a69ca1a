import NIOHTTP1
import Replay
import Scores
import StudioViews
import Support
import Sweeps

/// Answers a page's questions about its sweep.
struct SweepQuestions: Sendable {
  static let path = "/api/sweep"
  private static let paths = Set(["", "/forecast", "/run", "/stop"].map { path + $0 })
  /// Of one answer; the page asks again for others.
  private static let rowLimit = 1000
  private static let termLimit = 32

  struct Wish: Decodable {
    struct Term: Decodable {
      /// As on the command line: scan, list or range.
      var kind: String
      var name: String
      var values: String
    }

    var from: Int
    var to: Int
    var setting: Question.Setting
    var terms: [Term]
    var scores: [String]
    /// Of a search, as `--best` and `--budget` take them.
    var best: String?
    var budget: String?
  }

  let watch: SweepWatch
  let settings: SettingReader
  /// Checks a span.
  let span: @Sendable (Int, Int) throws(RetakeError) -> ViewSpan

  func answer(_ request: StudioRequest) throws(RetakeError) -> StudioResponse {
    switch (request.method, request.path) {
    case (.GET, Self.path):
      return .json(progress(after: request.query["after"].flatMap { Int($0) } ?? 0))
    case (.POST, Self.path + "/forecast"):
      let (sweep, forecast) = try watch.forecast(wish(request.body))
      return .json(Self.json(sweep, forecast))
    case (.POST, Self.path + "/run"):
      try watch.begin(wish(request.body))
      return .json(progress(after: 0))
    case (.POST, Self.path + "/stop"):
      watch.stop()
      return .json(progress(after: .max))
    default: return Self.paths.contains(request.path) ? .wrongMethod : .notFound(request.path)
    }
  }

  private func wish(_ body: [UInt8]) throws(RetakeError) -> SweepWish {
    let question = try Question.read(Wish.self, body)
    guard question.terms.count <= Self.termLimit else {
      throw RetakeError(
        .usage, "A sweep on the page varies at most \(Self.termLimit) parameters.", hint: "leave some out")
    }
    var definition = SweepDefinition()
    for term in question.terms {
      guard let kind = SweepTerm.Kind(rawValue: term.kind) else {
        throw RetakeError(.usage, "'\(term.kind)' is no kind of values.", hint: "reload the page")
      }
      let read = try SweepTerm(kind, "\(term.name)=\(term.values)", ReplaySession.declarations)
      // Files are only those that the person named.
      if case .list(let values) = read.dimension.values {
        for value in values { try settings.checkFile(value, of: term.name) }
      }
      definition.terms.append(read)
    }
    let best = question.best.map { $0.filter { !$0.isWhitespace } }
    return SweepWish(
      setting: try settings.setting(question.setting), span: try span(question.from, question.to),
      definition: definition, scores: try question.scores.map { name throws(RetakeError) in try ScoreKind.named(name) },
      search: try best.map { best throws(RetakeError) in
        try SweepWish.Search(best: best, budget: question.budget.flatMap { $0.isEmpty ? nil : $0 })
      })
  }

  private static func json(_ sweep: PreparedSweep, _ forecast: PreparedSweep.Forecast) -> JSONObject {
    JSONObject([
      "settings": forecast.settingCount, "hasRange": forecast.hasRange, "done": forecast.doneCount,
      "frames": forecast.frameCount, "bytes": forecast.byteCount, "seconds": forecast.seconds,
      "searched": forecast.searchedCount, "isWhole": forecast.isWholeGrid, "finalists": forecast.finalistCount,
      "path": sweep.path,
      "command": sweep.command, "notes": sweep.sentences,
    ])
  }

  private func progress(after revision: Int) -> JSONObject {
    let progress = watch.progress
    var object = JSONObject(["phase": progress.phase.rawValue, "number": progress.number])
    guard let sweep = progress.sweep else { return object }
    let rows = progress.rows.changed(after: revision, most: Self.rowLimit)
    let span = sweep.wish.span.frames
    object.add([
      "done": progress.doneFrameCount, "total": progress.frameCount, "seconds": progress.seconds,
      "path": sweep.path, "command": sweep.command, "report": Self.reportCommand(sweep.path),
      "from": span.lowerBound, "to": span.upperBound, "frames": span.count, "isSearch": sweep.wish.search != nil,
      "best": sweep.wish.search?.best, "budget": sweep.wish.search?.budget?.description,
      "setting": SweepTableAnswer.setting(sweep.wish.setting.preset, sweep.wish.setting.parameters.entries),
      "axes": sweep.wish.definition.terms.filter { sweep.tried.contains($0.name) }.map(Self.axis),
      "tried": sweep.tried, "columns": SweepTableAnswer.columns(sweep.scores),
      "rows": rows.map(SweepTableAnswer.row), "revision": rows.last?.revision ?? min(revision, progress.rows.revision),
      "latest": progress.rows.revision, "notes": sweep.sentences + progress.notes,
    ])
    if let failure = progress.failure {
      object.add("error", JSONObject(["message": failure.message, "hint": failure.hint]))
    }
    return object
  }

  private static func axis(_ term: SweepTerm) -> JSONObject {
    var object = JSONObject(["name": term.name, "kind": term.kind.rawValue, "values": term.text])
    switch term.dimension.values {
    case .list(let values): object.add("list", values)
    case .range(let range, let isLogarithmic):
      object.add(["low": range.lowerBound, "high": range.upperBound, "log": isLogarithmic])
    }
    return object
  }

  private static func reportCommand(_ path: String) -> String {
    ShellWord.joined(["retake", "sweep", "report", path, "-o", Folder.freePath("report", ".html")])
  }
}
