import Dispatch
import FrameModel
import MattePipeline
import NIOHTTP1
import Parameters
import RecordingStore
import Replay
import Scores
import StudioViews
import Support

/// A page for one recording.
package final class RecordingStudio: StudioService {
  package typealias Reply = @Sendable (StudioResponse) -> Void

  private let recording: Recording
  private let firstNumber: Int
  private let frames: Range<Int>
  private let settings: SettingReader
  private let home: String
  private let page: PageFiles
  private let state: StateFile
  private let truth: PaintedTruth
  private let views: [String: StudioView]
  private let watches: [String: ScoreWatch]
  private let pictures: FramePictures
  private let sweeps: SweepWatch
  private let queue = DispatchQueue(label: "retake.studio", attributes: .concurrent)

  /// - Parameters:
  ///   - start: what the page begins with.
  ///   - files: those that the page may choose.
  ///   - pageFolder: see `PageFiles.init`.
  ///   - home: see `SessionAnswer`.
  ///   - sweepTurn: shared with other recordings' pages.
  /// - Throws: `.unsupported` for a recording that cannot be shown.
  package init(
    _ recording: Recording, start: ViewSetting, files: NamedFiles, pageFolder: String? = nil, home: String = "",
    sweepTurn: SweepTurn = SweepTurn()
  ) throws(RetakeError) {
    (self.recording, self.home) = (recording, home)
    firstNumber = try recording.firstNumber()
    let count = try recording.frameSetCount()
    try PlayOrder.everything.within(count).checkPlays(count, of: recording.folder.path, firstNumber: firstNumber)
    frames = firstNumber..<firstNumber + count
    settings = SettingReader(start: start, named: files)
    page = try PageFiles(folder: pageFolder)
    state = StateFile(of: recording)
    truth = try PaintedTruth(recording)
    let cache = PictureCache()
    var (views, watches): ([String: StudioView], [String: ScoreWatch]) = ([:], [:])
    for name in ["a", "b"] {
      views[name] = StudioView(recording, firstNumber: firstNumber, cache: cache)
      watches[name] = ScoreWatch(recording, firstNumber: firstNumber, truth: truth)
    }
    (self.views, self.watches) = (views, watches)
    pictures = FramePictures(recording, firstNumber: firstNumber)
    sweeps = SweepWatch(recording, frames: frames, truth: truth, turn: sweepTurn)
    // While the browser opens the page.
    queue.async { [weak self] in
      guard let self, let first = firstPicture() else { return }
      self.views["a"]?.show(first) { _ in }
    }
  }

  /// What the page shows first, unless it comes from a link; nil if that cannot be told.
  private func firstPicture() -> ViewRequest? {
    let begin = Question.State(frame: frames.lowerBound, from: frames.lowerBound, to: frames.upperBound, a: .init())
    let saved = state.read().flatMap { try? Question.read(Question.State.self, Array($0.utf8)) } ?? begin
    guard let span = try? span(saved.from, saved.to), span.frames.contains(saved.frame) else { return nil }
    let setting = saved.a.preset == nil ? settings.start : (try? settings.setting(saved.a)) ?? settings.start
    return ViewRequest(frame: saved.frame, span: span, setting: setting)
  }

  package var isSweeping: Bool { sweeps.progress.isRunning }

  package func finish() { sweeps.finish() }

  package func answer(_ request: StudioRequest, reply: @escaping Reply) {
    if let file = page.answer(request) { return reply(file) }
    queue.answer(reply) { [self] () throws(RetakeError) in try route(request, reply) }
  }

  /// A painted matte is larger than other questions.
  package func bodyLimit(_ method: HTTPMethod, _ path: String) -> Int {
    min(Self.largestBodyLimit(method, path), Self.isMatte(method, path) ? truth.byteCount : .max)
  }

  /// For a recording that is not open yet.
  static func largestBodyLimit(_ method: HTTPMethod, _ path: String) -> Int {
    isMatte(method, path) ? 64 << 20 : OpenQuestions.bodyLimit(path) ?? RequestHandler.usualBodyLimit
  }

  private static func isMatte(_ method: HTTPMethod, _ path: String) -> Bool {
    (method, path) == (.PUT, "/api/truth/planes")
  }

  private func route(_ request: StudioRequest, _ reply: @escaping Reply) throws(RetakeError) {
    let (method, body) = (request.method, request.body)
    switch (method, request.path) {
    case (.GET, "/api/session"):
      let answer = SessionAnswer(recording: recording, firstNumber: firstNumber, settings: settings, home: home)
      reply(.text(try answer.json(state: state.read()), type: "application/json"))
    case (.GET, "/api/first"):
      guard let first = firstPicture(), let view = views["a"] else { return reply(.nothing) }
      view.show(first) { result in
        reply((try? result.get()).map { PictureAnswer.unasked($0, to: first) } ?? .nothing)
      }
    case (.POST, "/api/frame"): try showPicture(Question.read(Question.Picture.self, body), reply)
    case (.GET, "/api/thumbnail"): try showThumbnail(request, reply)
    case (.GET, "/api/timeline"):
      let span = try span(Self.number(request, "from"), Self.number(request, "to"))
      let count = try Self.number(request, "buckets", in: Timeline.bucketLimits)
      reply(.json(try timeline.parts(span.frames, bucketCount: count)))
    case (.POST, "/api/delivery"):
      let question = try Question.read(Question.Spanned.self, body)
      reply(
        .json(
          try timeline.deliveries(try span(question.from, question.to), try settings.setting(question.setting))))
    case (.POST, "/api/resolve"):
      reply(.json(try settings.resolved(Question.read(Question.Values.self, body))))
    case (.POST, "/api/yaml"):
      let question = try Question.read(Question.WithSetting.self, body)
      reply(.text(try settings.setting(question.setting).yaml, type: "text/yaml; charset=utf-8"))
    case (.POST, "/api/command"):
      let question = try Question.read(Question.Spanned.self, body)
      let command = command(try settings.setting(question.setting), try span(question.from, question.to))
      reply(.json(JSONObject(["command": command])))
    case (.POST, "/api/scores"): reply(.json(try scores(Question.read(Question.Scores.self, body))))
    case (.POST, "/api/bundle"):
      let question = try Question.read(Question.Bundle.self, body)
      let span = try span(question.from, question.to)
      reply(
        try BundleDownload(recording: Recording(path: recording.folder.path), firstNumber: firstNumber)
          .response(question, try settings.setting(question.setting), span))
    case (.GET, "/api/marks"):
      let questions = try MarkQuestions(recording, firstNumber: firstNumber)
      reply(.json(JSONObject(["marks": try questions.list()])))
    case (.POST, "/api/marks"):
      let questions = try MarkQuestions(recording, firstNumber: firstNumber)
      reply(.json(try questions.change(Question.read(Question.MarkChange.self, body))))
    case (.GET, "/api/truth"): reply(.json(JSONObject(["path": truth.path, "frames": truth.frames()])))
    case (.GET, "/api/truth/planes"):
      guard let planes = try truth.planes(try frame(request)) else { return reply(.notFound(request.path)) }
      reply(StudioResponse(type: "application/octet-stream", body: [planes]))
    case (.PUT, "/api/truth/planes"):
      try truth.write(body, frame: try frame(request), base: request.query["base"])
      reply(.nothing)
    case (.DELETE, "/api/truth/planes"):
      try truth.remove(try frame(request), base: request.query["base"])
      reply(.nothing)
    case (_, let path) where path.hasPrefix(SweepQuestions.path):
      let questions = SweepQuestions(watch: sweeps, settings: settings) { [self] from, to throws(RetakeError) in
        try span(from, to)
      }
      reply(try questions.answer(request))
    case (.POST, let path) where OpenQuestions.paths.contains(path):
      reply(.json(try OpenQuestions.answer(request, settings)))
    case (.PUT, "/api/state"):
      try state.write(body)
      reply(.nothing)
    case (_, let path): reply(Self.paths.contains(path) ? .wrongMethod : .notFound(path))
    }
  }

  private var timeline: Timeline { Timeline(recording: recording, firstNumber: firstNumber) }

  private func showPicture(_ question: Question.Picture, _ reply: @escaping Reply) throws(RetakeError) {
    guard let view = views[question.view] else { throw Question.invalid("view", question.view) }
    let wanted = try WantedPlanes(named: question.taps, have: question.have, steps: question.steps)
    let span = try span(question.from, question.to)
    guard span.frames.contains(question.frame) else { throw Question.invalid("frame", "\(question.frame)") }
    let setting = try settings.setting(question.setting)
    let request = ViewRequest(frame: question.frame, span: span, setting: setting, page: question.page ?? "")
    let start = MonotonicTime.now()
    let send: StudioView.Reply = { result in
      switch result {
      case .success(let answer):
        if question.next == true, answer.picture == nil { return reply(.nothing) }
        let milliseconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e6
        reply(PictureAnswer.response(answer, to: request, wanted, milliseconds: milliseconds))
      case .failure(let error): reply(StudioResponse(error))
      }
    }
    if question.next == true {
      view.showNext(request, reply: send)
    } else if question.exact == true {
      view.showExact(request, reply: send)
    } else {
      view.show(request, reply: send)
    }
  }

  private func scores(_ question: Question.Scores) throws(RetakeError) -> JSONObject {
    guard let watch = watches[question.view] else { throw Question.invalid("view", question.view) }
    let kinds = try question.scores.map { name throws(RetakeError) in try ScoreKind.named(name) }
    return ScoresAnswer.json(
      watch.progress(
        ScoreWatch.Question(
          setting: try settings.setting(question.setting), span: try span(question.from, question.to), scores: kinds),
        page: question.page ?? ""))
  }

  private func showThumbnail(_ request: StudioRequest, _ reply: @escaping Reply) throws(RetakeError) {
    let number = try frame(request)
    let width = try Self.number(request, "width", in: FramePictures.widths)
    pictures.picture(number, width: width) { result in
      switch result {
      case .success(let bytes): reply(StudioResponse(type: "image/jpeg", body: [bytes]))
      case .failure(let error): reply(StudioResponse(error))
      }
    }
  }

  private func frame(_ request: StudioRequest) throws(RetakeError) -> Int {
    try Self.number(request, "frame", in: frames.lowerBound...frames.upperBound - 1)
  }

  private func span(_ from: Int, _ to: Int) throws(RetakeError) -> ViewSpan {
    guard from < to, frames.contains(from), to <= frames.upperBound else {
      throw RetakeError(
        .usage, "The span is not within the recording's frames, \(frames.lowerBound) to \(frames.upperBound - 1).",
        hint: "mark another span")
    }
    return ViewSpan(frames: from..<to)
  }

  /// The command that plays the same pictures.
  private func command(_ setting: ViewSetting, _ span: ViewSpan) -> String {
    var words = ["retake", "replay", recording.folder.path, "--preset", setting.preset]
    for (name, value) in setting.changes { words += ["--set", "\(name)=\(value)"] }
    if span.frames != frames {
      words += MomentSpan(from: .frameSet(span.frames.lowerBound), to: .frameSet(span.frames.upperBound - 1)).words
    }
    return ShellWord.joined(words + ["--output", Folder.freePath("out", ".mp4")])
  }

  private static let paths = Set(
    [
      "session", "first", "frame", "thumbnail", "timeline", "delivery", "resolve", "yaml", "command", "scores",
      "bundle", "marks", "state",
    ].map { "/api/" + $0 }
  ).union(OpenQuestions.paths)

  private static func number(
    _ request: StudioRequest, _ name: String, in range: ClosedRange<Int> = 0...Int.max
  ) throws(RetakeError) -> Int {
    guard let text = request.query[name], let number = Int(text), range.contains(number) else {
      throw Question.invalid(name, request.query[name] ?? "")
    }
    return number
  }
}
