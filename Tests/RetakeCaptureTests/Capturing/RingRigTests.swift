import TestSupport
import Testing

/// `Tools/rigs/ring/run.py` on a small ring.
@Suite(.long) struct RingRigTests {
  @Test func `a ring whose recorder is killed was never over its size, and has everything near marks`() throws {
    let result = try ChildProcess.run(
      "/usr/bin/python3",
      [
        "\(Checkout.root)/Tools/rigs/ring/run.py", "--ring", "64MiB", "--kills", "4", "--fills", "3", "--size",
        "160x120",
        "--program", Checkout.retake,
      ])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
    #expect(result.text.contains("a ring of 64MiB filled"))
  }
}
