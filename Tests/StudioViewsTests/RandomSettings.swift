import MattePipeline
import Parameters
import Replay
import StudioViews
import Support

/// Settings of a preset with some values drawn, the same ones each time.
struct RandomSettings {
  private var generator: SeededGenerator
  private let declarations = ReplaySession.declarations.filter { $0.domain != .path }

  private let network: String

  /// - Parameter network: a model's path; empty for none.
  init(seed: UInt64, network: String = "") { (generator, self.network) = (SeededGenerator(seed: seed), network) }

  mutating func next(below limit: Int) -> Int { generator.next(below: limit) }

  /// - Parameter count: of values that are drawn.
  mutating func setting(_ preset: String, count: Int) throws -> ViewSetting {
    var values: [String: String] = [:]
    for _ in 0..<count {
      let declaration = declarations[generator.next(below: declarations.count)]
      values[declaration.name] = value(declaration)
    }
    // The scene has too few frames for an empty room to be learned from more.
    values["mask.plate-frames"] = "3"
    if !network.isEmpty { values["mask.model"] = network }
    return try ViewSetting(preset: preset, values: values)
  }

  /// Of the range's lower part, where most effects lie.
  private mutating func value(_ declaration: ParameterDeclaration) -> String {
    switch declaration.domain {
    case .integer(let range):
      return "\(range.lowerBound + generator.next(below: min(range.upperBound - range.lowerBound + 1, 30)))"
    case .real(let range):
      let share = Double(generator.next(below: 1000)) / 1000
      return "\(range.lowerBound + share * (min(range.upperBound, 3) - range.lowerBound))"
    case .flag: return generator.next(below: 2) == 0 ? "true" : "false"
    case .choice(let choices):
      let possible = network.isEmpty ? choices.filter { $0 != MaskKind.segmentation.rawValue } : choices
      return possible[generator.next(below: possible.count)]
    case .fraction: return ["1/1", "1/2", "2/3", "1/3"][generator.next(below: 4)]
    case .color: return "#" + generator.next(below: 1 << 24).zeroPadded(6, radix: 16)
    default: return declaration.defaultValue.description
    }
  }
}
