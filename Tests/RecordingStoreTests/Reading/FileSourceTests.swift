import ChunkFormat
import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

@Suite struct FileSourceTests {
  @Test func `a file's bytes are read from any place, and a missing file is named`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("bytes")
    try Data((0..<100).map { UInt8($0) }).write(to: URL(fileURLWithPath: path))
    let source = try FileSource(path: path)
    #expect(source.byteCount == 100)
    func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
      defer { memory.deallocate() }
      return Array(memory[..<(try source.read(at: offset, into: memory))])
    }
    #expect(try read(90, 5) == [90, 91, 92, 93, 94])
    #expect(try read(3, 2) == [3, 4])
    #expect(try read(98, 5) == [98, 99])
    #expect(try read(100, 5).isEmpty)
    let missing = folder.path("none")
    let error = try #require(throws: RetakeError.self) { try FileSource(path: missing) }
    #expect(error.message.contains(missing))
  }

  @Test func `a file that is cut while it is read ends there`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cut.mcap")
    try Data(MCAP.magic + [1] + [UInt8](repeating: 0, count: 7)).write(to: URL(fileURLWithPath: path))
    let reader = MCAPRecordReader(try FileSource(path: path), MCAPReaderOptions(isLenient: true))
    #expect(truncate(path, 10) == 0)
    #expect(try reader.next() == nil)
    #expect(reader.stop?.error.message.contains("inside a record, at byte 8") == true)
  }
}
