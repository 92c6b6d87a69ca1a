import Media
import Support
import TestSupport
import Testing

/// Reading the output of programs; the tests run real shells.
@Suite struct ChildReaderTests {
  private func shell(_ script: String) throws(RetakeError) -> ChildReader {
    try ChildReader("sh", ["-c", script], missing: "There is no shell.")
  }

  private func lines(_ script: String) throws -> [String] {
    var lines: [String] = []
    try shell(script).readLines { lines.append(String($0)) }
    return lines
  }

  @Test func `lines come one by one, also the last without an end, and those longer than a block`() throws {
    #expect(try lines("printf 'a\\n\\nb'") == ["a", "", "b"])
    #expect(try lines("printf 'a\\n'") == ["a"])
    #expect(try lines("printf ''").isEmpty)
    let long = try lines("head -c 10000 /dev/zero | tr '\\0' x; echo; seq 3000")
    #expect(long == [String(repeating: "x", count: 10_000)] + (1...3000).map { "\($0)" })
  }

  @Test func `a line without an end and an output without an end are refused`() throws {
    for read in [
      { _ = try lines("head -c 3000000 /dev/zero | tr '\\0' x") },
      { _ = try shell("yes").readAll(limit: 1 << 20) },
    ] {
      let error = #expect(throws: RetakeError.self) { try read() }
      #expect(error?.code == .corrupt && error?.message.hasPrefix("sh printed") == true)
    }
  }

  @Test func `a child's end has its status or signal, and the last line of its errors`() throws {
    let failed = try shell("printf 'one\\n[x @ 0x55] two\\n' >&2; exit 3")
    #expect(try failed.readAll(limit: 10).isEmpty)
    let end = failed.end()
    #expect(end.status == 3 && end.signal == nil && !end.isGood)
    // An address in brackets differs in every run, so it is left out.
    #expect(failed.complaint == "two")
    let error = #expect(throws: RetakeError.self) { _ = try failed.finish() }
    #expect(error?.code == .childProcess && error?.message == "sh failed: two")

    let killed = try shell("kill -9 $$")
    #expect(try killed.readAll(limit: 10).isEmpty)
    #expect(killed.end().signal == 9)

    let good = try shell("echo warning >&2; echo out")
    #expect(try good.readAll(limit: 10) == Array("out\n".utf8))
    #expect(try good.finish() == "warning")
  }

  @Test func `a program that is not installed is named, with how to install it`() throws {
    let error = #expect(throws: RetakeError.self) {
      _ = try ChildReader("no-such-program-here", [], missing: "This needs a program that is not installed.")
    }
    #expect(error?.code == .childProcess && error?.message == "This needs a program that is not installed.")
    #expect(error?.hint.contains("apt-get install") == true)
  }
}
