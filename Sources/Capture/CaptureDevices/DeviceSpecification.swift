import Parameters
import Support

/// A device named on the command line: `kind[:place][?option=value&option=value]`, such as
/// `simulated?size=640x480&seed=7`, `tum:/data/freiburg3?scale=5000` or `kinect:0?depth=mm`.
///
/// Unknown options and invalid values throw `.usage`.
package struct DeviceSpecification: Hashable, Sendable {
  package let text: String
  package let kind: String
  /// A path, an index or a serial; empty if none was given.
  package let place: String
  private let options: [Option]

  package struct Option: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package init(_ text: String) throws(RetakeError) {
    self.text = text
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let name = halves[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    kind = String(name[0])
    place = name.count == 2 ? String(name[1]) : ""
    var options: [Option] = []
    if halves.count == 2 {
      for pair in halves[1].split(separator: "&") {
        let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, !words[0].isEmpty else {
          throw RetakeError(
            .usage, "'\(pair)' in device '\(text)' is not a valid option.",
            hint: "write options as name=value and join them with &")
        }
        let name = String(words[0])
        guard !options.contains(where: { $0.name == name }) else {
          throw RetakeError(.usage, "Device '\(text)' gives '\(name)' twice.", hint: "give each option once")
        }
        options.append(Option(name: name, value: String(words[1])))
      }
    }
    self.options = options
  }

  /// The values of a kind's options.
  /// - Parameter takesOthers: whether a camera may have controls that are not declared.
  /// - Throws: `.usage` for an unknown option or an invalid value.
  package func values(_ group: some ParameterGroup, takesOthers: Bool = false) throws(RetakeError) -> ParameterSet {
    let declarations = group.declarations
    var values = ParameterSet(declarations)
    for option in options {
      guard declarations.contains(where: { $0.name == option.name }) else {
        if takesOthers { continue }
        let names = declarations.map(\.name)
        throw RetakeError(
          .usage, "Device '\(kind)' has no option '\(option.name)'.",
          hint: "\(Spelling.guess(option.name, in: names))it takes \(names.joined(separator: ", "))")
      }
      do throws(RetakeError) {
        try values.set(option.name, to: option.value)
      } catch {
        let isList = option.value.contains(",") && option.value.contains("=")
        throw RetakeError(
          .usage, "In device '\(text)', \(error.message)",
          hint: isList ? "join options with &, and put the device in quotes" : error.hint)
      }
    }
    return values
  }

  /// Adds options that the specification does not set.
  package func adding(_ defaults: [(name: String, value: String)]) throws(RetakeError) -> DeviceSpecification {
    var text = text
    for (name, value) in defaults where self[name] == nil {
      guard !name.isEmpty, !name.contains(where: { "=&?".contains($0) }), !value.contains("&") else {
        throw RetakeError(
          .usage, "'\(name)=\(value)' is not a valid device option.",
          hint: "write options as name=value, without = ? or & in the name and without & in the value")
      }
      text += (text.contains("?") ? "&" : "?") + "\(name)=\(value)"
    }
    return try DeviceSpecification(text)
  }

  /// The specification without options: "v4l2:/dev/video0".
  package var name: String { place.isEmpty ? kind : "\(kind):\(place)" }

  /// Options not in `known`, as written and in that order: a camera's own controls.
  package func options(besides known: [String]) -> [Option] { options.filter { !known.contains($0.name) } }

  package subscript(_ name: String) -> String? { options.first { $0.name == name }?.value }

  package func invalid(_ name: String, _ wanted: String) -> RetakeError {
    RetakeError(.usage, "'\(name)=\(self[name] ?? "")' in device '\(text)' must be \(wanted).")
  }
}
