import Kernels

extension MaskCombination {
  /// `one` is 255 for bytes, `MatteSamples.one` for samples.
  static func reference(_ rule: Rule, _ a: Int, _ b: Int, one: Int) -> Int {
    switch rule {
    case .union: max(a, b)
    case .intersection: min(a, b)
    case .difference: min(a, one - b)
    }
  }
}
