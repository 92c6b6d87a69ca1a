import Kernels

extension ScaleTable {
  /// An output sample's four taps, with positions clamped to the source.
  func taps(_ i: Int) -> [(position: Int, weight: Int16)] {
    (0..<4).map { k in
      (min(max(Int(starts.elements[i]) + k, 0), sourceLength - 1), weights.elements[4 * i + k])
    }
  }
}
