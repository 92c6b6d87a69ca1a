import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import StudioViews
import Support

/// What a page needs to know at its start.
struct SessionAnswer {
  let recording: Recording
  let firstNumber: Int
  let settings: SettingReader
  /// What the page is reached from: "list", "live", or "" for nothing.
  let home: String

  func json(state: String?) throws(RetakeError) -> String {
    try Self.json(facts(), settings, state: state, besides: JSONObject(["home": home]))
  }

  /// - Parameters:
  ///   - facts: of the recording, or of what stands for one.
  ///   - besides: more members, whose values are for one kind of page.
  ///   - hides: names of parameters that the page has no control for.
  static func json(
    _ facts: JSONObject, _ settings: SettingReader, state: String?, besides: JSONObject, hides: Set<String> = []
  ) throws(RetakeError) -> String {
    let presets = try Preset.all.map { preset throws(RetakeError) in
      let setting = try ViewSetting(preset: preset.name)
      return JSONObject(["name": preset.name, "help": preset.help, "values": differences(setting.parameters)])
    }
    let profiles = try DeviceProfile.all.map { profile throws(RetakeError) in
      var parameters = ParameterSet(ReplaySession.declarations)
      try profile.apply(to: &parameters)
      return JSONObject(["name": profile.name, "help": profile.help, "values": differences(parameters)])
    }
    let session = JSONObject([
      "version": RetakeVersion.current, "commit": RetakeVersion.commit, "pipelineRevision": PipelineRevision.current,
      "recording": facts,
      "parameters": ReplaySession.declarations.filter { !hides.contains($0.name) }.map(json), "presets": presets,
      "profiles": profiles, "scores": ScoreKind.allCases.map(ScoresAnswer.description),
      "backgrounds": settings.backgrounds.map { path in
        JSONObject(["path": path, "name": String(path.split(separator: "/").last ?? "")])
      },
      "opened": settings.opened.map(\.title),
      "start": JSONObject([
        "preset": settings.start.preset, "hasPreset": settings.hasPreset, "values": values(settings.start.parameters),
        "name": settings.opened.first?.title ?? "", "note": settings.opened.first.map { $0.own(settings).note } ?? "",
        "b": settings.opened.dropFirst().first.map { second($0, settings) },
      ]),
    ])
    // The state is JSON already.
    return session.text.dropLast() + "," + besides.text.dropFirst().dropLast() + ",\"state\":" + (state ?? "null") + "}"
  }

  private static func second(_ file: OpenedFile, _ settings: SettingReader) -> JSONObject {
    let (setting, note) = file.own(settings)
    return JSONObject([
      "preset": setting.preset, "values": values(setting.parameters), "name": file.title, "note": note,
    ])
  }

  private static func differences(_ parameters: ParameterSet) -> JSONObject {
    let defaults = ParameterSet(ReplaySession.declarations).entries
    let changed = zip(defaults, parameters.entries).filter { $0.value != $1.value }.map(\.1)
    return JSONObject(pairs: changed.map { ($0.name, $0.value) })
  }

  private static func values(_ parameters: ParameterSet) -> JSONObject {
    JSONObject(pairs: parameters.entries.map { ($0.name, $0.value) })
  }

  private func facts() throws(RetakeError) -> JSONObject {
    let summary = try recording.summary()
    func stream(_ kind: StreamKind) -> JSONObject? {
      recording.firstStream(kind).map { Self.json(recording.streams[$0]) }
    }
    let path = recording.folder.path
    let rate = recording.streams[recording.masterStream].rate
    return JSONObject([
      "name": path.split(separator: "/").last.map(String.init) ?? path, "path": path, "id": recording.identity.id,
      "frameCount": summary.frameSetCount, "firstNumber": firstNumber,
      "rate": "\(rate.numerator)/\(rate.denominator)", "framesPerSecond": rate.framesPerSecond,
      "durationSeconds": summary.durationSeconds, "color": stream(.color), "depth": stream(.depth),
      "marks": try MarkQuestions(recording, firstNumber: firstNumber).list(), "faceFrameCount": summary.faceFrameCount,
      "problem": recording.isClosed ? try recording.missingChunkFiles().first : nil, "lossCount": summary.lostCount,
      "losses": summary.losses.map {
        JSONObject([
          "stream": $0.stream, "stage": $0.stage, "reason": $0.reason, "count": $0.count, "isLoss": $0.isLoss,
        ])
      },
    ])
  }

  static func json(_ stream: StreamDescription) -> JSONObject {
    JSONObject([
      "width": stream.layout.width, "height": stream.layout.height, "format": stream.layout.format.rawValue,
      "device": stream.device,
    ])
  }

  private static func json(_ declaration: ParameterDeclaration) -> JSONObject {
    var object = JSONObject([
      "name": declaration.name, "group": String(declaration.name.prefix { $0 != "." }), "unit": declaration.unit,
      "default": declaration.defaultValue.description, "range": declaration.rangeText, "help": declaration.help,
      "fixed": PipelineParameters.fixedWhileRunning.contains(declaration.name)
        || ReplayParameters.all.contains { $0.name == declaration.name },
      "conditions": ReplaySession.conditions(of: declaration.name).map(\.json),
    ])
    switch declaration.domain {
    case .integer(let range): object.add(["kind": "integer", "min": range.lowerBound, "max": range.upperBound])
    case .real(let range): object.add(["kind": "real", "min": range.lowerBound, "max": range.upperBound])
    case .flag: object.add("kind", "flag")
    case .fraction: object.add("kind", "fraction")
    case .choice(let choices): object.add(["kind": "choice", "choices": choices])
    case .path: object.add("kind", "path")
    case .color: object.add("kind", "color")
    case .text, .size, .rate, .frames, .span: object.add("kind", "text")
    }
    return object
  }
}
