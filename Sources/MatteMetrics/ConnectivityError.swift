/// How much of a matte hangs together otherwise than the truth (Rhemann et al. 2009): at ten thresholds of opacity, what is
/// connected to the largest piece that both have.
package enum ConnectivityError {
  /// Σ|φ − φ*|. φ is 1 − d where d, a pixel's α less the last threshold at which it hangs on the common piece, is 0.15 or
  /// more, and 1 otherwise.
  /// - Parameter components: of the mattes' size.
  package static func sum(_ matte: BytePlane, _ truth: BytePlane, _ components: Components) -> Double {
    precondition(matte.isSameSize(as: truth))
    let (a, b) = (matte.samples, truth.samples)
    // The last step at which a pixel hangs on; −1 until it is known.
    var steps = [Int8](repeating: -1, count: matte.count)
    for step in 1...10 {
      // α ≥ step/10, in whole numbers.
      components.label(.four) { 10 * Int(a[$0]) >= 255 * step && 10 * Int(b[$0]) >= 255 * step }
      let largest = components.largest
      for i in steps.indices where steps[i] < 0 {
        let hangsOn = largest.map { components.contains(i, region: $0) } ?? false
        if !hangsOn { steps[i] = Int8(step - 1) }
      }
    }
    var sum = 0
    for i in steps.indices {
      let step = steps[i] < 0 ? 10 : Int(steps[i])
      sum += abs(excess(a[i], step) - excess(b[i], step))
    }
    return Double(sum) / 2550
  }

  /// α − step/10 in 2550ths, 0 where it is below 0.15.
  private static func excess(_ sample: UInt8, _ step: Int) -> Int {
    let excess = 10 * Int(sample) - 255 * step
    return 2 * excess >= 765 ? excess : 0
  }
}
