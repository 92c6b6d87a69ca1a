import FrameModel
import Parameters
import Support
import Sweeps

/// Parameters to sweep over, one of each kind.
enum SweepParameters {
  enum Kind: String, ParameterChoice {
    case face, fixed, band
  }
  static let blur = Parameter<Double>("matte.blur", unit: "px", 0...64, default: 5, help: "blur")
  static let passes = Parameter<Int>("depth.passes", 0...5, default: 0, help: "passes")
  static let rate = Parameter<Fraction>("depth.rate", default: .one, help: "rate")
  static let kind = Parameter<Kind>("mask.kind", help: "kind")
  static let offset = Parameter<Double>("mask.offset", unit: "m", -1...1, default: 0.25, help: "offset")
  static let isSoft = Parameter<Bool>("mask.soft", default: false, help: "soft")
  static let all = [
    blur.declaration, passes.declaration, rate.declaration, kind.declaration, offset.declaration, isSoft.declaration,
  ]
  static let base = ParameterSet(all)
}

/// What an error says, or a word that no error has.
func message(_ body: () throws(RetakeError) -> Void) -> String {
  do throws(RetakeError) {
    try body()
    return "no error"
  } catch {
    return "\(error.code): \(error.message) \(error.hint)"
  }
}

extension SweepDimension {
  /// As of an option `--scan`.
  static func scan(_ text: String, _ all: [ParameterDeclaration]) throws(RetakeError) -> SweepDimension {
    try SweepTerm(.scan, text, all).dimension
  }

  static func list(_ text: String, _ all: [ParameterDeclaration]) throws(RetakeError) -> SweepDimension {
    try SweepTerm(.list, text, all).dimension
  }

  static func range(_ text: String, _ all: [ParameterDeclaration]) throws(RetakeError) -> SweepDimension {
    try SweepTerm(.range, text, all).dimension
  }
}
