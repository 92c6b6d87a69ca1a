import Scores

/// Settings by a quality and a price, with the Pareto front.
struct ParetoPlot {
  let table: SweepTable
  let roles: SweepRoles
  let quality: SweepTable.Column
  let price: SweepTable.Column
  let mostDots: Int

  /// Nil if no setting has both.
  func figure() -> String? {
    let points = table.points(quality, price.kind)
    guard !points.isEmpty else { return nil }
    let front = ParetoFront.of(points, quality.preference)
    let across = Scale.linear(points.map(\.x))
    let up = Scale.linear(points.map(\.y))
    var drawing = Drawing(width: 420, height: 300)
    drawing.yAxis(up, title: quality.axisTitle)
    drawing.xAxis(across, title: price.axisTitle)
    drawing.dots(
      points.map { ($0.setting, drawing.x(across.share($0.x)), drawing.y(up.share($0.y))) }, most: mostDots)
    let frontPlaces = front.map {
      (setting: $0.setting, x: drawing.x(across.share($0.x)), y: drawing.y(up.share($0.y)))
    }
    drawing.add(step(frontPlaces, drawing))

    let singled = points.filter { !roles.roles(of: $0.setting).isEmpty }
    let onFront = Set(front.map(\.setting))
    let focusable = front.filter { roles.roles(of: $0.setting).isEmpty } + singled
    var labels: [String] = []
    for point in focusable.sorted(by: { ($0.x, $0.setting) < ($1.x, $1.setting) }) {
      labels.append(mark(point, drawing.x(across.share(point.x)), drawing.y(up.share(point.y)), onFront))
    }
    drawing.add("<g class=\"points\">" + labels.joined() + "</g>")
    let text =
      "\(quality.name) against \(price.name) of \(Figure.counted(points.count, "setting")); "
      + "\(Figure.counted(front.count, "setting")) on the Pareto front"
    return "<figure class=\"plot\">\(drawing.svg("scatter", label: text))"
      + "<figcaption>\(Escaping.html(caption(front.count, points.count)))</figcaption></figure>"
  }

  private func caption(_ front: Int, _ all: Int) -> String {
    "\(quality.name) against \(price.name): \(Figure.count(front)) of \(Figure.counted(all, "setting")) "
      + (front == 1 ? "is" : "are") + " on the Pareto front: no setting is better in both."
  }

  private func step(_ places: [(setting: Int, x: Double, y: Double)], _ drawing: Drawing) -> String {
    guard let first = places.first else { return "" }
    let start = quality.preference == .lower ? drawing.top : drawing.baseline
    var path = "M\(Figure.place(first.x)) \(Figure.place(start))V\(Figure.place(first.y))"
    for place in places.dropFirst() { path += "H\(Figure.place(place.x))V\(Figure.place(place.y))" }
    path += "H\(Figure.place(drawing.width - drawing.right))"
    return "<path class=\"front\" d=\"\(path)\"/>"
  }

  private func mark(_ point: ParetoFront.Point, _ x: Double, _ y: Double, _ onFront: Set<Int>) -> String {
    let own = roles.roles(of: point.setting)
    let number = table.identity.settings[point.setting].number
    var words = ["setting \(number)"]
    if !own.isEmpty { words.insert(own.map { $0.title.lowercased() }.joined(separator: " and "), at: 0) }
    if onFront.contains(point.setting) { words.append("on the front") }
    let tried = zip(table.identity.tried, table.rows[point.setting].tried).prefix(12).map { "\($0) \($1)" }
    let values = "\(quality.name) \(quality.text(point.y)), \(price.name) \(price.text(point.x))"
    let text = ([words.joined(separator: ", ")] + tried + [values]).joined(separator: "; ")
    let shape =
      own.isEmpty
      ? "<circle class=\"front-point\" cx=\"\(Figure.place(x))\" cy=\"\(Figure.place(y))\" r=\"4\"/>"
      : own.reversed().map { Drawing.mark($0, x: x, y: y) }.joined()
    return "<g class=\"point\" tabindex=\"0\" role=\"img\" data-setting=\"\(point.setting)\" "
      + "aria-label=\"\(Escaping.html(text))\"><title>\(Escaping.html(text))</title>"
      + "<circle class=\"halo\" cx=\"\(Figure.place(x))\" cy=\"\(Figure.place(y))\" r=\"11\"/>\(shape)</g>"
  }
}
