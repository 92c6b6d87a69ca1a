/// HTML fragments that several parts of the page share.
enum Markup {
  static func section(_ id: String, _ title: String, _ body: String) -> String {
    "<section id=\"\(id)\" aria-labelledby=\"\(id)-title\">\n<h2 id=\"\(id)-title\">\(Escaping.html(title))</h2>\n"
      + "\(body)\n</section>\n"
  }

  static func paragraph(_ text: String, kind: String = "") -> String {
    "<p\(kind.isEmpty ? "" : " class=\"\(kind)\"")>\(Escaping.html(text))</p>\n"
  }

  /// Rows of a list that are shown.
  static let mostRows = 100

  /// A row that says how many more there are; nothing where there are none.
  static func more(than count: Int, columns: Int) -> String {
    count <= mostRows
      ? "" : "<tr><td class=\"quiet\" colspan=\"\(columns)\">and \(Figure.count(count - mostRows)) more</td></tr>"
  }

  /// Errors that cover many recordings can be long; their beginning is enough here.
  static func shortened(_ text: String) -> String { text.count <= 1000 ? text : text.prefix(999) + "…" }

  /// A table that scrolls sideways where it is too wide.
  /// - Parameters:
  ///   - label: a description for screen readers.
  ///   - rows: from the caption or the head to the last row of the body, whose end is added.
  static func table(_ label: String, kind: String = "plain", _ rows: String) -> String {
    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(label)\"><table class=\"\(kind)\">"
      + "\(rows)</tbody></table></div>\n"
  }

  static func code(_ text: String) -> String { "<code>\(Escaping.html(text))</code>" }

  /// Radio buttons with a panel each, which work without a script: the style sheet shows a panel
  /// while the button before it is checked. The first one is checked.
  static func choice(_ id: String, _ title: String, _ options: [(name: String, help: String, panel: String)]) -> String
  {
    guard options.count > 1 else { return options.first.map { "<div class=\"panels\">\($0.panel)</div>\n" } ?? "" }
    var text = "<div class=\"choice\" role=\"group\" aria-label=\"\(Escaping.html(title))\">\n"
    text += "<span class=\"choice-title\" aria-hidden=\"true\">\(Escaping.html(title))</span>\n"
    for (place, option) in options.enumerated() {
      let own = "\(id)-\(place)"
      text += "<input type=\"radio\" name=\"\(id)\" id=\"\(own)\"\(place == 0 ? " checked" : "")>"
      text += "<label for=\"\(own)\" title=\"\(Escaping.html(option.help))\">\(Escaping.html(option.name))</label>"
      text += "<div class=\"panel\">\(option.panel)</div>\n"
    }
    return text + "</div>\n"
  }

  static func mark(_ role: ReportPicture.Role) -> String {
    symbol(Drawing.mark(role, x: 0, y: 0))
  }

  static func badge(_ role: ReportPicture.Role) -> String {
    "<span class=\"badge \(role.rawValue)\">\(mark(role))\(role.title)</span>"
  }

  static func legend(_ roles: [ReportPicture.Role], _ more: [(symbol: String, text: String)] = []) -> String {
    let items = roles.map { (symbol: mark($0), text: $0.title.lowercased()) } + more
    return "<ul class=\"legend\">"
      + items.map { "<li>\($0.symbol)\(Escaping.html($0.text))</li>" }.joined() + "</ul>\n"
  }

  static func symbol(_ content: String) -> String {
    "<svg class=\"symbol\" viewBox=\"-9 -9 18 18\" aria-hidden=\"true\">\(content)</svg>"
  }
}
