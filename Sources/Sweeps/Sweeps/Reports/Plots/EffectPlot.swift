/// The effect of one parameter on a score while the others vary.
struct EffectPlot {
  let table: SweepTable
  let roles: SweepRoles
  let parameter: Int
  let column: SweepTable.Column
  let mostDots: Int

  /// More distinct numbers than this are grouped into 12 equal parts of the axis.
  private static let mostGroups = 16
  /// Words beyond this number are left out, in the order of the settings.
  private static let mostWords = 24

  private struct Group {
    var share: Double
    var text: String
    var values: [Double]
  }

  private struct Axis {
    var scale: Scale
    var groups: [Group]
    /// Each dot's position along the axis, 0 to 1; nil for a value that is left out.
    var shares: [Double?]
  }

  /// Nil if no setting has the score, or only one value was tried.
  func figure() -> String? {
    let means = table.means(of: column.kind)
    let texts = means.map { table.rows[$0.setting].tried[parameter] }
    var distinct: [String] = []
    var seen: Set<String> = []
    for text in texts where seen.insert(text).inserted { distinct.append(text) }
    guard distinct.count > 1 else { return nil }
    let numbers = texts.map(Figure.number)
    let axis =
      numbers.contains(nil) || Set(numbers).count < 2
      ? wordAxis(texts, distinct, means.map(\.value))
      : numberAxis(numbers.map { $0 ?? 0 }, texts, means.map(\.value))
    return draw(axis, means)
  }

  private func wordAxis(_ texts: [String], _ distinct: [String], _ values: [Double]) -> Axis {
    let shown = Array(distinct.prefix(Self.mostWords))
    let places = [String: Int](uniqueKeysWithValues: shown.enumerated().map { ($0.element, $0.offset) })
    var groups = shown.indices.map {
      Group(share: (Double($0) + 0.5) / Double(shown.count), text: shown[$0], values: [])
    }
    let shares = zip(texts, values).map { text, value -> Double? in
      guard let place = places[text] else { return nil }
      groups[place].values.append(value)
      return groups[place].share
    }
    var scale = Scale(lowest: 0, highest: 1)
    let room = max(3, 46 / shown.count)
    scale.ticks = groups.map { .init(value: $0.share, text: Self.shortened($0.text, room)) }
    return Axis(scale: scale, groups: groups, shares: shares)
  }

  private func numberAxis(_ numbers: [Double], _ texts: [String], _ values: [Double]) -> Axis {
    let distinct = Set(numbers).sorted()
    var scale = Scale.isGeometric(distinct) ? Scale.logarithmic(distinct) : Scale.linear(distinct, margin: 0.08)
    if !scale.isLogarithmic, let first = distinct.first, let last = distinct.last {
      let room = (last - first) * 0.08
      (scale.lowest, scale.highest) = (first - room, last + room)
    }
    let written = [Double: String](zip(numbers, texts)) { first, _ in first }
    var groups: [Group] = []
    if distinct.count <= Self.mostGroups {
      groups = distinct.map { Group(share: scale.share($0), text: written[$0] ?? "", values: []) }
      let places = [Double: Int](uniqueKeysWithValues: distinct.enumerated().map { ($0.element, $0.offset) })
      for (number, value) in zip(numbers, values) { groups[places[number] ?? 0].values.append(value) }
    } else {
      let count = 12
      groups = (0..<count).map { Group(share: (Double($0) + 0.5) / Double(count), text: "", values: []) }
      for (number, value) in zip(numbers, values) {
        groups[min(count - 1, max(0, Int(scale.share(number) * Double(count))))].values.append(value)
      }
      groups.removeAll { $0.values.isEmpty }
    }
    if distinct.count <= Self.mostGroups || scale.isLogarithmic {
      scale.ticks = Self.thinned(distinct).map { .init(value: $0, text: Self.shortened(written[$0] ?? "", 9)) }
    }
    return Axis(scale: scale, groups: groups, shares: numbers.map { scale.share($0) })
  }

