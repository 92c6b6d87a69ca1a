import Foundation
import Sweeps
import TestSupport
import Testing

/// The page in Chromium, by way of its own debugging pipe: with real keys, and with an eye on all that it asks for.
@Suite(.long) struct BrowserTests {
  private struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  private struct Answer {
    var answers: [Any]
    var console: [String]
    var requests: [String]
  }

  private func browse(_ html: String, _ folder: TemporaryFolder, _ steps: [[Any]]) throws -> Answer {
    try Data(html.utf8).write(to: URL(fileURLWithPath: folder.path("report.html")))
    try JSONSerialization.data(withJSONObject: steps).write(to: URL(fileURLWithPath: folder.path("steps.json")))
    let child = try ChildProcess.run(
      Checkout.python,
      [
        ReportChecks.script("browse_report.py"), Checkout.chromium, folder.path("report.html"),
        folder.path("steps.json"),
      ])
    guard child.status == 0, let answer = try JSONSerialization.jsonObject(with: child.output) as? [String: Any] else {
      throw Missing(description: "browse_report.py failed: \(child.errors.suffix(1500))")
    }
    return Answer(
      answers: answer["answers"] as? [Any] ?? [], console: answer["console"] as? [String] ?? [],
      requests: answer["requests"] as? [String] ?? [])
  }

