import FrameModel
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

  private struct Option: Hashable, Sendable {
    let name: String
    let value: String
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

  package func check(options known: [String]) throws(RetakeError) {
    for option in options where !known.contains(option.name) {
      throw RetakeError(
        .usage, "Device '\(kind)' has no option '\(option.name)'.",
        hint: "it takes \(known.joined(separator: ", "))")
    }
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
  package func options(besides known: [String]) -> [(name: String, value: String)] {
    options.filter { !known.contains($0.name) }.map { ($0.name, $0.value) }
  }

  package subscript(_ name: String) -> String? { options.first { $0.name == name }?.value }

  package func integer(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws(RetakeError)
    -> Int
  {
    guard let text = self[name] else { return fallback }
    guard let value = Int(text), range.contains(value) else {
      throw invalid(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  package func real(_ name: String, in range: ClosedRange<Double>, default fallback: Double)
    throws(RetakeError) -> Double
  {
    guard let text = self[name] else { return fallback }
    guard let value = Double(text), range.contains(value) else {
      throw invalid(name, "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// The first choice is the default.
  package func choice(_ name: String, of choices: [String]) throws(RetakeError) -> String {
    guard let text = self[name] else { return choices[0] }
    guard choices.contains(text) else { throw invalid(name, "one of \(choices.joined(separator: ", "))") }
    return text
  }

  /// Parses a size such as "640x480".
  package func size(_ name: String, default fallback: (width: Int, height: Int)) throws(RetakeError)
    -> (width: Int, height: Int)
  {
    guard let text = self[name] else { return fallback }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...FrameLayout.largestSide).contains(width), (1...FrameLayout.largestSide).contains(height)
    else { throw invalid(name, "a size such as 640x480") }
    return (width, height)
  }

  package func rate(_ name: String, default fallback: FrameRate) throws(RetakeError) -> FrameRate {
    guard let text = self[name] else { return fallback }
    guard let rate = FrameRate(text), rate.framesPerSecond <= 1000 else {
      throw invalid(name, "a frame rate such as 30 or 30000/1001, at most 1000")
    }
    return rate
  }

  package func invalid(_ name: String, _ wanted: String) -> RetakeError {
    RetakeError(.usage, "'\(name)=\(self[name] ?? "")' in device '\(text)' must be \(wanted).")
  }
}
