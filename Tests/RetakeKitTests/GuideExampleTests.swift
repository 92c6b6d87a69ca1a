import Foundation
import RetakeKit
import TestSupport
import Testing

/// A bundle for the example below, which is given a path alone.
private enum Example {
  static let folder = try! TemporaryFolder()
  static let bundle: String = {
    let (recording, path) = (folder.path("a.retake"), folder.path("hand.retake-bundle"))
    for arguments in [
      ["record", "--device", "simulated?pace=fast&frames=12&size=64x48", "-o", recording, "--keep-free", "0"],
      ["bundle", recording, "--from", "3", "--to", "8", "--note", "the left hand flickers", "-o", path],
    ] {
      let made = try! ChildProcess.run(Checkout.retake, arguments)
      precondition(made.status == 0, made.errors)
    }
    return path
  }()
}

@Test(arguments: [Example.bundle])
func `what came out once comes out still`(path: String) throws {
  let bundle = try BugBundle(path: path)
  let result = try bundle.reproduce()
  #expect(result.isReproduced, "\(bundle.note): \(result)")
}

/// What other packages are told to write, and what the library says.
@Suite(.long) struct GuideExampleTests {
  @Test func `the guide's example is the test above`() throws {
    let guide = try String(contentsOfFile: Checkout.root + "/Sources/Bundles/Guides/BugBundles.md", encoding: .utf8)
    let example = try #require(guide.split(separator: "```swift\n").first { $0.hasPrefix("import RetakeKit") })
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).prefix {
      $0 != "```"
    }
    #expect(lines.count <= 10, "ten lines of Swift")
    let here = try String(contentsOfFile: #filePath, encoding: .utf8)
    let body = lines.drop { !$0.hasPrefix("func ") }.joined(separator: "\n")
    #expect(body.hasSuffix("}") && here.contains(body), "\(body)")
  }

  @Test func `a bundle says what it is of`() throws {
    let bundle = try BugBundle(path: Example.bundle)
    #expect(bundle.note == "the left hand flickers" && bundle.frames == 3..<9 && bundle.removed.isEmpty)
    #expect(bundle.preset == "desk" && bundle.parameters["depth.rate"] == "1/1")
    let result = try bundle.reproduce(threads: 1)
    #expect(result.frameCount == 6 && result.differingFrameCount == 0 && result.firstDifference == nil)
    let folder = try TemporaryFolder()
    try bundle.unpack(into: folder.path("kept"))
    #expect(FileManager.default.fileExists(atPath: folder.path("kept/recording.retake/chunks/000000.mcap")))
  }

  @Test func `what is no bundle is an error with a sentence`() throws {
    let folder = try TemporaryFolder()
    try Data("no".utf8).write(to: URL(fileURLWithPath: folder.path("x")))
    for path in [folder.path("x"), folder.path("none")] {
      let error = #expect(throws: RetakeError.self) { try BugBundle(path: path) }
      #expect(error?.message.contains(path) == true && error?.hint.isEmpty == false)
    }
  }
}
