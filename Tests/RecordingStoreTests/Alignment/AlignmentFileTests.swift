import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

@Suite struct AlignmentFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private static let some = ColorAlignment(x: 1875, y: -2500, uncertainty: 500, frameCount: 64)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    try SmallRecording.copy(to: path)
  }

  private func open() throws -> Recording { try Recording(path: path) }

  @Test func `an alignment is stored beside the frames, replaced and removed; nothing else changes`() throws {
    #expect(try open().alignment() == nil)
    let before = try SmallRecording.files(path)
    let file = AlignmentFile(try open().folder)
    for alignment in [Self.some, ColorAlignment(x: 0, y: 0, uncertainty: 0, frameCount: 1)] {
      try file.write(alignment)
      #expect(try open().alignment() == alignment)
    }
    var after = try SmallRecording.files(path)
    #expect(after.removeValue(forKey: "/" + AlignmentFile.name) != nil)
    #expect(after == before)
    #expect(try Verification.run(open()).isWhole)
    try open().removeAlignment()
    try open().removeAlignment()
    #expect(try open().alignment() == nil)
    #expect(try SmallRecording.files(path) == before)
  }

  @Test func `whole pixels are the nearest, halves away from zero`() {
    func pixels(_ x: Int, _ y: Int) -> [Int] {
      let pixels = ColorAlignment(x: x, y: y, uncertainty: 0, frameCount: 1).pixels
      return [pixels.x, pixels.y]
    }
    #expect(pixels(1499, -1499) == [1, -1])
    #expect(pixels(1500, -1500) == [2, -2])
    #expect(pixels(-499, 499) == [0, 0])
  }

  @Test func `a file that is no alignment is one sentence with the next step`() throws {
    let file = path + "/" + AlignmentFile.name
    let good = #"{"format":"retake-alignment-1","shift_x":1,"shift_y":2,"uncertainty":3,"frames":4}"#
    try FileBytes.write(Array(good.utf8), to: file)
    #expect(try open().alignment() == ColorAlignment(x: 1, y: 2, uncertainty: 3, frameCount: 4))
    for bad in [
      "", "{}", "[]", String(repeating: " ", count: 5000), good.replacingOccurrences(of: "-1\"", with: "-2\""),
      good.replacingOccurrences(of: "\"shift_x\":1", with: "\"shift_x\":64001"),
      good.replacingOccurrences(of: "\"shift_y\":2", with: "\"shift_y\":1e40"),
      good.replacingOccurrences(of: "\"frames\":4", with: "\"frames\":-4"),
    ] {
      try FileBytes.write(Array(bad.utf8), to: file)
      let error = #expect(throws: RetakeError.self) { try open().alignment() }
      #expect(error?.message.contains(AlignmentFile.name) == true && error?.hint.isEmpty == false, "\(bad.prefix(90))")
    }
    // The rest of the recording can be used, and the file can be replaced.
    try AlignmentFile(open().folder).write(Self.some)
    #expect(try open().alignment() == Self.some)
  }

  @Test func `a trimmed copy is aligned as its original, and can be aligned anew`() throws {
    try AlignmentFile(open().folder).write(Self.some)
    let original = try open()
    let copyPath = folder.path("copy.retake")
    let selection = try FrameSelection(original, frameSets: 5..<20)
    _ = try Trim.run(original, selection, into: RecordingFolder(path: copyPath))
    let copy = try Recording(path: copyPath)
    #expect(try copy.alignment() == Self.some)
    #expect(try Verification.run(copy).isWhole)
    let other = ColorAlignment(x: 0, y: 1000, uncertainty: 500, frameCount: 2)
    try AlignmentFile(copy.folder).write(other)
    #expect(try copy.alignment() == other)
    let second = folder.path("second.retake")
    _ = try Trim.run(copy, try FrameSelection(copy, frameSets: 0..<5), into: RecordingFolder(path: second))
    #expect(try Recording(path: second).alignment() == other)
    try Recording(path: second).removeAlignment()
    #expect(try Recording(path: second).alignment() == nil)
    let third = folder.path("third.retake")
    let last = try Recording(path: second)
    _ = try Trim.run(last, try FrameSelection(last, frameSets: 0..<3), into: RecordingFolder(path: third))
    #expect(try Recording(path: third).alignment() == nil)
    let settings = try Recording(path: second).streams.flatMap(\.settings)
    #expect(settings.filter { $0.name == "color-alignment" }.count == 1)
  }

  @Test func `whatever the disk does, the earlier alignment or the new one is there`() throws {
    let new = ColorAlignment(x: -3000, y: 62, uncertainty: 500, frameCount: 9)
    let file = AlignmentFile(try open().folder)
    let name = path + "/" + AlignmentFile.name
    let whole = SimulatedDisk(seed: 0)
    try file.write(Self.some, fileSystem: whole)
    let first = whole.operationCount
    try file.write(new, fileSystem: whole)
    #expect(first > 4)
    var found: Set<Bool> = []
    for fault in [SimulatedDisk.Fault.crash, .full, .inputOutputError] {
      for operation in first..<whole.operationCount {
        for seed in 0..<4 {
          let disk = SimulatedDisk(seed: UInt64(seed), faultOperation: operation, fault: fault)
          try file.write(Self.some, fileSystem: disk)
          // A full disk can still rename and remove.
          try? file.write(new, fileSystem: disk)
          for isPowerCut in [false, true] {
            let bytes = try #require(disk.files(afterPowerCut: isPowerCut)[name], "\(fault) \(operation)")
            try FileBytes.write(bytes, to: name)
            let left = try open().alignment()
            #expect(left == Self.some || left == new, "\(fault) \(operation)")
            found.insert(left == new)
          }
        }
      }
    }
    #expect(found.count == 2)
  }
}
