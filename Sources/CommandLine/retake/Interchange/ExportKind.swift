import Foundation
import FrameModel
import Interchange
import Parameters
import RecordingStore
import Support

enum ExportKind: String, CaseIterable {
  case png, video, tum, fakenect, mcap

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Formats by the names of their files.
  private static let endings = ["mp4": "video", "mkv": "video", "ros": "mcap", "ros2": "mcap", "bag": "mcap"]

  /// The format of files with this ending.
  init?(ending: String) { self.init(rawValue: Self.endings[ending.lowercased()] ?? ending.lowercased()) }

  /// - Throws: `.usage` for options that do not fit the format.
  init(checking command: ExportCommand) throws(RetakeError) {
    guard let kind = ExportKind(rawValue: command.kind) else {
      if let wrong = WrongWords.found(in: ["export", command.kind, command.recording]) { throw wrong }
      let asked = Self.endings[command.kind] ?? command.kind
      throw RetakeError(
        .usage, "There is no export '\(command.kind)'.",
        hint: "\(Spelling.guess(asked, in: Self.allCases.map(\.rawValue)))There are \(Self.names)")
    }
    let options: [(name: String, isGiven: Bool, kinds: [ExportKind])] = [
      ("--scale", command.scale != nil, [.tum]), ("--stream", !command.stream.isEmpty, [.png, .video]),
      ("--depth", command.depth != nil, [.png, .video]), ("--rate", command.rate != nil, [.video]),
      ("--profile", command.profile != nil, [.mcap]), ("--threads", command.threads != nil, [.png]),
    ]
    for option in options where option.isGiven && !option.kinds.contains(kind) {
      throw RetakeError(
        .usage,
        "\(option.name) is for \(option.kinds.map(\.rawValue).joined(separator: " and ")), not \(kind.rawValue).",
        hint: "leave it out")
    }
    guard !command.output.isEmpty else {
      throw RetakeError(.usage, "--output is empty.", hint: "give the file or folder to create")
    }
    if [.png, .tum, .fakenect].contains(kind),
      let wrong = PathKind.wrongFolderName(
        command.output, of: "what 'export \(kind)' makes",
        hint:
          "name a folder; 'retake replay \(ShellWord.quoted(command.recording)) --output NAME' makes a contact sheet or a video"
      )
    {
      throw wrong
    }
    if kind == .video {
      _ = try Self.container(command.output)
      _ = try Self.rate(command.rate)
      guard command.stream.count <= 1 else {
        throw RetakeError(.usage, "A video shows one stream.", hint: "export each stream to a file of its own")
      }
    }
    _ = try Self.depth(command.depth)
    _ = try Self.profile(command.profile)
    self = kind
  }

  func open(_ source: Recording, _ command: ExportCommand) throws(RetakeError) -> any RecordingExporter {
    let output = command.output
    let span = command.span
    let part =
      try span.isEverything
      ? nil : span.selection(of: source, say: command.messages.say)
    let depth = try Self.depth(command.depth)
    switch self {
    case .png:
      let streams = try command.stream.isEmpty ? ExportStreams.withPictures(source) : chosen(command.stream, source)
      let threads = ThreadFlag.count(command.threads)
      return try PNGExporter(source, to: output, streams: streams, part: part, depth: depth, threadCount: threads)
    case .video:
      guard let stream = try command.stream.isEmpty ? source.firstStream(.color) : chosen(command.stream, source)[0]
      else {
        throw RetakeError(
          .unsupported, "\(command.recording) has no colour stream.",
          hint: "name another with --stream: \(source.streams.map(\.name).joined(separator: ", "))")
      }
      return try VideoExporter(
        source, to: output, stream: stream, part: part, container: Self.container(output), depth: depth,
        rate: Self.rate(command.rate))
    case .tum:
      return try TUMExporter(
        source, to: output, part: part, unitsPerMeter: command.scale ?? TUMExporter.defaultUnitsPerMeter)
    case .fakenect: return try FakenectExporter(source, to: output, part: part)
    case .mcap:
      return try MCAPExporter(source, to: output, part: part, profile: Self.profile(command.profile))
    }
  }

  /// Indices of the named streams, each once, in the recording's order.
  private func chosen(_ names: [String], _ source: Recording) throws(RetakeError) -> [Int] {
    var streams: Set<Int> = []
    let all = source.streams.map(\.name)
    for name in names {
      guard let stream = all.firstIndex(of: name) else {
        throw RetakeError(
          .usage, "There is no stream '\(name)' in \(source.folder.path).",
          hint: "\(Spelling.guess(name, in: all))There are "
            + all.joined(separator: ", "))
      }
      streams.insert(stream)
    }
    return streams.sorted()
  }

  private static func container(_ path: String) throws(RetakeError) -> VideoExporter.Container {
    let containers = VideoExporter.Container.allCases
    guard let container = containers.first(where: { path.lowercased().hasSuffix(".\($0.rawValue)") }) else {
      throw RetakeError(
        .usage, "\(path) does not end in .mkv or .mp4.",
        hint: "end its name in .mkv for lossless FFV1, or in .mp4 for H.264")
    }
    return container
  }

  private static func rate(_ text: String?) throws(RetakeError) -> FrameRate? {
    guard let text else { return nil }
    guard let rate = FrameRate(text) else {
      throw RetakeError(.usage, "--rate '\(text)' is not a frame rate.", hint: "write 30, 14.5 or 30000/1001")
    }
    return rate
  }

  private static func profile(_ text: String?) throws(RetakeError) -> MCAPExporter.Profile {
    guard let text else { return .foxglove }
    guard let profile = MCAPExporter.Profile(rawValue: text) else {
      throw RetakeError(.usage, "--profile '\(text)' is not known.", hint: "write foxglove or ros2")
    }
    return profile
  }

  private static func depth(_ text: String?) throws(RetakeError) -> DepthSamples {
    guard let text else { return .millimeters }
    guard let depth = DepthSamples(rawValue: text) else {
      throw RetakeError(.usage, "--depth '\(text)' is not known.", hint: "write mm or raw")
    }
    return depth
  }
}
