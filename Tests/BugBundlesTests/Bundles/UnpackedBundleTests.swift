import BugBundles
import Foundation
import FrameModel
import Support
import TestSupport
import Testing

/// What a bundle becomes on the disk, and what it may not ask for.
@Suite struct UnpackedBundleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bundle: HandMadeBundle) throws -> String {
    let path = folder.path("b.retake-bundle")
    try Data(bundle.bytes()).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func failure(_ body: () throws(RetakeError) -> Void) -> RetakeError? {
    do throws(RetakeError) { try body() } catch { return error }
    return nil
  }

  @Test func `every part gets its place, and the parameters are written anew`() throws {
    let target = folder.path("t")
    let bundle = try UnpackedBundle(path: write(HandMadeBundle()), into: target)
    let names = try #require(FileManager.default.enumerator(atPath: target)).compactMap { $0 as? String }.sorted()
    #expect(
      names == [
        "bundle.json", "expected.jsonl", "note.txt", "parameters.yaml", "recording.retake", "recording.retake/chunks",
        "recording.retake/chunks/000000.mcap", "recording.retake/chunks/000001.mcap", "recording.retake/part.json",
      ])
    // So that frames are called by the numbers that they were recorded with.
    let part = try String(contentsOfFile: bundle.recordingPath + "/part.json", encoding: .utf8)
    #expect(part.hasPrefix("{\"first_frame_set\":30,\"first_played\":"), "\(part)")
    // Not those of the bundle, which nobody has checked.
    let yaml = try String(contentsOfFile: bundle.parametersPath, encoding: .utf8)
    #expect(yaml.contains("# ") && yaml.contains("video-depth-maps"))
    #expect(try String(contentsOfFile: target + "/note.txt", encoding: .utf8) == HandMadeBundle.note)
    #expect(try bundle.request().firstNumber == 30)
  }

  @Test func `a folder with anything in it is left alone, a symbolic link too`() throws {
    let path = try write(HandMadeBundle())
    let outside = folder.path("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    let target = folder.path("t")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: target + "/recording.retake", withDestinationPath: outside)
    let error = failure { () throws(RetakeError) in _ = try UnpackedBundle(path: path, into: target) }
    #expect(error?.code == .inputOutput, "\(String(describing: error))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["recording.retake"])
  }

  @Test(arguments: ["composite.background", "mask.model", "mask.plate"])
  func `a file of this machine is never named`(name: String) throws {
    let secret = folder.path("secret.png")
    try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
    var header = HandMadeBundle.header
    header.parameters.append((name, secret))
    let path = try write(HandMadeBundle(header: header))
    let error = failure { () throws(RetakeError) in _ = try UnpackedBundle(path: path, into: folder.path("t")) }
    #expect(error?.code == .corrupt && error?.message.contains(name) == true, "\(String(describing: error))")

    header = HandMadeBundle.header
    header.changes = [.init(frame: 31, name: name, value: secret)]
    let other = try write(HandMadeBundle(header: header))
    let second = failure { () throws(RetakeError) in _ = try UnpackedBundle(path: other, into: folder.path("u")) }
    #expect(second?.code == .corrupt && second?.message.contains(name) == true, "\(String(describing: second))")
  }

  @Test func `a parameter that this version does not have is said to be of another`() throws {
    var header = HandMadeBundle.header
    header.version = "9.1.0"
    header.parameters.append(("matte.glow", "3"))
    let path = try write(HandMadeBundle(header: header))
    let error = failure { () throws(RetakeError) in _ = try UnpackedBundle(path: path, into: folder.path("t")) }
    #expect(error?.code == .unsupported, "\(String(describing: error))")
    #expect(error?.message.contains("9.1.0") == true && error?.message.contains("matte.glow") == true)
  }

  @Test func `an unpacking that fails leaves nothing, and does not keep the next one from its folder`() throws {
    let path = folder.path("cut")
    let whole = try HandMadeBundle().bytes()
    try Data(whole[..<(whole.count - 30)]).write(to: URL(fileURLWithPath: path))
    let (new, old) = (folder.path("new"), folder.path("old"))
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    for target in [new, old] {
      let error = failure { () throws(RetakeError) in _ = try UnpackedBundle(path: path, into: target) }
      #expect(error?.code == .corrupt, "\(String(describing: error))")
    }
    #expect(!FileManager.default.fileExists(atPath: new))
    #expect(try FileManager.default.contentsOfDirectory(atPath: old).isEmpty)
    _ = try UnpackedBundle(path: write(HandMadeBundle()), into: new)
    _ = try UnpackedBundle(path: write(HandMadeBundle()), into: old)
  }

  @Test func `what is wrong with a part is said of the bundle, not of a folder that will be gone`() throws {
    let path = try write(HandMadeBundle())
    let target = folder.path("t")
    let bundle = try UnpackedBundle(path: path, into: target)
    // Its chunk files are none.
    let error = failure { () throws(RetakeError) in _ = try Reproduction.run(bundle) }
    #expect(error?.message.hasPrefix(path) == true, "\(String(describing: error))")
    #expect(error?.message.contains(target) == false, "\(String(describing: error))")
    #expect(try bundle.expectation().name == path + ": expected.jsonl")
    for (name, said) in [("empty", "is empty"), ("folder", "is not a bug bundle: it is a folder")] {
      let path = folder.path(name)
      if name == "empty" {
        try Data().write(to: URL(fileURLWithPath: path))
      } else {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      let error = failure { () throws(RetakeError) in _ = try UnpackedBundle(path: path, into: folder.path("u")) }
      #expect(error?.message.hasPrefix("\(path) \(said)") == true, "\(String(describing: error))")
      #expect(error?.hint.contains("'retake bundle' makes") == true)
    }
  }

  @Test func `a temporary folder goes with its owner, with all that is in it`() throws {
    var path = ""
    do {
      let scratch = try ScratchFolder(prefix: folder.path("s-"), family: "s-")
      path = scratch.path
      try Data([1]).write(to: URL(fileURLWithPath: scratch.path("a")))
      #expect(FileManager.default.fileExists(atPath: path + "/a"))
      withExtendedLifetime(scratch) {}
    }
    #expect(path.hasPrefix(folder.path("s-")) && !FileManager.default.fileExists(atPath: path))
  }

  @Test func `an unpacking that is stopped ends at once`() throws {
    var count = 0
    let path = try write(HandMadeBundle())
    let error = failure { () throws(RetakeError) in
      _ = try UnpackedBundle(path: path, into: folder.path("t")) {
        count += 1
        return count < 3
      }
    }
    #expect(error?.message.hasPrefix("Stopped") == true && count == 3)
  }
}
