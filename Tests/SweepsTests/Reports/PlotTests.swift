import Scores
import Support
import Sweeps
import TestSupport
import Testing

/// Plots of a report.
@Suite(.long) struct PlotTests {
  @Test(arguments: [ScoreKind.Preference.higher, .lower])
  func `of the front none is beaten, and of the others each is`(preference: ScoreKind.Preference) {
    var random = SeededGenerator(seed: 11)
    for count in [1, 2, 7, 60] {
      // Few values, so that many are equal.
      let points = (0..<count).map {
        ParetoFront.Point(setting: $0, x: Double(random.next(below: 9)), y: Double(random.next(below: 9)))
      }
      let front = ParetoFront.of(points, preference)
      func beats(_ a: ParetoFront.Point, _ b: ParetoFront.Point) -> Bool {
        let (first, second) = preference == .higher ? (a.y, b.y) : (-a.y, -b.y)
        return a.x <= b.x && first >= second && (a.x < b.x || first > second)
      }
      for point in points {
        let isBeaten = points.contains { beats($0, point) }
        #expect(front.contains { $0.x == point.x && $0.y == point.y } == !isBeaten)
      }
      #expect(zip(front, front.dropFirst()).allSatisfy { $0.x < $1.x })
    }
  }

  @Test(
    arguments: [
      [0.1, 0.9], [0, 0], [5], [-3, 4], [1e-9, 2e-9], [1e12, 1.000001e12], [0.84, 0.93], [100, 101],
      [Double.leastNonzeroMagnitude], [1e100],
      [-1e100, 1e100],
    ]
      as [[Double]])
  func `ticks are round, within the axis and few`(values: [Double]) {
    let scale = Scale.linear(values)
    #expect((1...12).contains(scale.ticks.count))
    #expect(scale.lowest < scale.highest)
    for tick in scale.ticks { #expect((-1e-9...1 + 1e-9).contains(scale.share(tick.value))) }
    for value in values { #expect((0...1).contains(scale.share(value))) }
    #expect(Set(scale.ticks.map(\.text)).count == scale.ticks.count || values.contains(1e-9))
  }

  @Test
  func `an axis over more than there are numbers has an end`() {
    let most = Double.greatestFiniteMagnitude
    #expect(Scale.linear([-most, most]).ticks.count <= 20)
  }

  @Test(
    arguments: [
      ([1, 2, 4, 8], true), ([1, 1.5, 2, 3, 4, 6, 8, 12], true), ([0.001, 0.01, 0.1], true), ([1, 2, 3, 4, 5], false),
      ([0.25, 0.3, 0.35], false), ([0, 1, 10, 100], false), ([-1, 2, 4], false), ([1, 100], false),
    ] as [([Double], Bool)])
  func `an axis is logarithmic where values are spread by ratios`(values: [Double], expected: Bool) {
    #expect(Scale.isGeometric(values) == expected)
  }

  @Test
  func `settings along a path are written as spans`() {
    #expect(Drawing.spans([0, 1, 2, 5, 7, 8]) == "0-2 5 7-8")
    #expect(Drawing.spans([]) == "")
  }

  @Test
  func `a parameter of words has an axis of words, whatever they are`() throws {
    var sweep = SampleSweep.line(60)
    for place in sweep.identity.settings.indices {
      sweep.identity.settings[place].parameters[2].value = "word & sentence \(place % 30)"
    }
    let html = try sweep.report()
    // Of thirty words 24 have a place.
    #expect(html.contains("Settings with rarer values, 12, are left out."))
    #expect(try ReportChecks(html).problems.isEmpty)
  }

  @Test
  func `a curve is broken where there is no matte, and thinned where there are many frames`() throws {
    let frames = (0..<1000).map { number in
      var scores = ScoreRow()
      scores[.iou] = number == 500 ? 0.1 : 0.9
      return ScoredFrame(number: number, hasMatte: number < 200 || number >= 260, scores: scores)
    }
    let column = SweepTable.Column(kind: .score(.iou))
    let whole = CurvePlot(
      column: column, score: .iou, curves: [.init(roles: [.best], frames: frames)], columnCount: 1000)
    let thin = CurvePlot(column: column, score: .iou, curves: [.init(roles: [.best], frames: frames)], columnCount: 100)
    for plot in [whole, thin] {
      let figure = try #require(plot.figure(over: "a"))
      let path = try #require(figure.firstMatch(of: /class="curve best" d="([^"]*)"/)?.1)
      #expect(path.split(separator: "M").count == 2)
      #expect(figure.contains("frames without a matte: best 60"))
      #expect(figure.matches(of: /class="gap"/).count == 1)
      #expect(path.contains("L") && path.count < (plot.columnCount == 100 ? 4000 : 20_000))
      // The one bad frame is on either.
      let lowest = path.matches(of: /[ML][0-9.]+ ([0-9.]+)/).compactMap { Double($0.1) }.max() ?? 0
      #expect(lowest > 150)
    }
  }
}