  @Test
  func `it sorts by keys, tells points, changes its colours, and asks nobody for anything`() throws {
    let sweep = SampleSweep.grid()
    let pictures = try SamplePictures.all([(.best, 66)], recordings: 1)
    let folder = try TemporaryFolder()
    let rows = "[...document.querySelectorAll('#settings-table tbody tr')]"
    let heads = "[...document.querySelectorAll('#settings-table thead th')]"
    let sorted =
      "\(heads).map(head => head.getAttribute('aria-sort')).map((sort, place) => sort && place + ' ' + sort).filter(Boolean).join()"
    let first = "\(rows)[0].querySelector('th').firstChild.textContent"
    let answer = try browse(
      try sweep.report(pictures: pictures), folder,
      [
        ["light"],
        // 0, 1: the script's rows say what the program's did.
        [
          "eval",
          "\(rows).map(row => [...row.cells].slice(0, -1).map(cell => cell.textContent.trim()).join('|')).join(';')",
        ],
        ["eval", sorted],
        // 2 to 5: the first column of scores, by Enter and by space.
        ["eval", "\(heads)[5].querySelector('button').focus(); document.activeElement.textContent.trim()"],
        ["key", "Enter"], ["eval", sorted],
        ["key", " "], ["eval", sorted + " + ' ' + document.activeElement.tagName"],
        ["eval", first],
        // 6, 7: the tabulator goes to the next head.
        ["key", "Tab"], ["key", "Enter"], ["eval", sorted],
        ["eval", "document.getElementById('table-status').textContent"],
        // 8: only what is asked for.
        ["eval", "document.querySelector('#table-controls input').focus()"], ["type", "failed"],
        ["eval", "\(rows).map(row => row.textContent).join()"],
        // 10: points by arrows, and Enter finds the row.
        ["eval", "document.querySelector('.panel .point').focus()"], ["key", "ArrowRight"],
        [
          "eval",
          "document.activeElement.getAttribute('aria-label') + ' ~ ' + document.querySelector('#tip').textContent",
        ],
        ["key", "Enter"], ["eval", "document.querySelector('tr.found').contains(document.activeElement)"],
        // 13 to 15: light, dark by choice, light by choice in the dark.
        ["eval", "getComputedStyle(document.body).backgroundColor"],
        ["eval", "document.getElementById('theme-system').focus()"], ["key", "ArrowRight"], ["key", "ArrowRight"],
        ["eval", "document.activeElement.id + ' ' + getComputedStyle(document.body).backgroundColor"],
        ["dark"], ["key", "ArrowLeft"],
        ["eval", "document.activeElement.id + ' ' + getComputedStyle(document.body).backgroundColor"],
        // 17: another score's panel by keys.
        ["eval", "document.getElementById('quality-0').focus()"], ["key", "ArrowRight"],
        ["eval", "[...document.querySelectorAll('#trade-offs .panel')].map(panel => panel.checkVisibility()).join()"],
        ["size", 390, 800], ["eval", "document.documentElement.scrollWidth"],
        // 20, 21: a command is shown, and a curve tells a frame's values.
        ["eval", "\(rows)[0].querySelector('[aria-expanded]').click(); \(rows)[1].textContent"],
        ["size", 1280, 900],
        [
          "eval",
          """
          (() => {
            const plot = document.querySelector('.panel svg.curves');
            const box = plot.getBoundingClientRect();
            const [clientX, clientY] = [box.left + box.width * 0.3, box.top + 60];
            plot.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY, bubbles: true }));
            return document.querySelector('#tip').textContent;
          })()
          """,
        ],
        // 22: without a script rows, choices and commands are there.
        ["noscript"],
        [
          "eval",
          "\(rows).length + ' ' + document.querySelectorAll('#settings-table details').length + ' ' + "
            + "document.querySelector('#table-controls').checkVisibility()",
        ],
        ["shot", folder.path("narrow.png")],
      ])
    #expect(answer.console.isEmpty)
    #expect(answer.requests.allSatisfy { $0.hasPrefix("data:image/png") || $0.hasSuffix("/report.html") })
    #expect(answer.requests.count { $0.hasSuffix("/report.html") } == 2, "it was loaded twice")
    let said = answer.answers.map { $0 as? String ?? "\($0)" }
    try #require(said.count == 23)
    #expect(said[0] == Self.staticRows(sweep))
    #expect(said[1] == "0 ascending")
    #expect(said[2].hasPrefix("iou"))
    #expect(said[3] == "5 descending")
    #expect(said[4] == "5 ascending BUTTON")
    #expect(said[5] == "119")
    #expect(said[6] == "6 descending")
    #expect(said[7] == "Settings 1 to 50 of 120, by boundary-f, descending.")
    #expect(said[9].contains("Failed. The background 'room & garden.mp4' ended") && !said[9].contains("0.9"))
    #expect(said[11].hasPrefix("setting 96, on the front") && said[11].contains("~ Setting 96matte.blur8"))
    #expect(said[12] == "1" || said[12] == "true")
    #expect(said[13] == "rgb(246, 247, 249)")
    #expect(said[15] == "theme-dark rgb(18, 21, 23)")
    #expect(said[16] == "theme-light rgb(246, 247, 249)")
    #expect(said[18] == "false,true,false,false,false,false,false")
    #expect(said[19] == "390", "nothing is wider than the window")
    #expect(said[20].hasPrefix("retake replay 'recordings/desk at noon.retake' --preset soft --set mask.close=3"))
    let values = [51, 40, 119].map { sweep.frames(RunKey(setting: $0, recording: 0))[63].scores[.iou] ?? 0 }
    let names = ["best", "current", "worst"]
    #expect(said[21] == "Frame 63" + zip(names, values).map { $0 + Figure.fixed($1, 3) }.joined())
    #expect(said[22] == "50 50 false")
    try expectPicture(folder.path("narrow.png"))
  }

  /// What the page has before a script touches it.
  private static func staticRows(_ sweep: SampleSweep) -> String {
    let page = (try? sweep.report()) ?? ""
    let start = page.range(of: "<tr data-setting")?.lowerBound ?? page.startIndex
    let body = page[start...].prefix(
      upTo: page.range(of: "</tbody>", range: start..<page.endIndex)?.lowerBound ?? start)
    return body.split(separator: "<tr ").map { row in
      let cells = row.matches(of: /(?s)<t[dh][^>]*>(.*?)<\/t[dh]>/).map { cell in
        cell.1.replacing(/<[^>]*>/, with: "").trimmingCharacters(in: .whitespaces)
      }
      return cells.dropLast().joined(separator: "|")
    }.joined(separator: ";")
  }

  /// Not blank: it has many colours.
  private func expectPicture(_ path: String) throws {
    let child = try ChildProcess.run(
      Checkout.python,
      [
        "-c",
        "import sys; from PIL import Image; print(len(Image.open(sys.argv[1]).convert('RGB').getcolors(1 << 24)))",
        path,
      ])
    #expect(Int(child.text.split(separator: "\n").first ?? "") ?? 0 > 50)
  }
}
