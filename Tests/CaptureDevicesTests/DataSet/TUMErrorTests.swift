import CaptureDevices
import Foundation
import FrameModel
import Support
import Testing

@Suite struct TUMErrorTests {
  private func expectRefusal(_ folder: TUMFolder, _ code: RetakeError.Code, _ words: String...) {
    let error = #expect(throws: RetakeError.self) { _ = try folder.open() }
    check(error, code, words)
  }

  private func check(_ error: RetakeError?, _ code: RetakeError.Code, _ words: [String]) {
    #expect(error?.code == code)
    for word in words {
      #expect(error?.message.contains(word) == true, "'\(error?.message ?? "")' should contain '\(word)'")
    }
    #expect(error?.hint.isEmpty == false)
  }

  @Test func `a missing folder is not found`() {
    let error = #expect(throws: RetakeError.self) {
      _ = try TUMDataSet(DeviceSpecification("tum:/nonexistent/data"))
    }
    check(error, .notFound, ["/nonexistent/data"])
  }

  @Test(arguments: [
    "tum", "tum:", "tum:/tmp?scale=0", "tum:/tmp?scale=x", "tum:/tmp?depth=mm", "tum:/tmp?fps=0",
  ])
  func `what a data set does not understand is wrong usage`(_ text: String) throws {
    try TUMFolder.with { folder in
      try folder.depth("depth/1.png", [1], width: 1)
      let here = text.replacingOccurrences(of: "/tmp", with: folder.path)
      let error = #expect(throws: RetakeError.self) { _ = try TUMDataSet(DeviceSpecification(here)) }
      #expect(error?.code == .usage)
    }
  }

  @Test func `a file in place of the folder is refused`() throws {
    try TUMFolder.with { folder in
      try folder.write("", "file")
      let error = #expect(throws: RetakeError.self) {
        _ = try TUMDataSet(DeviceSpecification("tum:\(folder.path)/file"))
      }
      check(error, .unsupported, ["\(folder.path)/file"])
    }
  }

  @Test func `a folder without pictures is refused`() throws {
    try TUMFolder.with { folder in
      expectRefusal(folder, .notFound, folder.path)
      try folder.write("# nothing\n", "rgb.txt")
      expectRefusal(folder, .notFound, folder.path)
      try folder.grey("mask/1.png", [1], width: 1)
      expectRefusal(folder, .notFound, folder.path)
    }
  }

  @Test(arguments: ["1.5", "abc rgb/1.png", "1.5rgb/1.png", "-1 rgb/1.png", "rgb/1.png 1.5"])
  func `a bad line is named by its file and number`(_ line: String) throws {
    try TUMFolder.with { folder in
      try folder.color("rgb/1.png")
      try folder.write("# header\n1.0 rgb/1.png\n\(line)\n", "rgb.txt")
      expectRefusal(folder, .corrupt, "\(folder.path)/rgb.txt, line 3")
    }
  }

  @Test(arguments: ["/etc/passwd", "../outside.png", "rgb/../../outside.png", "rgb/1.png\0"])
  func `a list may not lead out of its folder`(_ name: String) throws {
    try TUMFolder.with { folder in
      try folder.color("rgb/1.png")
      try folder.write("1.0 rgb/1.png\n2.0 \(name)\n", "rgb.txt")
      expectRefusal(folder, .corrupt, "rgb.txt, line 2", "outside")
    }
  }

  @Test func `a picture whose name is no time is named`() throws {
    try TUMFolder.with { folder in
      try folder.color("rgb/frame1.png")
      expectRefusal(folder, .corrupt, "rgb/frame1.png")
    }
  }

  @Test func `a first picture that is missing or unreadable is named at once`() throws {
    try TUMFolder.with { folder in
      try folder.write("1.0 rgb/1.png\n", "rgb.txt")
      expectRefusal(folder, .notFound, "rgb/1.png")
      try folder.write("this is no PNG", "rgb/1.png")
      expectRefusal(folder, .corrupt, "rgb/1.png")
      try folder.write([], "rgb/1.png")
      expectRefusal(folder, .corrupt, "rgb/1.png")
    }
  }

  /// Opens and delivers: the first picture is good, the second is what the body writes.
  private func expectEnd(
    _ code: RetakeError.Code, _ words: String..., second: (TUMFolder) throws -> Void
  ) throws {
    try TUMFolder.with { folder in
      try folder.color("rgb/1.0.png", width: 4, height: 2)
      try folder.depth("depth/1.1.png", [1, 2], width: 2)
      try folder.grey("mask/1.2.png", [1, 2], width: 2)
      try second(folder)
      let (frames, error) = try TUMFolder.deliver(folder.open())
      #expect(frames.count == 3)
      check(error, code, words)
    }
  }

  @Test func `a picture of another size is an error at the end`() throws {
    try expectEnd(.unsupported, "rgb/2.0.png is 2x4", "4x2") {
      try $0.color("rgb/2.0.png", width: 2, height: 4)
    }
    try expectEnd(.unsupported, "depth/2.0.png is 1x2", "2x1") {
      try $0.depth("depth/2.0.png", [1, 2], width: 1)
    }
  }

  @Test func `a picture that is cut short is an error at the end`() throws {
    try expectEnd(.corrupt, "rgb/2.0.png") { folder in
      try folder.color("rgb/2.0.png", width: 4, height: 2)
      let bytes = try FileBytes.read("\(folder.path)/rgb/2.0.png")
      try folder.write(Array(bytes.dropLast(20)), "rgb/2.0.png")
    }
  }

  @Test func `a first picture that cannot be read is lost alone`() throws {
    try TUMFolder.with { folder in
      try folder.write("1.0 rgb/1.png\n2.0 rgb/2.png\n3.0 rgb/3.png\n4.0 rgb/4.png\n", "rgb.txt")
      try folder.write("this is no PNG", "rgb/1.png")
      for number in [2, 4] { try folder.color("rgb/\(number).png", width: 4, height: 2) }
      let (frames, error) = try TUMFolder.deliver(folder.open())
      #expect(frames.map(\.deviceTick) == [2_000_000, 4_000_000])
      check(error, .corrupt, ["rgb/1.png", "Not imported either: \(folder.path)/rgb/3.png"])
    }
  }

  @Test func `depth that is not 16-bit grey is refused`() throws {
    try expectEnd(.unsupported, "depth/2.0.png") { try $0.grey("depth/2.0.png", [1, 2], width: 2) }
  }

  @Test func `a mask with colours is refused`() throws {
    try expectEnd(.unsupported, "mask/2.0.png") { try $0.color("mask/2.0.png", width: 2, height: 1) }
  }

  @Test func `a picture that claims to be enormous is refused before memory is taken`() throws {
    try TUMFolder.with { folder in
      try folder.depth("depth/1.png", [1], width: 1)
      var bytes = try FileBytes.read("\(folder.path)/depth/1.png")
      // IHDR's width and height follow the signature, its length and its name. Its checksum is now wrong too,
      // which is as good a reason to refuse it.
      bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
      try folder.write(bytes, "depth/1.png")
      expectRefusal(folder, .corrupt, "depth/1.png")
    }
  }
}
