import Foundation
import StudioServer
import Support
import Sweeps
import TestSupport
import Testing

struct PageFilesTests {
  @Test
  func `every file of the page is within the program, to the byte`() throws {
    let folder = Checkout.root + "/Sources/Studio/StudioServer/Page"
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.contains(/^[^.]+\.(html|css|js)$/) }
    #expect(PageFiles.own.map(\.name) == names.sorted())
    for (name, text) in PageFiles.own {
      #expect(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")) == Data(text.utf8))
    }
  }

  @Test
  func `modules are joined each once, after those that they import`() throws {
    let sources = [
      "main.js": "import { a, b } from \"./parts/a.js\";\nimport { c } from \"./c.js\";\nuse(a, b, c);\n",
      "c.js": "import { a } from \"./parts/a.js\";\nexport async function c() { return a; }\n",
      "parts/a.js": "import { d } from \"../d.js\";\nexport const a = d;\nexport class b {}\n",
      "d.js": "export const d = 1;\n",
    ]
    let script = try ScriptBundle.script("main.js") { sources[$0] }
    let expected = """
      (() => {
      "use strict";
      const $d_js = (() => {
      const d = 1;
      return { d };
      })();
      const $parts_a_js = (() => {
      const { d } = $d_js;
      const a = d;
      class b {}
      return { a, b };
      })();
      const $c_js = (() => {
      const { a } = $parts_a_js;
      async function c() { return a; }
      return { c };
      })();
      const $main_js = (() => {
      const { a, b } = $parts_a_js;
      const { c } = $c_js;
      use(a, b, c);
      return {  };
      })();
      })();

      """
    #expect(script == expected)
  }

  @Test(arguments: [
    ("import { b } from \"./b.js\";", "export const b = 1;\nimport { a } from \"./a.js\";", "cycle"),
    ("import { c } from \"./c.js\";", "", "no module c.js"),
    ("import b from \"./b.js\";", "", "import of another kind"),
    ("import { b as c } from \"./b.js\";", "", "import of another kind"),
    ("export default 3;", "", "export of another kind"),
    ("export const { a } = 3;", "", "export of another kind"),
  ])
  func `what cannot be joined is refused`(a: String, b: String, problem: String) {
    let error = #expect(throws: RetakeError.self) { try ScriptBundle.script("a.js") { ["a.js": a, "b.js": b][$0] } }
    #expect(error?.message.contains(problem) == true)
  }
}
