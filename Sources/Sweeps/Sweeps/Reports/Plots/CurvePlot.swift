import Scores

/// A score over the frames of one recording, for the singled-out settings.
package struct CurvePlot {
  package struct Curve {
    var roles: [ReportPicture.Role]
    var frames: [ScoredFrame]

    package init(roles: [ReportPicture.Role], frames: [ScoredFrame]) {
      (self.roles, self.frames) = (roles, frames)
    }
  }

  let column: SweepTable.Column
  let score: ScoreKind
  let curves: [Curve]
  /// Longer curves are reduced to the minimum and maximum of each of this many parts.
  package let columnCount: Int

  package init(column: SweepTable.Column, score: ScoreKind, curves: [Curve], columnCount: Int) {
    (self.column, self.score, self.curves, self.columnCount) = (column, score, curves, columnCount)
  }

  private static let laneHeight = 7.0

  package func figure(over recording: String) -> String? {
    let values = curves.flatMap { curve in curve.frames.compactMap { value($0) } }
    let numbers = curves.flatMap { $0.frames.map(\.number) }
    guard !values.isEmpty, let first = numbers.min(), let last = numbers.max() else { return nil }
    let up = Scale.linear(values, count: 4)
    var across = Scale.linear([Double(first), Double(last)], count: 8, margin: 0)
    if first < last { (across.lowest, across.highest) = (Double(first), Double(last)) }
    across.ticks.removeAll { $0.value != $0.value.rounded() || $0.value < across.lowest }
    var drawing = Drawing(width: 900, height: 222 + lanes)
    drawing.bottom = 34 + lanes
    for gap in Self.joined(curves.flatMap { gaps($0.frames) }) {
      let (x, width) = span(gap, across, drawing)
      drawing.rectangle("gap", x: x, y: drawing.top, width: width, height: drawing.plotHeight)
    }
    drawing.yAxis(up, title: column.axisTitle)
    axis(across, &drawing)
    for curve in curves.reversed() {
      drawing.add(
        "<path class=\"curve \(Self.kind(curve))\" d=\"\(path(curve.frames, across, up, drawing))\"/>")
    }
    let counts = curves.map { curve in (name: Self.name(curve), count: curve.frames.count { !$0.hasMatte }) }
    let words =
      counts.allSatisfy { $0.count == 0 }
      ? "every frame has a matte"
      : "frames without a matte: " + counts.map { "\($0.name) \(Figure.count($0.count))" }.joined(separator: ", ")
    return "<figure class=\"plot wide\"><figcaption><code>\(Escaping.html(recording))</code> "
      + "<span class=\"quiet\">\(Escaping.html(words))"
      + "</span></figcaption><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(Escaping.html(column.name)) over frames\">"
      + drawing.svg(
        "curves", data: axes(across, up, drawing),
        label: "\(column.name) of \(recording) from frame \(first) to \(last)")
      + "</div></figure>"
  }

  /// The plot's rectangle and the values at its borders, for the script.
  private func axes(_ across: Scale, _ up: Scale, _ drawing: Drawing) -> String {
    let place = [drawing.left, drawing.top, drawing.plotWidth, drawing.plotHeight].map(Figure.place)
    let borders = [across.lowest, across.highest, up.lowest, up.highest].map { Figure.json($0, column.scriptDecimals) }
    return "\((place + borders).joined(separator: " ")) \(column.decimals)"
  }

  static func kind(_ curve: Curve) -> String { curve.roles.first?.rawValue ?? "" }
  static func name(_ curve: Curve) -> String { curve.roles.map { $0.title.lowercased() }.joined(separator: " and ") }

  private func value(_ frame: ScoredFrame) -> Double? {
    guard frame.hasMatte, let value = frame.scores[score], value.isFinite else { return nil }
    return value
  }

  private var lanes: Double {
    curves.allSatisfy { $0.frames.allSatisfy(\.hasMatte) } ? 0 : 4 + Self.laneHeight * Double(curves.count)
  }

  /// A lane for each setting, which shows the frames without a matte; frame numbers below.
  private func axis(_ across: Scale, _ drawing: inout Drawing) {
    drawing.line("axis", drawing.left, drawing.baseline, drawing.width - drawing.right, drawing.baseline)
    for (place, curve) in curves.enumerated() {
      let y = drawing.baseline + 4 + Self.laneHeight * Double(place)
      for gap in gaps(curve.frames) {
        let (x, width) = span(gap, across, drawing)
        drawing.rectangle("lane \(Self.kind(curve))", x: x, y: y, width: width, height: Self.laneHeight - 2)
      }
    }
    for tick in across.ticks {
      let x = drawing.x(across.share(tick.value))
      drawing.line("axis", x, drawing.baseline, x, drawing.baseline + 3)
      drawing.text("tick", tick.text, x: x, y: drawing.baseline + lanes + 14, anchor: "middle")
    }
    drawing.text("title", "frame", x: drawing.width - drawing.right, y: drawing.height - 6, anchor: "end")
  }

  /// Ranges of frame numbers without a matte.
  private func gaps(_ frames: [ScoredFrame]) -> [ClosedRange<Int>] {
    var gaps: [ClosedRange<Int>] = []
    for frame in frames where !frame.hasMatte {
      if let last = gaps.last, frame.number - last.upperBound <= max(1, stride(frames)) {
        gaps[gaps.count - 1] = last.lowerBound...frame.number
      } else {
        gaps.append(frame.number...frame.number)
      }
    }
    return gaps
  }

  private static func joined(_ gaps: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    var joined: [ClosedRange<Int>] = []
    for gap in gaps.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, gap.lowerBound <= last.upperBound + 1 {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, gap.upperBound)
      } else {
        joined.append(gap)
      }
    }
    return joined
  }

  private func stride(_ frames: [ScoredFrame]) -> Int {
    frames.count > 1 ? frames[1].number - frames[0].number : 1
  }

  /// At least 1.5 wide, clipped to the plot.
  private func span(_ gap: ClosedRange<Int>, _ across: Scale, _ drawing: Drawing) -> (x: Double, width: Double) {
    let x = drawing.x(max(0, across.share(Double(gap.lowerBound) - 0.5)))
    let end = drawing.x(min(1, across.share(Double(gap.upperBound) + 0.5)))
    return (x, max(1.5, end - x))
  }

  private func path(_ frames: [ScoredFrame], _ across: Scale, _ up: Scale, _ drawing: Drawing) -> String {
    let wanted = thinned(frames)
    var path = ""
    var isDown = false
    for (place, frame) in wanted.enumerated() {
      guard let value = value(frame) else {
        isDown = false
        continue
      }
      let x = Figure.place(drawing.x(across.share(Double(frame.number))))
      // Two decimals, since the script reads values from the path.
      let y = Figure.json(drawing.y(up.share(value)), 2)
      let isAlone = !isDown && (place + 1 == wanted.count || self.value(wanted[place + 1]) == nil)
      path += "\(isDown ? "L" : "M")\(x) \(y)" + (isAlone ? "h0" : "")
      isDown = true
    }
    return path
  }

  /// From each part of the frames the minimum, the maximum and one frame without a value, in order.
  private func thinned(_ frames: [ScoredFrame]) -> [ScoredFrame] {
    guard frames.count > 2 * columnCount else { return frames }
    var kept: [ScoredFrame] = []
    for part in 0..<columnCount {
      let places = part * frames.count / columnCount..<(part + 1) * frames.count / columnCount
      let valued = places.filter { value(frames[$0]) != nil }
      var chosen: Set<Int> = []
      if let least = valued.min(by: { (value(frames[$0]) ?? 0) < (value(frames[$1]) ?? 0) }) { chosen.insert(least) }
      if let most = valued.max(by: { (value(frames[$0]) ?? 0) < (value(frames[$1]) ?? 0) }) { chosen.insert(most) }
      if let gap = places.first(where: { value(frames[$0]) == nil }) { chosen.insert(gap) }
      kept += chosen.sorted().map { frames[$0] }
    }
    return kept
  }
}
