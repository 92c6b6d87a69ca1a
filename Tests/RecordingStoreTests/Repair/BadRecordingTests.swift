import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

@Suite struct BadRecordingTests {
  private let folder: TemporaryFolder
  private let path: String
  private let layout: FrameLayout

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    layout = try FrameLayout(.grey8, width: 40, height: 30)
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let recorder = try Recorder(
      folder: RecordingFolder(path: path), streams: [TestFrames.stream("color", .color, layout)], options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<5 { sink.deliver(TestFrames.captured(layout, stream: 0, index: index)) }
    #expect(recorder.finish().failure == nil)
  }

  private func error(_ body: () throws -> Void) -> RetakeError? {
    #expect(throws: RetakeError.self) { try body() }
  }

  private func readAll() throws -> [Result<Frame, RetakeError>] {
    let recording = try Recording(path: path)
    let reader = try FrameReader(recording)
    return try recording.frameRows(stream: 0, from: 0, limit: 100).map { row in
      do throws(RetakeError) { return .success(try reader.frame(row)) } catch { return .failure(error) }
    }
  }

  @Test func `a missing folder, a foreign folder and a file are told apart`() throws {
    #expect(error { _ = try Recording(path: folder.path("none")) }?.code == .notFound)
    let foreign = error { _ = try Recording(path: folder.path) }
    #expect(foreign?.code == .corrupt)
    #expect(foreign?.hint.isEmpty == false)
    #expect(error { _ = try Recording(path: path + "/index.sqlite") }?.code == .corrupt)
  }

  @Test func `a missing index, a text file and a foreign database are named`() throws {
    let index = path + "/index.sqlite"
    for content in [Data("hello, this is no database at all".utf8), Data()] {
      try content.write(to: URL(fileURLWithPath: index))
      let found = error { _ = try Recording(path: path) }
      #expect(found?.code == .corrupt)
      #expect(found?.message.contains(index) == true)
    }
    try FileManager.default.removeItem(atPath: index)
    #expect(error { _ = try Recording(path: path) }?.message.contains("missing") == true)
  }

  @Test func `an index with any page overwritten gives errors, never a crash`() throws {
    let index = URL(fileURLWithPath: path + "/index.sqlite")
    let whole = try Data(contentsOf: index)
    let pixels = try readAll().map { try Array($0.get().buffer.bytes) }
    #expect(pixels.count == 5)
    var refusedCount = 0
    for page in 0..<whole.count / 4096 {
      for fill: UInt8 in [0, 0x5A, 0xFF] {
        var damaged = whole
        damaged.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: fill, count: 4096))
        try damaged.write(to: index)
        // Whatever it says, it says it as a RetakeError or as frames that match their checksums.
        do {
          let recording = try Recording(path: path)
          _ = try recording.summary()
          _ = try recording.frameSets(0..<10)
          for frame in try readAll() {
            switch frame {
            case .success(let frame): #expect(pixels.contains(Array(frame.buffer.bytes)), "page \(page)")
            case .failure: refusedCount += 1
            }
          }
        } catch is RetakeError { refusedCount += 1 }
      }
    }
    #expect(refusedCount > whole.count / 4096)
  }

  @Test func `a flipped bit names the frame, and the others still read`() throws {
    let file = URL(fileURLWithPath: path + "/chunks/000000.mcap")
    let whole = try Data(contentsOf: file)
    let recording = try Recording(path: path)
    let row = try #require(try recording.frameRow(stream: 0, number: 2))
    for position in stride(from: row.place.offset, to: row.place.offset + row.place.length, by: 11) {
      var damaged = whole
      damaged[position] ^= 0x10
      try damaged.write(to: file)
      let frames = try readAll()
      for (number, frame) in frames.enumerated() where number != 2 {
        #expect(throws: Never.self) { try frame.get() }
      }
      // A bit of a number that is not checked again (a time) may pass; a pixel never does.
      if case .success(let frame) = frames[2] {
        #expect(areSame(frame.copiedBytes, TestFrames.captured(layout, stream: 0, index: 2).buffer.copiedBytes))
      } else if case .failure(let error) = frames[2] {
        #expect(error.message.contains("Frame 2 of stream 'color' in \(file.path)"))
      }
    }
  }

  @Test func `a chunk file that is missing or cut short is named`() throws {
    let file = URL(fileURLWithPath: path + "/chunks/000000.mcap")
    let whole = try Data(contentsOf: file)
    try whole.prefix(whole.count / 3).write(to: file)
    #expect(try readAll().contains { if case .failure(let e) = $0 { e.message.contains(file.path) } else { false } })
    try FileManager.default.removeItem(at: file)
    for frame in try readAll() { #expect(throws: RetakeError.self) { try frame.get() } }
  }

  @Test func `a path with the characters of a URL opens`() throws {
    // The last with a mark that combines with it.
    let odd = folder.path("50% of a#b? c#\u{301}.retake")
    try FileManager.default.moveItem(atPath: path, toPath: odd)
    #expect(try Recording(path: odd).summary().frameSetCount == 5)
  }

  @Test func `a line feed in a folder's name is no line feed in an error`() throws {
    let found = error { _ = try Recording(path: folder.path("a\nerror: none")) }
    #expect(found?.message == "There is no recording \(folder.path("a?error: none")).")
  }

  @Test func `a pipe in the index's place is told at once, and made again when it is gone`() throws {
    let index = RecordingFolder(path: path).indexPath
    unlink(index)
    #expect(mkfifo(index, 0o600) == 0)
    #expect(error { _ = try Recording(path: path) }?.message == "\(index) is not a regular file.")
    unlink(index)
    _ = try Repair.run(path: path)
    #expect(try Recording(path: path).summary().frameSetCount == 5)
  }

  @Test(arguments: ["tags.json", "marks.json", "alignment.json", "part.json"])
  func `a file beside the frames that cannot be read is a problem`(name: String) throws {
    #expect(try Verification.run(Recording(path: path)).isWhole)
    try Data("garbage".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    let problems = try Verification.run(Recording(path: path)).problems
    #expect(problems.count == 1 && problems[0].what.contains(name), "\(problems)")
  }
}
