import BugBundles
import Testing

/// Serial numbers within texts that stay in a bundle.
@Suite struct SerialScrubberTests {
  private let scrubber = SerialScrubber(known: ["000123456789", "usb-1"])

  @Test(arguments: [
    (#"{"SerialId": "A1", "f": 1.5e3}"#, #"{"SerialId": "0", "f": 1.5e3}"#),
    (#"{"serials":["A1","A2"],"f":[1,2]}"#, #"{"serials":"0","f":[1,2]}"#),
    (#"{"a":{"SERIAL_NO":{"x":[1,{"y":2}]},"k":3}}"#, #"{"a":{"SERIAL_NO":"0","k":3}}"#),
    (#"{"serial":"12\"34567","f":true}"#, #"{"serial":"0","f":true}"#),
    (#"{"inner":"{\"SerialId\":\"A1\"}","f":null}"#, #"{"inner":"0","f":null}"#),
    (#"[{"id":"x000123456789"}, 000123456789, {"000123456789":1}]"#, #"[{"id":"0"}, "0", {"0":1}]"#),
    (#"{"serial" : 12 }"#, #"{"serial" : "0" }"#), (#"{"serial":"#, #"{"serial":"0""#),
    (#"{"a": "usb-1", "é": "ü"}"#, #"{"a": "usb-1", "é": "ü"}"#),
    ("frame of 000123456789, left", "frame of 0, left"), ("registered", "registered"), ("", ""),
  ])
  func `in JSON what belongs to a serial number goes, elsewhere the known ones`(text: String, left: String) {
    #expect(scrubber.scrubbed(text) == left)
  }

  @Test(arguments: ["serial_no: A1234567", "<serial>A1</serial>", "Serial", "x \u{1}serial"])
  func `a text of another kind that names one goes as a whole`(text: String) {
    #expect(scrubber.scrubbed(text) == nil)
  }

  @Test func `megabytes that never end a text, a list or a key are read once`() {
    for piece in [#""serial"#, #""serial":["#, #"{"a":"#, "\\", #"\""#, "A00", "[", "serialserial"] {
      let text = "{\"x\": " + String(repeating: piece, count: 400_000)
      #expect((scrubber.scrubbed(text)?.utf8.count ?? 0) <= text.utf8.count + 8)
    }
    let many = SerialScrubber(known: (0..<100_000).map { "serial-\($0)" })
    #expect(many.scrubbed(String(repeating: "serial-1", count: 20_000)) == nil)
  }
}
