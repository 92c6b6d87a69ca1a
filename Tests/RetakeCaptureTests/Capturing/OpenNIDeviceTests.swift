import CommandTestSupport
import FrameModel
import RecordingStore
import TestSupport
import Testing

/// A camera through OpenNI 2: the dummy device that comes with the library.
@Suite(.long) struct OpenNIDeviceTests {
  private let folder: TemporaryFolder
  private var recording: String { folder.path("a.retake") }
  init() throws { folder = try TemporaryFolder() }

  @Test func `a live camera has the pixels and times that the library gives to another program`() throws {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/write_oni.py"
    let read = try ChildProcess.run(Checkout.python, [script, folder.path("a.oni")])
    try #require(read.status == 0, "\(read.errors)")
    try CommandLineTool.run([
      "record", "--device", "openni2:Dummy", "--duration", "1s", "-o", recording, "--keep-free", "0",
    ])
    let (expected, found) = (try CommandLineTool.jsonLines(read.text), try ForeignFiles.read(recording))
    for (kind, format) in [("depth", "Z16"), ("color", "RGB24")] {
      func hashes(_ lines: [[String: Any]]) throws -> [Int: String] {
        try Dictionary(
          lines.filter { $0["kind"] as? String == kind }.map {
            (try #require($0["tick"] as? Int), try #require($0["sha256"] as? String))
          }, uniquingKeysWith: { first, _ in first })
      }
      // The dummy counts frames and microseconds from its start, and all its frames differ.
      let (read, recorded) = (try hashes(expected), try hashes(found))
      let common = Set(read.keys).intersection(recorded.keys)
      #expect(common.count >= 5, "\(kind): \(common.count) of \(recorded.count)")
      for tick in common { #expect(recorded[tick] == read[tick], "\(kind) at \(tick) µs") }
      #expect(Set(recorded.values).count == recorded.count)
      #expect(found.filter { $0["kind"] as? String == kind }.allSatisfy { $0["format"] as? String == format })
    }
    #expect(try Recording(path: recording).streams.map(\.kind) == [.color, .depth])
    try CommandLineTool.run(["verify", recording])
  }

  @Test(arguments: [
    ("openni2", 1, "OpenNI 2 finds no camera"), ("openni2:7", 1, "OpenNI 2 finds no camera"),
    ("openni2:none", 1, "The camera none could not be opened"),
    ("openni2:Dummy?size=640x480", 1, "320x240 at 30 fps"),
    ("openni2:Dummy?video=infrared", 1, "The camera has no infrared sensor"),
    ("openni2:Dummy?depth=registered", 1, "The camera cannot register depth to colour"),
    ("openni2:Dummy?video=none&depth=registered", 64, "records no colour"),
    ("openni2:Dummy?video=none&depth=none", 64, "disables all streams"),
    ("openni2:/tmp/a.oni", 64, "retake import"), ("openni2:Dummy?mirror=1", 64, "has no option 'mirror'"),
  ]) func `what there is not is one sentence`(device: String, status: Int32, words: String) throws {
    let result = try CommandLineTool.run(["record", "--device", device, "-o", recording], expecting: status)
    #expect(result.errors.contains(words) && result.errors.contains("hint: "), "\(result.errors)")
  }

  @Test func `a kind's options are listed`() throws {
    let text = try CommandLineTool.run(["devices", "openni2"]).text
    for option in ["video", "depth", "size", "fps"] { #expect(text.contains("  \(option) "), "\(text)") }
  }
}
