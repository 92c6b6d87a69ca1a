import Foundation
import FrameModel
import Support
import Testing

/// Names in recordings and bundles may come from strangers, and are read on terminals.
@Suite struct StrangersTextTests {
  /// Escape, delete, C1 controls (U+009B begins a sequence as Escape and [ do), line and paragraph separators, and what turns
  /// the direction of text.
  private static let harmful =
    Array(0...8) + Array(0x0B...0x0C) + Array(0x0E...0x1F) + Array(0x7F...0x9F) + [0x061C, 0x200E, 0x200F]
    + Array(0x2028...0x202E) + Array(0x2066...0x2069)

  @Test func `text for a terminal keeps letters and line ends, and nothing that a terminal obeys`() {
    for value in Self.harmful {
      let scalar = Unicode.Scalar(UInt32(value))!
      #expect("a\(Character(scalar))b".printable == "a?b", "U+\(String(value, radix: 16))")
    }
    #expect("ä – 深度 שלום 🎥\n".printable == "ä – 深度 שלום 🎥\n")
  }

  @Test func `an error is one line, and has the beginning of a long value`() {
    let error = RetakeError(.usage, "a\nb", hint: "c\r\nd")
    #expect(error.message == "a?b" && !error.hint.utf8.contains(0x0A))
    let long = String(repeating: "a\u{301}", count: 100_000)
    #expect(long.shortened.unicodeScalars.count == 61 && long.shortened.hasSuffix("…"))
    #expect("matte.open<matte.close".shortened == "matte.open<matte.close")
  }

  @Test func `JSON has them as numbers, and reads back as it was`() throws {
    for value in Self.harmful {
      let text = "a\(Character(Unicode.Scalar(UInt32(value))!))b"
      var object = JSONObject()
      object.add(text, text)
      let digits = String(value, radix: 16)
      let escaped = "\"a\\u" + String(repeating: "0", count: 4 - digits.count) + digits + "b\""
      #expect(object.text == "{\(escaped):\(escaped)}")
      #expect(object.text.printable == object.text)
      let read = try JSONSerialization.jsonObject(with: Data(object.text.utf8)) as? [String: String]
      #expect(read == [text: text])
    }
  }

  @Test func `a shell gets them as numbers`() {
    #expect(ShellWord.quoted("a\u{202E}b") == "$'a\\342\\200\\256b'")
    #expect(ShellWord.quoted("a\u{9B}b") == "$'a\\302\\233b'")
    #expect(ShellWord.quoted("ä b") == "'ä b'")
  }
}
