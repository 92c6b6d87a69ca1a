import Foundation

struct PicturesPart {
  let table: SweepTable
  let pictures: [ReportPicture]

  /// Limit for all PNG files, so that the page opens quickly; Base64 adds a third.
  static let mostBytes = 2_600_000

  var html: String {
    guard !pictures.isEmpty else { return "" }
    let roles = ReportPicture.Role.inOrder
    let sorted = pictures.enumerated().sorted { a, b in
      let (first, second) = (a.element, b.element)
      if first.recording != second.recording { return first.recording < second.recording }
      if first.frame != second.frame { return first.frame < second.frame }
      let (one, other) = (roles.firstIndex(of: first.role) ?? 0, roles.firstIndex(of: second.role) ?? 0)
      return one == other ? a.offset < b.offset : one < other
    }.map(\.element)
    var left = Self.mostBytes
    var leftOut = 0
    var body = ""
    var last: (recording: Int, frame: Int)?
    for picture in sorted {
      let roles = roles.filter { role in sorted.contains { $0.role == role && $0.isOfSame(picture) } }
      // A setting with several roles is shown once.
      guard roles.first == picture.role else { continue }
      let size = picture.composite.count + picture.matte.count
      guard size <= left else {
        leftOut += 1
        continue
      }
      left -= size
      if last.map({ $0 != (picture.recording, picture.frame) }) ?? true {
        if last != nil { body += "</div>\n" }
        body += "<h3>Frame \(picture.frame) of \(Markup.code(path(picture.recording)))</h3>\n<div class=\"pictures\">"
        last = (picture.recording, picture.frame)
      }
      body += figure(picture, roles)
    }
    if last != nil { body += "</div>\n" }
    if leftOut > 0 {
      body += Markup.paragraph(
        "\(Figure.counted(leftOut, "picture")) left out to limit the size of this page.", kind: "quiet")
    }
    return Markup.section("pictures", "Pictures", body)
  }

  private func path(_ recording: Int) -> String {
    table.identity.recordings.first { $0.number == recording }?.path ?? "recording \(recording)"
  }

  private func figure(_ picture: ReportPicture, _ roles: [ReportPicture.Role]) -> String {
    let row = table.rows.first { table.identity.settings[$0.setting].number == picture.setting }
    let tried = row.map { zip(table.identity.tried, $0.tried).map { "\($0)=\($1)" } } ?? []
    let what =
      "of setting \(picture.setting), \(roles.map { $0.title.lowercased() }.joined(separator: " and ")), frame \(picture.frame)"
    return "<figure class=\"picture\">" + image(picture.composite, "Composite \(what)")
      + image(picture.matte, "Matte \(what)")
      + "<figcaption>\(roles.map(Markup.badge).joined(separator: " ")) setting \(picture.setting) "
      + "<span class=\"quiet\">\(tried.map(Markup.code).joined(separator: " "))</span></figcaption></figure>\n"
  }

  private func image(_ bytes: [UInt8], _ words: String) -> String {
    guard let size = Self.size(bytes) else { return "<p class=\"quiet\">\(Escaping.html(words)): not a PNG.</p>" }
    let data = Data(bytes).base64EncodedString()
    return "<img src=\"data:image/png;base64,\(data)\" width=\"\(size.width)\" height=\"\(size.height)\" "
      + "alt=\"\(Escaping.html(words))\">"
  }

  /// Width and height from the PNG's first chunk (IHDR), four bytes each.
  private static func size(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count > 33, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (number(16), number(20))
  }
}