  /// Seven of the values, evenly spaced in the list, if there are more than `mostGroups`.
  private static func thinned(_ values: [Double]) -> [Double] {
    guard values.count > Self.mostGroups else { return values }
    return (0..<7).map { values[$0 * (values.count - 1) / 6] }
  }

  private static func shortened(_ text: String, _ count: Int) -> String {
    text.count <= count ? text : text.prefix(max(1, count - 1)) + "…"
  }

  private func draw(_ axis: Axis, _ means: [(setting: Int, value: Double)]) -> String {
    let up = Scale.linear(means.map(\.value))
    var drawing = Drawing(width: 340, height: 236)
    drawing.yAxis(up, title: column.axisTitle)
    let name = table.identity.tried[parameter]
    drawing.xAxis(axis.scale, title: axis.scale.isLogarithmic ? "\(name), logarithmic" : name, lines: false)
    let shares = axis.groups.map(\.share)
    let nearest = zip(shares, shares.dropFirst()).map { $1 - $0 }.min() ?? 0.5
    // Dots of one value are spread sideways by the golden ratio, which avoids clusters.
    let spread = min(22, nearest * drawing.plotWidth * 0.6)
    let isGathered = axis.groups.allSatisfy(\.text.isEmpty)
    let dots = zip(means, axis.shares).compactMap { mean, share -> (setting: Int, x: Double, y: Double)? in
      guard let share else { return nil }
      let turn = Double(mean.setting) * 0.6180339887498949
      let aside = isGathered ? 0 : (turn - turn.rounded(.down) - 0.5) * spread
      return (mean.setting, drawing.x(share) + aside, drawing.y(up.share(mean.value)))
    }
    drawing.dots(dots, most: mostDots)
    var path = ""
    var marks = ""
    var centers: [Double] = []
    for group in axis.groups {
      let mean = group.values.reduce(0, +) / Double(group.values.count)
      centers.append(mean)
      let (x, y) = (drawing.x(group.share), drawing.y(up.share(mean)))
      let (low, high) = (group.values.min() ?? mean, group.values.max() ?? mean)
      let words =
        "\(group.text.isEmpty ? "" : "\(name) \(group.text): ")mean \(column.text(mean)), "
        + "\(column.text(low)) to \(column.text(high)) of \(Figure.counted(group.values.count, "setting"))"
      let (top, bottom) = (Figure.place(drawing.y(up.share(high))), Figure.place(drawing.y(up.share(low))))
      let at = Figure.place(x)
      marks += "<g class=\"effect\"><title>\(Escaping.html(words))</title>"
      marks += "<path class=\"range\" d=\"M\(at) \(top)V\(bottom)M\(Figure.place(x - 5)) \(top)h10"
      marks += "M\(Figure.place(x - 5)) \(bottom)h10\"/>"
      marks += "<path class=\"mean\" transform=\"translate(\(at) \(Figure.place(y)))\" d=\"M0-5L5 0 0 5-5 0Z\"/></g>"
      path += "\(path.isEmpty ? "M" : "L")\(at) \(Figure.place(y))"
    }
    drawing.add("<path class=\"trend\" d=\"\(path)\"/>" + marks)
    for role in [ReportPicture.Role.current, .best] {
      guard let dot = dots.first(where: { $0.setting == roles[role] }) else { continue }
      drawing.add(Drawing.mark(role, x: dot.x, y: dot.y))
    }
    return figure(drawing, name, centers, shown: dots.count, of: means.count)
  }

  private func figure(_ drawing: Drawing, _ name: String, _ centers: [Double], shown: Int, of all: Int) -> String {
    let (low, high) = (centers.min() ?? 0, centers.max() ?? 0)
    let words =
      "Means lie between \(column.text(low)) and \(column.text(high)): "
      + "\(name) moves \(column.name) by \(column.text(high - low))."
      + (shown < all ? " Settings with rarer values, \(Figure.count(all - shown)), are left out." : "")
    return "<figure class=\"plot small\"><h3><code>\(Escaping.html(name))</code></h3>"
      + drawing.svg("effects", label: "\(column.name) by \(name)")
      + "<figcaption>\(Escaping.html(words))</figcaption></figure>"
  }
}
