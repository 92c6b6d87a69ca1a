import FrameModel
import Glibc
import Support
import TestSupport
import Testing

/// Pipes that nobody reads.
@Suite struct WritePatienceTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func write(_ count: Int, to descriptor: Int32, _ patience: WritePatience) throws {
    try [UInt8](repeating: 7, count: count).withRawBytes { bytes throws(RetakeError) in
      try patience.writeAll(bytes, to: descriptor, path: "the pipe")
    }
  }

  @Test func `a pipe that is full is given up once all is to end, and not before it is full`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let patience = WritePatience(graceMilliseconds: 0)
    patience.end()
    try write(10_000, to: ends[1], patience)
    let error = #expect(throws: RetakeError.self) { try write(1 << 20, to: ends[1], patience) }
    #expect(error?.message == "No program is reading from the pipe.")
    #expect(error?.hint.isEmpty == false)
  }

  @Test func `a pipe whose reader is gone is an error with a next step`() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let error = #expect(throws: RetakeError.self) { try write(1, to: ends[1], WritePatience()) }
    #expect(error?.message.contains("Broken pipe") == true && error?.hint.isEmpty == false)
  }

  @Test func `a named pipe is opened when it has a reader, and given up when all is to end`() throws {
    let path = folder.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let wished = WritePatience(graceMilliseconds: 0, until: { true })
    #expect(throws: RetakeError.self) { _ = try wished.open(path) }
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let writer = try wished.open(path)
    defer { close(writer) }
    try write(3, to: writer, wished)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(reader, &bytes, 8) == 3)
    #expect(bytes == [7, 7, 7, 0, 0, 0, 0, 0])
  }
}
