/// An SVG drawing with axes, as text. It sets classes only; colours are in the style sheet.
package struct Drawing {
  let width: Double
  let height: Double
  var left = 50.0
  var right = 12.0
  var top = 26.0
  var bottom = 42.0
  private(set) var body = ""

  init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  var plotWidth: Double { width - left - right }
  var plotHeight: Double { height - top - bottom }
  var baseline: Double { height - bottom }

  func x(_ share: Double) -> Double { left + share * plotWidth }
  func y(_ share: Double) -> Double { baseline - share * plotHeight }

  mutating func add(_ element: String) { body += element + "\n" }

  mutating func line(_ kind: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    add(
      "<path class=\"\(kind)\" d=\"M\(Figure.place(x1)) \(Figure.place(y1))L\(Figure.place(x2)) \(Figure.place(y2))\"/>"
    )
  }

  mutating func rectangle(_ kind: String, x: Double, y: Double, width: Double, height: Double) {
    add(
      "<rect class=\"\(kind)\" x=\"\(Figure.place(x))\" y=\"\(Figure.place(y))\" width=\"\(Figure.place(width))\" "
        + "height=\"\(Figure.place(height))\"/>")
  }

  /// - Parameter anchor: start, middle or end.
  mutating func text(_ kind: String, _ text: String, x: Double, y: Double, anchor: String = "start") {
    add(
      "<text class=\"\(kind)\" x=\"\(Figure.place(x))\" y=\"\(Figure.place(y))\" text-anchor=\"\(anchor)\">"
        + "\(Escaping.html(text))</text>")
  }

  mutating func yAxis(_ scale: Scale, title: String) {
    for tick in scale.ticks {
      let place = y(scale.share(tick.value))
      line("grid", left, place, width - right, place)
      text("tick", tick.text, x: left - 6, y: place + 3.5, anchor: "end")
    }
    text("title", title, x: 4, y: 13)
  }

  mutating func xAxis(_ scale: Scale, title: String, lines: Bool = true) {
    line("axis", left, baseline, width - right, baseline)
    var free = -Double.infinity
    for tick in scale.ticks {
      let place = x(scale.share(tick.value))
      if lines { line("grid", place, top, place, baseline) }
      line("axis", place, baseline, place, baseline + 4)
      // Labels that would overlap are left out; their ticks stay.
      let half = Double(tick.text.count) * 3.2 + 2
      guard place - half > free else { continue }
      text("tick", tick.text, x: place, y: baseline + 16, anchor: "middle")
      free = place + half
    }
    text("title", title, x: width - right, y: height - 6, anchor: "end")
  }

  /// Dots as one path. The script finds a dot's setting by the dot's index in `data-settings`,
  /// which lists settings as spans, such as "0-4 6".
  /// - Parameter most: with more dots than this, overlapping ones are left out.
  mutating func dots(_ all: [(setting: Int, x: Double, y: Double)], most: Int) {
    guard !all.isEmpty else { return }
    let dots = Self.thinned(all, most)
    let path = dots.map { "M\(Figure.place($0.x)) \(Figure.place($0.y))h0" }.joined()
    add(
      "<path class=\"dots\(dots.count > 300 ? " many" : "")\" data-settings=\"\(Self.spans(dots.map(\.setting)))\" d=\"\(path)\"/>"
    )
  }

  /// Keeps the first dot of each grid cell, with larger and larger cells until few enough are left.
  private static func thinned(_ dots: [(setting: Int, x: Double, y: Double)], _ most: Int)
    -> [(setting: Int, x: Double, y: Double)]
  {
    var dots = dots
    var side = 1.0
    while dots.count > most, side < 1000 {
      var cells: Set<Int> = []
      dots = dots.filter { cells.insert(Int($0.x / side) * 100_000 + Int($0.y / side)).inserted }
      side *= 1.4
    }
    return dots
  }

  package static func spans(_ numbers: [Int]) -> String {
    var spans: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = spans.last, number == last.upperBound + 1 {
        spans[spans.count - 1] = last.lowerBound...number
      } else {
        spans.append(number...number)
      }
    }
    return spans.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " ")
  }

  static func mark(_ role: ReportPicture.Role, x: Double, y: Double) -> String {
    let (cx, cy) = (Figure.place(x), Figure.place(y))
    let shape =
      switch role {
      case .best:
        "M0-8 1.9-2.6 7.6-2.5 3.1 1 4.7 6.5 0 3.2-4.7 6.5-3.1 1-7.6-2.5-1.9-2.6Z"
      case .current: "M-5.2-5.2H5.2V5.2H-5.2Z"
      case .worst: "M-6.2-4.6H6.2L0 6.4Z"
      }
    return "<path class=\"mark \(role.rawValue)\" transform=\"translate(\(cx) \(cy))\" d=\"\(shape)\"/>"
  }

  /// - Parameter label: a description for screen readers.
  func svg(_ kind: String, data: String = "", label: String) -> String {
    let size = "\(Figure.place(width)) \(Figure.place(height))"
    let given = data.isEmpty ? "" : " data-axes=\"\(data)\""
    return "<svg class=\"\(kind)\" viewBox=\"0 0 \(size)\" role=\"group\"\(given) "
      + "aria-label=\"\(Escaping.html(label))\">\n\(body)</svg>"
  }
}
