import FrameModel
import Support

/// The declaration of a pipeline parameter or a device option, which the command line, YAML files,
/// sweeps and listings all use.
package struct ParameterDeclaration: Hashable, Sendable {
  package enum Domain: Hashable, Sendable {
    case integer(ClosedRange<Int>)
    case real(ClosedRange<Double>)
    case flag
    case fraction
    case choice([String])
    /// The path of a file; empty for none.
    case path
    case color
    /// Text that only its user understands, described.
    case text(String)
    case size(largestSide: Int)
    /// Frames per second.
    case rate
    /// "first-last".
    case frames
    /// "frame:count".
    case span
  }

  /// Dotted: "matte.blur".
  package let name: String
  /// "m", "px", or empty.
  package let unit: String
  package let domain: Domain
  package let defaultValue: ParameterValue
  /// One-line description for help texts.
  package let help: String
  /// Stages of another program among the choices.
  package internal(set) var outside: [OutsideStage] = []

  /// The domain for people: "0 to 64", "p/q with 0 < p/q ≤ 1".
  package var rangeText: String {
    switch domain {
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .real(let range):
      "\(ParameterValue.real(range.lowerBound)) to \(ParameterValue.real(range.upperBound))"
    case .flag: "true, false"
    case .fraction: "p/q with 0 < p/q ≤ 1"
    case .choice(let choices): choices.joined(separator: ", ")
    case .path: "a file"
    case .color: "#rrggbb"
    case .text(let description): description
    case .size(let largestSide): "1x1 to \(largestSide)x\(largestSide)"
    case .rate: "0.001 to 1000"
    case .frames: "first-last"
    case .span: "frame:count"
    }
  }

  /// Opens the file that the parameter names. An error of one that is missing says that it does: the name may come from a
  /// YAML file.
  package func named<Result>(_ open: () throws(RetakeError) -> Result) throws(RetakeError) -> Result {
    do throws(RetakeError) {
      return try open()
    } catch {
      guard error.code == .notFound, error.message.hasSuffix(".") else { throw error }
      throw RetakeError(
        error.code, "\(error.message.dropLast()), which \(name) names.",
        hint: "check the path; one in a YAML file is looked for in that file's folder, then in the current one")
    }
  }

  /// The range of numbers; nil for other domains.
  package var numbers: ClosedRange<Double>? {
    switch domain {
    case .integer(let range): Double(range.lowerBound)...Double(range.upperBound)
    case .real(let range): range
    default: nil
    }
  }

  /// - Throws: `.usage` naming the nearest valid value.
  package func value(parsing text: String) throws(RetakeError) -> ParameterValue {
    switch domain {
    case .integer(let range):
      guard let number = Int(text) else { throw invalid(text, "is not a whole number") }
      guard range.contains(number) else { throw outOfRange(text, nearest: "\(range.clamp(number))") }
      return .integer(number)
    case .real(let range):
      guard let number = Double(text), number.isFinite else { throw invalid(text, "is not a number") }
      guard range.contains(number) else {
        throw outOfRange(text, nearest: ParameterValue.real(range.clamp(number)).description)
      }
      return .real(number)
    case .flag:
      switch text {
      case "true", "yes", "on", "1": return .flag(true)
      case "false", "no", "off", "0": return .flag(false)
      default: throw invalid(text, "is neither true nor false")
      }
    case .fraction:
      guard let fraction = Fraction(text) else {
        throw RetakeError(
          .usage,
          "'\(text.shortened)' is not a valid value for \(name): it takes a fraction p/q above 0 and at most 1.",
          hint: Double(text).flatMap(Fraction.init(near:)).map { "write \(name)=\($0)" } ?? "for example \(name)=1/2")
      }
      return .fraction(fraction)
    case .choice(let choices):
      guard choices.contains(text) else {
        let nearest = Spelling.nearest(to: text, in: choices)
        throw RetakeError(
          .usage, "'\(text.shortened)' is not a valid value for \(name): it takes \(rangeText).",
          hint: nearest.map { "did you mean \(name)=\($0)?" } ?? "write \(name)=\(choices[0]), for example")
      }
      return .text(text)
    case .path, .text: return .text(text)
    case .color:
      guard let color = RGBColor(text) else {
        throw RetakeError(
          .usage, "'\(text.shortened)' is not a colour, which \(name) needs.",
          hint: "write red, green and blue in hexadecimal, as #rrggbb")
      }
      return .color(color)
    case .size(let largestSide):
      guard let size = PictureSize(text) else { throw invalid(text, "is not a size such as 640x480") }
      guard max(size.width, size.height) <= largestSide else {
        throw outOfRange(text, nearest: "\(PictureSize(min(size.width, largestSide), min(size.height, largestSide)))")
      }
      return .size(size)
    case .rate:
      guard let rate = FrameRate(text) else { throw invalid(text, "is not a frame rate such as 30 or 30000/1001") }
      let range = 0.001...1000
      guard range.contains(rate.framesPerSecond) else {
        throw outOfRange(text, nearest: ParameterValue.real(range.clamp(rate.framesPerSecond)).description)
      }
      return .rate(rate)
    case .frames:
      let ends = numbers(text, "-")
      guard ends.count == 2, ends[0] <= ends[1] else { throw invalid(text, "is not two frames such as 100-160") }
      return .frames(ends[0]..<ends[1] + 1)
    case .span:
      let words = numbers(text, ":")
      guard words.count == 2, words[1] > 0 else {
        throw invalid(text, "is not a frame and a number of frames such as 90:60")
      }
      return .frames(words[0]..<words[0] + words[1])
    }
  }

  /// Whole numbers of 0 to 10⁹; empty if any is not.
  private func numbers(_ text: String, _ separator: Character) -> [Int] {
    let numbers = text.split(separator: separator, omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    return numbers.allSatisfy((0...1_000_000_000).contains) ? numbers : []
  }

  private func invalid(_ text: String, _ why: String) -> RetakeError {
    RetakeError(
      .usage, "'\(text.shortened)' \(why), which \(name) needs.",
      hint: "it takes \(rangeText)\(unit.isEmpty ? "" : " \(unit)")")
  }

  private func outOfRange(_ text: String, nearest: String) -> RetakeError {
    RetakeError(
      .usage, "\(name)=\(text.shortened) is out of range: it takes \(rangeText)\(unit.isEmpty ? "" : " \(unit)").",
      hint: "the nearest valid value is \(nearest)")
  }
}

extension ClosedRange {
  fileprivate func clamp(_ value: Bound) -> Bound { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
