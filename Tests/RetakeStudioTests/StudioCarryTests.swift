import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Going from one recording of a folder to the next: see browse_carry.py.
@Suite(.long) struct StudioCarryTests {
  private struct Setting: Decodable, Equatable {
    var name: String
    var preset = "desk"
    var values: [String: String]
  }

  private struct Answers: Decodable {
    struct Carry: Decodable {
      var shown: Setting
      var notice: String
      /// Of A and B in the file.
      var stays: [Bool]
      var taken: Setting
      var undone: Setting
      var linked: Setting
      var told: String
      var unlinked: Setting
    }
    struct Keys: Decodable {
      var preset: String
      var presetUndone: String
      var typed: String
      /// In the setting and in the field.
      var typedUndone: [String]
      var left: String
    }
    struct Gone: Decodable {
      var text: String
      var controls: Int
      var console: [String]
    }
    var unwritten: Bool
    var carry: Carry
    var keys: Keys
    var gone: Gone
  }

  @Test
  func `settings are carried, but never over those of a recording, and a recording that is gone leads back`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.retake", "b.retake"] {
      _ = try CommandLineTool.recordSimulated(folder, name, "frames=4&size=160x120")
    }
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_carry.py"
    let result = try ChildProcess.run(Checkout.python, [script, Checkout.chromium, Checkout.retake, folder.path])
    try #require(result.status == 0, "\(result.errors.suffix(1500))")
    let answers = try JSONDecoder().decode(Answers.self, from: result.output)

    #expect(answers.unwritten, "looking writes nothing")
    let precious = Setting(name: "precious", values: ["mask.offset": "0.42"])
    let carry = answers.carry
    #expect(carry.shown == precious && carry.undone == precious && carry.unlinked == precious)
    #expect(carry.notice.hasPrefix("This recording has settings of its own."), "\(carry.notice)")
    #expect(carry.stays == [true, true])
    #expect(carry.taken == Setting(name: "other", values: ["mask.offset": "0.1"]))
    #expect(carry.linked == Setting(name: "precious", values: ["mask.offset": "0.2"]))
    #expect(carry.told.hasPrefix("A and B came with the page's address."), "\(carry.told)")
    #expect(carry.told.contains("A is without matte.still=banana, which cannot be."), "\(carry.told)")

    #expect(answers.keys.preset != "desk" && answers.keys.presetUndone == "desk")
    #expect(answers.keys.typed == "0.3" && answers.keys.typedUndone == ["0.42", "0.42"] && answers.keys.left == "0.42")

    #expect(answers.gone.text.hasPrefix("There is no recording "), "\(answers.gone.text)")
    #expect(answers.gone.controls == 0 && answers.gone.console == [])
  }
}
