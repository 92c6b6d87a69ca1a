import Support

/// An axis: maps values to positions along it, and holds its ticks.
package struct Scale {
  package struct Tick: Hashable {
    package var value: Double
    package var text: String
  }

  package var lowest: Double
  package var highest: Double
  var isLogarithmic = false
  package var ticks: [Tick] = []

  /// Ticks at multiples of 1, 2 or 5 times a power of ten, about `count` of them.
  package static func linear(_ values: [Double], count: Int = 5, margin: Double = 0.05) -> Scale {
    guard let least = values.min(), let most = values.max() else { return linear([0, 1], count: count) }
    var (low, high) = (least, most)
    // Equal or nearly equal values: widen the range around them.
    let smallest = max(low.magnitude, high.magnitude, 1e-9) * 1e-9
    if high - low <= smallest {
      let half = low.magnitude < 1e-300 ? 1 : low.magnitude * 0.1
      (low, high) = (low - half, high + half)
    }
    let room = (high - low) * margin
    let start = least >= 0 ? max(0, low - room) : low - room
    var scale = Scale(lowest: start, highest: high + room)
    let step = niceStep((scale.highest - scale.lowest) / Double(count))
    let decimals = Figure.decimals(step)
    var index = (scale.lowest / step).rounded(.up)
    while index * step <= scale.highest * (1 + 1e-12), scale.ticks.count < 4 * count {
      scale.ticks.append(Tick(value: index * step, text: Figure.fixed(index * step, decimals)))
      index += 1
    }
    return scale
  }

  /// For values above zero. The caller sets the ticks.
  static func logarithmic(_ values: [Double]) -> Scale {
    let logs = values.map(PortableMath.log2)
    var scale = linear(logs)
    scale.isLogarithmic = true
    let room = max(0.1, ((logs.max() ?? 1) - (logs.min() ?? 0)) * 0.05)
    (scale.lowest, scale.highest) = ((logs.min() ?? 0) - room, (logs.max() ?? 1) + room)
    scale.ticks = []
    return scale
  }

  package func share(_ value: Double) -> Double {
    let place = isLogarithmic ? PortableMath.log2(value) : value
    return (place - lowest) / (highest - lowest)
  }

  /// Whether values are spaced more evenly by ratio than by difference, as 1, 2, 4, 8 are.
  package static func isGeometric(_ distinct: [Double]) -> Bool {
    let sorted = distinct.sorted()
    guard sorted.count >= 3, let least = sorted.first, let most = sorted.last, least > 0, least.isNormal,
      most / least >= 4
    else { return false }
    return unevenness(sorted.map(PortableMath.log2)) < 0.75 * unevenness(sorted)
  }

  /// The largest deviation of sorted values from equal spacing, as a share of their range.
  private static func unevenness(_ sorted: [Double]) -> Double {
    let span = sorted[sorted.count - 1] - sorted[0]
    return sorted.indices.reduce(0) { most, place in
      max(most, ((sorted[place] - sorted[0]) / span - Double(place) / Double(sorted.count - 1)).magnitude)
    }
  }

  private static func niceStep(_ rough: Double) -> Double {
    var unit = 1.0
    // Bounded, since the range of the values may be infinite.
    while unit * 10 <= rough, unit < 1e300 { unit *= 10 }
    // One division by a power of ten, since repeated factors of 0.1 would not give 0.001 exactly.
    var divisor = 1.0
    while unit / divisor > rough, divisor < 1e300 { divisor *= 10 }
    let base = unit / divisor
    return base * (rough / base < 1.5 ? 1 : rough / base < 3.5 ? 2 : rough / base < 7.5 ? 5 : 10)
  }
}

extension Figure {
  fileprivate static func decimals(_ step: Double) -> Int {
    var decimals = 0
    while decimals < mostDecimals, step * power(decimals) < 0.999 { decimals += 1 }
    return decimals
  }
}
