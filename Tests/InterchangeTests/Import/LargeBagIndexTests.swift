import Interchange
import Support
import TestSupport
import Testing

@Suite(.long) struct LargeBagIndexTests {
  private static let chunkCount = 60_000

  private func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private func sized(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes }

  private func field(_ name: String, _ value: [UInt8]) -> [UInt8] { sized(Array("\(name)=".utf8) + value) }

  private func record(_ operation: UInt8, _ fields: [[UInt8]], _ data: [UInt8] = []) -> [UInt8] {
    var header = field("op", [operation])
    for field in fields { header += field }
    return sized(header) + sized(data)
  }

  /// A bag of empty chunks, whose index says of each that it is at the file's begin.
  private func bag() -> [UInt8] {
    let chunk = record(5, [field("compression", Array("none".utf8)), field("size", number(UInt32(0)))])
    let info = record(
      6,
      [field("ver", number(UInt32(1))), field("chunk_pos", number(UInt64(1))), field("count", number(UInt32(0)))])
    let magic = Array("#ROSBAG V2.0\n".utf8)
    func header(_ place: Int) -> [UInt8] { record(3, [field("index_pos", number(UInt64(place)))]) }
    var bytes = magic + header(magic.count + header(0).count + Self.chunkCount * chunk.count)
    for _ in 0..<Self.chunkCount { bytes += chunk }
    for _ in 0..<Self.chunkCount { bytes += info }
    return bytes
  }

  /// A search through all of them for each record would take minutes.
  @Test(.timeLimit(.minutes(1))) func `a bag's records are read in a time that its size explains`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.bag")
    try FileBytes.write(bag(), to: path)
    let error = #expect(throws: RetakeError.self) { _ = try ImportCatalog.open(path) }
    #expect(error?.message == "\(path) has no image that Retake can import.")
  }
}
