import FrameModel
import Glibc
import Parameters
import Yams

extension NetworkSettings {
  /// Where the settings of a model are looked for: FILE.yaml of FILE.onnx.
  static func path(besides model: String) -> String {
    (model.hasSuffix(".onnx") ? String(model.dropLast(".onnx".count)) : model) + ".yaml"
  }

  /// Those of the file beside a model; everything as the model says where there is none.
  /// - Throws: `.usage` naming line and key for what is not understood.
  static func besides(model: String) throws(RetakeError) -> NetworkSettings {
    let path = path(besides: model)
    guard access(path, F_OK) == 0 else { return NetworkSettings() }
    let bytes = try FileBytes.read(path, limit: 1 << 16)
    return try NetworkSettings(yaml: String(decoding: bytes, as: UTF8.self), path: path)
  }

  /// - Parameter path: for errors.
  init(yaml: String, path: String) throws(RetakeError) {
    let reader = SettingsReader(path: path)
    guard let root = try reader.root(yaml) else { return }
    for section in try reader.entries(root, of: ["input", "output"], in: "") {
      if section.key == "input" { try read(input: section, reader) } else { try read(output: section, reader) }
    }
    guard activation == .none || kind == nil || kind == .matte else {
      throw RetakeError(
        .usage, "\(path): output.activation belongs to a matte, and output.kind is \(kind?.rawValue ?? "").",
        hint: "the label with the largest score is the same with and without")
    }
  }

  private mutating func read(input: SettingsReader.Entry, _ reader: SettingsReader) throws(RetakeError) {
    let keys = ["name", "size", "fast", "accurate", "layout", "colors", "mean", "scale"]
    for entry in try reader.entries(input.node, of: keys, in: "input.") {
      switch entry.key {
      case "name": inputName = try reader.text(entry)
      case "size": sizes[.balanced] = try reader.size(entry)
      case "fast": sizes[.fast] = try reader.size(entry)
      case "accurate": sizes[.accurate] = try reader.size(entry)
      case "layout": layout = try reader.choice(entry)
      case "colors": colors = try reader.choice(entry)
      case "mean": mean = try reader.colors(entry, in: -1000...1000)
      default: scale = try reader.colors(entry, in: -1000...1000)
      }
    }
  }

  private mutating func read(output: SettingsReader.Entry, _ reader: SettingsReader) throws(RetakeError) {
    for entry in try reader.entries(output.node, of: ["name", "kind", "channel", "activation"], in: "output.") {
      switch entry.key {
      case "name": outputName = try reader.text(entry)
      case "kind": kind = try reader.choice(entry) as Kind
      case "channel": channel = try reader.integer(entry, in: 0...255)
      default: activation = try reader.choice(entry)
      }
    }
  }
}

/// Reads a settings file, with errors that name its line and key.
struct SettingsReader {
  let path: String

  /// A key with its value.
  struct Entry {
    var key: String
    /// With the section that it is in: "input.size".
    var name: String
    var node: Node
    var line: Int
  }

  /// - Returns: nil for an empty file.
  func root(_ yaml: String) throws(RetakeError) -> Node? {
    do {
      return try Yams.compose(yaml: yaml)
    } catch let error as YamlError {
      throw RetakeError(.usage, "\(path) is no YAML: \(Self.reason(error)).", hint: "see Segmentation in the documents")
    } catch {
      throw RetakeError(.usage, "\(path) is no YAML.", hint: "see Segmentation in the documents")
    }
  }

  private static func reason(_ error: YamlError) -> String {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "line \(mark.line): \(problem)"
    case .reader(let problem, _, _, _): problem
    case .duplicatedKeysInMapping(let duplicates, _):
      "'\(duplicates.sorted().joined(separator: "', '"))' is there twice"
    default: "it cannot be read"
    }
  }

  /// The entries of a mapping, which has only the keys that are known.
  func entries(_ node: Node, of keys: [String], in section: String) throws(RetakeError) -> [Entry] {
    if case .scalar(let scalar) = node, scalar.string.isEmpty { return [] }
    guard case .mapping(let mapping) = node else {
      throw RetakeError(
        .usage,
        "\(path):\(line(node)): \(section.isEmpty ? "the file" : section.dropLast().description) holds no keys.",
        hint: "there are \(keys.joined(separator: ", "))")
    }
    var entries: [Entry] = []
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard keys.contains(name) else {
        let nearest = Spelling.nearest(to: name, in: keys) ?? keys[0]
        throw RetakeError(
          .usage, "\(path):\(line(key)): there is no key '\(section)\(name)'.",
          hint: "did you mean \(section)\(nearest)? There are \(keys.joined(separator: ", "))")
      }
      entries.append(Entry(key: name, name: section + name, node: value, line: line(key)))
    }
    return entries
  }

  func text(_ entry: Entry) throws(RetakeError) -> String {
    guard case .scalar(let scalar) = entry.node, !scalar.string.isEmpty else {
      throw wrong(entry, "takes one word", hint: "\(entry.key): WORD")
    }
    return scalar.string
  }

  func choice<Choice: RawRepresentable & CaseIterable>(_ entry: Entry) throws(RetakeError) -> Choice
  where Choice.RawValue == String {
    let names = Choice.allCases.map(\.rawValue)
    let text = try text(entry)
    guard let choice = Choice(rawValue: text) else {
      throw wrong(
        entry, "takes \(names.joined(separator: ", ")), not '\(text)'",
        hint: "did you mean \(Spelling.nearest(to: text, in: names) ?? names[0])?")
    }
    return choice
  }

  func integer(_ entry: Entry, in range: ClosedRange<Int>) throws(RetakeError) -> Int {
    guard let number = Int(try text(entry)), range.contains(number) else {
      throw wrong(entry, "takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// "513", "513x257" or [513, 257]: width and height.
  func size(_ entry: Entry) throws(RetakeError) -> NetworkSettings.Size {
    let words: [String] =
      if case .sequence(let list) = entry.node {
        list.map { $0.string ?? "" }
      } else {
        try text(entry).split(separator: "x", omittingEmptySubsequences: false).map(String.init)
      }
    let sides = words.compactMap { Int($0) }
    guard sides.count == words.count, (1...2).contains(sides.count),
      sides.allSatisfy(NetworkSettings.sides.contains)
    else {
      let range = NetworkSettings.sides
      throw wrong(
        entry, "takes WIDTHxHEIGHT, each \(range.lowerBound) to \(range.upperBound) pixels",
        hint: "for example \(entry.key): 513x513")
    }
    return NetworkSettings.Size(width: sides[0], height: sides[sides.count - 1])
  }

  /// One number for all three colours, or three; each may be a fraction, "1/255".
  func colors(_ entry: Entry, in range: ClosedRange<Double>) throws(RetakeError) -> [Double] {
    let words: [String] =
      if case .sequence(let list) = entry.node { list.map { $0.string ?? "" } } else { [try text(entry)] }
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
    RetakeError(.usage, "\(path):\(entry.line): \(entry.name) \(what).", hint: hint)
  }

  private func line(_ node: Node) -> Int { node.mark?.line ?? 1 }
}
