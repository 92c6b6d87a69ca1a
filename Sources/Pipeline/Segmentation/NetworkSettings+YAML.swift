import FrameModel
import Glibc
import Parameters
import Support

extension NetworkSettings {
  static func path(besides model: String) -> String {
    (model.hasSuffix(".onnx") ? String(model.dropLast(".onnx".count)) : model) + ".yaml"
  }

  /// The settings in FILE.yaml beside FILE.onnx; without such a file those of a published network of that name, or the
  /// defaults.
  /// - Throws: `.usage` with line and key for a wrong entry.
  package static func besides(model: String) throws(RetakeError) -> NetworkSettings {
    let path = path(besides: model)
    guard access(path, F_OK) == 0 else {
      return try KnownNetworks.settings(of: model) ?? NetworkSettings()
    }
    return try NetworkSettings(YAMLDocument(path: path, hint: SettingsReader.hint))
  }

  /// - Throws: `.usage` with line and key for a wrong entry.
  package init(_ document: YAMLDocument) throws(RetakeError) {
    let reader = SettingsReader(path: document.name)
    for entry in document.entries {
      if entry.isNull, reader.isSection(entry.key) { continue }
      switch entry.key {
      case "input.name": inputName = try reader.text(entry)
      case "input.size": sizes[.balanced] = try reader.size(entry)
      case "input.fast": sizes[.fast] = try reader.size(entry)
      case "input.accurate": sizes[.accurate] = try reader.size(entry)
      case "input.layout": layout = try reader.choice(entry)
      case "input.colors": colors = try reader.choice(entry)
      case "input.mean": mean = try reader.colors(entry, in: -1000...1000)
      case "input.scale": scale = try reader.colors(entry, in: -1000...1000)
      case "output.name": outputName = try reader.text(entry)
      case "output.kind": kind = try reader.choice(entry) as Kind
      case "output.channel": channel = try reader.integer(entry, in: 0...255)
      case "output.activation": activation = try reader.choice(entry)
      default: throw reader.unknown(entry)
      }
    }
    guard activation == .none || kind == nil || kind == .matte else {
      throw RetakeError(
        .usage,
        "\(document.name): output.activation applies only to a matte, but output.kind is \(kind?.rawValue ?? "").",
        hint: "leave out output.activation; it does not change which label has the largest score")
    }
  }
}

/// Reads a settings file; errors name line and key.
package struct SettingsReader {
  typealias Entry = YAMLDocument.Entry
  package static let hint = "for example input: {size: 513x513}; see the guide Segmentation.md"
  private static let keys = [
    "input": ["name", "size", "fast", "accurate", "layout", "colors", "mean", "scale"],
    "output": ["name", "kind", "channel", "activation"],
  ]

  let path: String

  func isSection(_ key: String) -> Bool { Self.keys[key] != nil }

  func unknown(_ entry: Entry) -> RetakeError {
    let words = entry.key.split(separator: ".", maxSplits: 1).map(String.init)
    let first = words.first ?? ""
    guard let keys = Self.keys[first] else {
      let sections = Self.keys.keys.sorted()
      return RetakeError(
        .usage, "\(path):\(entry.line): there is no section '\(first)'.",
        hint: "\(Spelling.guess(first, in: sections))There are "
          + sections.joined(separator: ", "))
    }
    guard words.count == 2 else {
      return RetakeError(
        .usage, "\(path):\(entry.line): \(first) needs keys with values.",
        hint: "its keys are \(keys.joined(separator: ", "))")
    }
    let key = words[1].prefix { $0 != "." }
    if keys.contains(String(key)) { return wrong(entry, "is not a group", hint: "\(first).\(key) takes a value") }
    return RetakeError(
      .usage, "\(path):\(entry.line): there is no key '\(entry.key)'.",
      hint: "\(Spelling.guess(words[1], in: keys) { "\(first).\($0)" })There are "
        + keys.joined(separator: ", "))
  }

  func text(_ entry: Entry) throws(RetakeError) -> String {
    guard let text = entry.value, !text.isEmpty else {
      throw wrong(entry, "takes a single value", hint: "\(entry.key): WORD")
    }
    return text
  }

  func choice<Choice: RawRepresentable & CaseIterable>(_ entry: Entry) throws(RetakeError) -> Choice
  where Choice.RawValue == String {
    let names = Choice.allCases.map(\.rawValue)
    let text = try text(entry)
    guard let choice = Choice(rawValue: text) else {
      throw wrong(
        entry, "takes \(names.joined(separator: ", ")), not '\(text)'",
        hint: "\(Spelling.guess(text, in: names))write one of these")
    }
    return choice
  }

  func integer(_ entry: Entry, in range: ClosedRange<Int>) throws(RetakeError) -> Int {
    guard let number = Int(try text(entry)), range.contains(number) else {
      throw wrong(entry, "takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// "513", "513x257" or [513, 257].
  func size(_ entry: Entry) throws(RetakeError) -> PictureSize {
    let words =
      entry.isList
      ? entry.values : try text(entry).split(separator: "x", omittingEmptySubsequences: false).map(String.init)
    let sides = words.compactMap { Int($0) }
    guard sides.count == words.count, (1...2).contains(sides.count),
      sides.allSatisfy(NetworkSettings.sides.contains)
    else {
      let range = NetworkSettings.sides
      throw wrong(
        entry, "takes WIDTHxHEIGHT, each \(range.lowerBound) to \(range.upperBound) pixels",
        hint: "for example \(entry.key): 513x513")
    }
    return PictureSize(sides[0], sides[sides.count - 1])
  }

  /// One number, or three; each may be a fraction such as "1/255".
  func colors(_ entry: Entry, in range: ClosedRange<Double>) throws(RetakeError) -> [Double] {
    let words = entry.isList ? entry.values : [try text(entry)]
    let numbers = words.compactMap(Self.number)
    guard numbers.count == words.count, numbers.count == 1 || numbers.count == 3,
      numbers.allSatisfy(range.contains)
    else {
      throw wrong(
        entry, "takes a number from \(Int(range.lowerBound)) to \(Int(range.upperBound)), or a list of three",
        hint: "for example \(entry.key): [123.675, 116.28, 103.53], or 1/255")
    }
    return numbers.count == 3 ? numbers : [numbers[0], numbers[0], numbers[0]]
  }

  private static func number(_ text: String) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
    guard let first = parts[0], first.isFinite else { return nil }
    if parts.count == 1 { return first }
    guard parts.count == 2, let second = parts[1], second.isFinite, second != 0 else { return nil }
    return first / second
  }

  private func wrong(_ entry: Entry, _ what: String, hint: String = "") -> RetakeError {
    RetakeError(.usage, "\(path):\(entry.line): \(entry.key) \(what).", hint: hint)
  }
}
