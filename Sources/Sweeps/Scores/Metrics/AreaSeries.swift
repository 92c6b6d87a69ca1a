/// How the person's area behaves over a recording.
package struct AreaSeries: Hashable, Sendable {
  /// Of each frame, a share of the picture; 0 for a frame without a matte.
  package private(set) var areas: [Double] = []

  package init(_ areas: [Double] = []) { self.areas = areas }

  package mutating func append(_ area: Double) { areas.append(area) }

  /// The standard deviation over the mean, of all frames; nil where the mean is 0.
  package var coefficientOfVariation: Double? {
    let mean = areas.reduce(0, +) / Double(areas.count)
    guard !areas.isEmpty, mean > 0 else { return nil }
    let variance = areas.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(areas.count)
    return variance.squareRoot() / mean
  }

  /// Frames where the person is all but gone: an area below a quarter of the median. Of a recording without a person, none.
  package var dropOuts: [Int] {
    guard let median else { return [] }
    return areas.indices.filter { areas[$0] < median / 4 }
  }

  /// Of an even number the lower one.
  private var median: Double? { areas.isEmpty ? nil : areas.sorted()[(areas.count - 1) / 2] }
}
