import CaptureDevices
import Dispatch
import FrameModel
import LiveSessions
import MattePipeline
import NIOHTTP1
import Parameters
import RecordingStore
import Replay
import StudioViews
import Support
import Synchronization

/// A page for running cameras, and at "/r/NUMBER/" one for each recording that was made from it.
package final class LiveStudio: StudioService {
  /// Views of pages that asked lately, the latest last. Each has a pipeline.
  private static let viewLimit = 6
  private static let clientLimit = 64

  private let bench: CameraBench
  private let settings: SettingReader
  private let place: String
  private let page: PageFiles
  private let recordings: FolderStudio
  private let log: LiveLog
  private let views = Mutex<[(name: String, view: LiveView)]>([])
  private let state = Mutex<String?>(nil)
  private let queue = DispatchQueue(label: "retake.studio", attributes: .concurrent)

  /// - Parameters:
  ///   - place: the folder in which recordings are made, for the page.
  ///   - log: messages and recordings of the bench, which its reports go to.
  ///   - open: opens a recording.
  ///   - others: as `RecordingStudio.init` takes them.
  /// - Throws: `.usage` for parameters that apply only to replays.
  package init(
    _ bench: CameraBench, start: ViewSetting, files: NamedFiles, place: String, log: LiveLog,
    pageFolder: String? = nil, open: @escaping @Sendable (String) throws(RetakeError) -> Recording
  ) throws(RetakeError) {
    try ReplayParameters.checkForCameras(start.parameters)
    (self.bench, self.place, self.log) = (bench, place, log)
    settings = SettingReader(start: start, named: files)
    page = try PageFiles(folder: pageFolder)
    recordings = try FolderStudio(
      home: "live", start: start, files: files, pageFolder: pageFolder, open: open)
    log.number = { [recordings] in recordings.add($0) }
  }

  package var isSweeping: Bool { recordings.isSweeping }

  package func finish() { recordings.finish() }

  package func bodyLimit(_ method: HTTPMethod, _ path: String) -> Int {
    OpenQuestions.bodyLimit(path) ?? recordings.bodyLimit(method, path)
  }

  package func answer(_ request: StudioRequest, reply: @escaping RecordingStudio.Reply) {
    if request.path.hasPrefix(FolderStudio.prefix) { return recordings.answer(request, reply: reply) }
    if let file = page.answer(request) { return reply(file) }
    queue.answer(reply) { [self] () throws(RetakeError) in try route(request, reply) }
  }

  private func route(_ request: StudioRequest, _ reply: @escaping RecordingStudio.Reply) throws(RetakeError) {
    let body = request.body
    switch (request.method, request.path) {
    case (.GET, "/api/session"): reply(.text(try session(), type: "application/json"))
    case (.POST, "/api/frame"): try show(Question.read(Question.Live.self, body), reply)
    case (.GET, "/api/live"): reply(.json(LiveAnswer(bench: bench, log: log).json))
    case (.POST, "/api/live/record"): reply(.json(JSONObject(["path": try bench.beginRecording()])))
    case (.POST, "/api/live/mark"):
      let mark = try Question.read(Question.Mark.self, body)
      try bench.mark(mark.label, secondsAgo: mark.seconds ?? 0)
      reply(.nothing)
    case (.POST, "/api/live/stop"): reply(.json(try stop()))
    case (.GET, "/api/live/controls"): reply(.json(controls()))
    case (.PUT, "/api/live/controls"): reply(.json(try control(Question.read(Question.Control.self, body))))
    case (.POST, "/api/resolve"):
      reply(.json(try settings.resolved(Question.read(Question.Values.self, body))))
    case (.POST, "/api/yaml"):
      let setting = try settings.setting(Question.read(Question.WithSetting.self, body).setting)
      reply(.text(setting.yaml, type: "text/yaml; charset=utf-8"))
    case (.POST, "/api/command"):
      let setting = try settings.setting(Question.read(Question.WithSetting.self, body).setting)
      reply(.json(JSONObject(["command": command(setting)])))
    case (.POST, let path) where OpenQuestions.paths.contains(path):
      reply(.json(try OpenQuestions.answer(request, settings)))
    case (.GET, "/api/first"): reply(.nothing)
    case (.PUT, "/api/state"):
      let text = try StateFile.checked(body)
      state.withLock { $0 = text }
      reply(.nothing)
    case (_, let path): reply(Self.paths.contains(path) ? .wrongMethod : .notFound(path))
    }
  }

  private static let paths = Set(
    [
      "session", "first", "frame", "live", "live/record", "live/mark", "live/stop", "live/controls", "resolve", "yaml",
      "command",
      "state",
    ].map { "/api/" + $0 }
  ).union(OpenQuestions.paths)

  private func session() throws(RetakeError) -> String {
    let streams = bench.cameras.streams
    let (color, depth) = (streams.first { $0.kind == .color }, streams.first { $0.kind == .depth })
    let rate = color?.rate
    let facts = JSONObject([
      "name": bench.cameras.names.joined(separator: " + "), "path": "", "id": "live", "frameCount": 1, "firstNumber": 0,
      "rate": rate.map { "\($0.numerator)/\($0.denominator)" }, "framesPerSecond": rate?.framesPerSecond,
      "durationSeconds": 0, "color": color.map(SessionAnswer.json), "depth": depth.map(SessionAnswer.json),
      "marks": [JSONObject](), "losses": [JSONObject](), "faceFrameCount": 0,
    ])
    let live = JSONObject([
      "place": place, "prerollSeconds": bench.prerollNanoseconds.map { Double($0) / 1e9 } ?? 0,
      "devices": zip(bench.cameras.names, bench.cameras.devices).map { name, device in
        JSONObject(["name": name, "summary": device.summary])
      },
    ])
    return try SessionAnswer.json(
      facts, settings, state: state.withLock { $0 }, besides: JSONObject(["home": "", "live": live]),
      hides: ReplayParameters.onlyForReplays)
  }

  private func show(_ question: Question.Live, _ reply: @escaping RecordingStudio.Reply) throws(RetakeError) {
    let wanted = try WantedPlanes(named: question.taps, have: question.have, steps: question.steps)
    guard ["a", "b"].contains(question.view) else { throw Question.invalid("view", question.view) }
    let client = question.client ?? ""
    guard client.utf8.count <= Self.clientLimit else { throw Question.invalid("client", "") }
    let setting = try settings.setting(question.setting)
    try ReplayParameters.checkForCameras(setting.parameters)
    let start = MonotonicTime.now()
    view("\(question.view) \(client)").show(setting, after: question.frame, holds: question.holds ?? false) { result in
      switch result {
      case .success(let answer):
        let now = MonotonicTime.now().nanoseconds
        var header = JSONObject(["frame": answer?.index ?? question.frame, "exact": false, "why": Self.why])
        header.add("isNews", answer != nil)
        if let answer { header.add("latency", Double(now - answer.arrival.nanoseconds) / 1e6) }
        header.add("milliseconds", Double(now - start.nanoseconds) / 1e6)
        reply(PictureAnswer.response(header, answer?.picture, wanted))
      case .failure(let error): reply(StudioResponse(error))
      }
    }
  }

  private static let why =
    "Running cameras: which frames come before a picture, and their faces, depend on time. The recording's pictures are exact."

  /// Each page has views of its own, so that two pages with different settings do not disturb each other.
  private func view(_ name: String) -> LiveView {
    views.withLock { views in
      let known = views.first { $0.name == name }?.view
      let view = known ?? LiveView(bench.feed, streams: bench.cameras.streams)
      views.removeAll { $0.name == name }
      views.append((name, view))
      if views.count > Self.viewLimit { views.removeFirst() }
      return view
    }
  }

  /// Ends the recording, which has a page when this returns.
  private func stop() throws(RetakeError) -> JSONObject {
    let ended = try bench.endRecording()
    guard let made = log.recordings.last(where: { $0.path == ended.path }) else {
      throw RetakeError(.device, "No camera delivered a frame, so nothing was kept.", hint: "look at the cable")
    }
    return made.json
  }

  private func controls() -> JSONObject {
    JSONObject([
      "devices": zip(bench.cameras.names, bench.controls).enumerated().map { number, device in
        LiveAnswer.json(number, name: device.0, controls: device.1)
      }
    ])
  }

  private func control(_ question: Question.Control) throws(RetakeError) -> JSONObject {
    guard bench.controls.indices.contains(question.device), let controls = bench.controls[question.device] else {
      throw RetakeError(
        .unsupported, "This camera has no controls that can be set while it runs.",
        hint: "'retake devices' lists what can be set when it is opened")
    }
    try controls.set(question.name, to: question.value)
    // So that the recording says from when on.
    try? bench.mark("\(question.name)=\(question.value)")
    return LiveAnswer.json(question.device, name: bench.cameras.names[question.device], controls: controls)
  }

  /// The command that shows the same.
  private func command(_ setting: ViewSetting) -> String {
    var words = ["retake", "live"]
    for device in log.devices { words += ["--device", device] }
    words += ["--preset", setting.preset]
    for (name, value) in setting.changes { words += ["--set", "\(name)=\(value)"] }
    return ShellWord.joined(words)
  }
}
