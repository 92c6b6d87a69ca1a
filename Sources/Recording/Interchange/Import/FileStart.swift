import RecordingStore
import Support

/// The first bytes of a file, which tell what it is.
enum FileStart {
  static func read(_ path: String) throws(RetakeError) -> [UInt8] {
    let source = try FileSource(path: path)
    var start = [UInt8](repeating: 0, count: 16)
    let count = try start.withMutableRawBytes { buffer throws(RetakeError) in try source.read(at: 0, into: buffer) }
    start.removeLast(start.count - count)
    return start
  }
}
