import Kernels

extension MatteSmoothing {
  /// One sample.
  /// - Parameter old: in quarters of a sample, as in the result; nil for the first matte.
  func reference(_ sample: Int16, old: UInt16?) -> (sample: Int16, old: UInt16) {
    let new = Int(sample) * 4
    let before = old.map(Int.init) ?? new
    let weight = rule == .average ? Int(self.weight) : Int(weights.elements[Int(sample)])
    let part = (abs(before - new) * weight) >> 16
    let mixed = before > new ? new + part : new - part
    return (Int16((mixed + 2) >> 2), UInt16(mixed))
  }
}
