import CaptureDevices
import Foundation
import FrameModel
import Support
import TestSupport
import Testing

/// Fakenect ends the program over a session that is not whole, so such sessions must never reach it.
@Suite struct KinectFakenectFolderTests {
  /// Runs the body with a session of four frames, and removes it.
  private func withSession(_ body: (_ folder: String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "retake-fakenect-\(UUID().uuidString)"
    try FakenectSession.write(to: folder, frames: 4)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func index(_ folder: String) throws -> [String] {
    String(decoding: try FileBytes.read("\(folder)/INDEX.txt"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  private func write(_ text: String, _ path: String) throws {
    try FileBytes.write(Array(text.utf8), to: path)
  }

  private func expectRefusal(_ folder: String, _ words: String, code: RetakeError.Code = .corrupt) {
    let error = #expect(throws: RetakeError.self) { _ = try FakenectFolder(path: folder) }
    #expect(error?.code == code)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "") should contain '\(words)'")
    #expect(error?.hint.isEmpty == false)
  }

  @Test func `a whole session is read in the order of its index`() throws {
    try withSession { folder in
      let session = try FakenectFolder(path: folder)
      #expect(
        session.lines == [
          .color, .motion, .depth, .color, .depth, .color, .depth, .color, .motion, .depth,
        ])
      #expect(session.motionRate == 10)
    }
  }

  @Test func `the ticks of a written session start again at zero in its middle`() {
    let ticks = (0..<30).map { FakenectSession.colorTick($0, of: 30) }
    #expect(zip(ticks.dropFirst(), ticks).allSatisfy { $0 &- $1 == FakenectSession.ticksPerFrame })
    #expect(zip(ticks.dropFirst(), ticks).count { $0 < $1 } == 1)
  }

  @Test func `a missing folder is not found`() {
    expectRefusal("/nonexistent/session", "/nonexistent/session", code: .notFound)
  }

  @Test func `an empty index is refused`() throws {
    try withSession { folder in
      try write("", "\(folder)/INDEX.txt")
      expectRefusal(folder, "empty")
    }
  }

  @Test func `a frame that is missing is named`() throws {
    try withSession { folder in
      let name = try index(folder)[3]
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      expectRefusal(folder, name)
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a frame that is cut short is named`(_ line: Int) throws {
    try withSession { folder in
      let path = "\(folder)/\(try index(folder)[line])"
      try FileBytes.write(Array(try FileBytes.read(path).dropLast()), to: path)
      expectRefusal(folder, path)
    }
  }

  @Test(arguments: ["P6 320 240 255\n", "P6 640 480 255 ", ""])
  func `a picture that fakenect would misread is refused`(_ header: String) throws {
    try withSession { folder in
      let path = "\(folder)/\(try index(folder)[0])"
      try write(header, path)
      expectRefusal(folder, "does not start with")
    }
  }

  @Test(arguments: [
    "", "x-1300000000.000000-0.ppm", "r-1300000000.0.0-0.ppm", "r-1300000000.0-4294967296.ppm",
    "r-1300000000.0-1.png", "r-1300000000.0-1.ppm\r", "../r-1300000000.0-1.ppm", "r--1.0-1.ppm",
    "r-99999999999999999999999999.0-1.ppm",
  ])
  func `a line that names no frame is refused with its number`(_ line: String) throws {
    try withSession { folder in
      var lines = try index(folder)
      lines.insert(line, at: 1)
      try write(lines.joined(separator: "\n") + "\n", "\(folder)/INDEX.txt")
      expectRefusal(folder, "line 2")
    }
  }

  @Test func `a pause that fakenect would sleep through is refused`() throws {
    try withSession { folder in
      try FakenectSession.write(to: folder, frames: 2, secondsPerFrame: 90)
      expectRefusal(folder, "line 4")
    }
  }

  @Test func `an index without a last line end is read to its end`() throws {
    try withSession { folder in
      try write(try index(folder).joined(separator: "\n"), "\(folder)/INDEX.txt")
      #expect(try FakenectFolder(path: folder).lines.count == 10)
    }
  }
}
