import Foundation
import TestSupport
import Testing

/// What a parser that shares nothing with the report finds in it.
struct ReportChecks {
  var problems: [String]
  /// Of all elements, in their order.
  var texts: [String]
  /// Elements by their names.
  var counts: [String: Int]
  /// What the page's script is given.
  var data: [String: Any]

  init(_ html: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("report.html")
    try Data(html.utf8).write(to: URL(fileURLWithPath: path))
    let child = try ChildProcess.run(Checkout.python, [Self.script("check_report.py"), path])
    let answer =
      try JSONSerialization.jsonObject(with: child.status == 0 ? child.output : Data("{}".utf8)) as? [String: Any]
    problems = answer?["problems"] as? [String] ?? ["check_report.py failed: \(child.errors.suffix(800))"]
    texts = answer?["texts"] as? [String] ?? []
    counts = answer?["counts"] as? [String: Int] ?? [:]
    data = answer?["data"] as? [String: Any] ?? [:]
  }

  var text: String { texts.joined(separator: " ") }

  static func script(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name).path
  }
}
