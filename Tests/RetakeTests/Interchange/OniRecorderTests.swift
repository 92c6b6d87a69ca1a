import Foundation
import RecordingStore
import TestSupport
import Testing

/// What OpenNI2's own recorder wrote of its dummy device, `retake import` records, pixel for pixel.
@Suite(.long) struct OniRecorderTests {
  @Test func `a recording of OpenNI2 comes over with its pixels and times`() throws {
    let folder = try TemporaryFolder()
    let (file, recording) = (folder.path("a.oni"), folder.path("a.retake"))
    let script = Checkout.root + "/Tests/RetakeTests/write_oni.py"
    let made = try ChildProcess.run(Checkout.python, [script, file])
    try #require(made.status == 0, "\(made.errors)")
    let expected = try CommandLineTool.jsonLines(made.text)
    try ForeignFiles.importFile(file, to: recording)
    let found = try ForeignFiles.read(recording)
    for kind in ["depth", "color"] {
      // The recorder counts time from its first frame, so times are compared from there.
      func frames(_ lines: [[String: Any]]) throws -> [[String]] {
        let own = lines.filter { $0["kind"] as? String == kind }
        let first = try #require(own.first?["tick"] as? Int)
        return try own.map { ["\(try #require($0["tick"] as? Int) - first)", try #require($0["sha256"] as? String)] }
      }
      let (left, right) = (try frames(found), try frames(expected))
      #expect(right.count >= 8)
      // The recorder may have taken a frame more or less at its end.
      let count = min(left.count, right.count)
      #expect(count >= 8 && left.prefix(count) == right.prefix(count), "\(kind)")
    }
    #expect(try Recording(path: recording).streams.map(\.kind) == [.depth, .color])
    try CommandLineTool.run(["verify", recording])
  }
}
