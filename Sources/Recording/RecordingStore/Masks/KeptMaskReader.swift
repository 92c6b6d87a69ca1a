import ChunkFormat
import FrameModel
import Support

/// Reads kept masks. Serves one thread.
package final class KeptMaskReader {
  package let stream: KeptMaskStream
  package private(set) var damage: [String] = []
  private var places: [Int: Place] = [:]
  private var files: [String: FileSource] = [:]
  private var record: [UInt8] = []
  private let decoder: FrameDecoder

  private struct Place {
    var file: KeptMaskFile
    var place: MessagePlace
    var checksum: UInt64
  }

  /// - Returns: nil when no masks are kept under this key.
  package convenience init?(_ recording: Recording, key: String) throws(RetakeError) {
    try self.init(recording.folder, recording.identity, key: key)
  }

  init?(_ folder: RecordingFolder, _ identity: RecordingIdentity, key: String) throws(RetakeError) {
    decoder = try FrameDecoder()
    var stream: KeptMaskStream?
    var damage: [String] = []
    var places: [Int: Place] = [:]
    let verifier = try FrameVerifier()
    for file in KeptMaskFile.all(in: folder, key: key) {
      guard let header = file.stream(of: identity), stream?.isLike(header) ?? true else {
        damage.append("\(file.path) does not contain masks of this recording, or is in the wrong place.")
        continue
      }
      stream = stream ?? header
      let report = try ChunkFileScan.run(path: file.path, hasAllNumbers: false) { entry, report throws(RetakeError) in
        guard case .frame(let message, let payload, let channel, let place) = entry, channel == 0,
          places[message.number] == nil, message.layout.width == header.width, message.layout.height == header.height,
          message.layout.format == .grey8, message.byteCount == message.layout.byteCount
        else { return }
        if report.isEntrySuspect { try verifier.verify(message, payload) }
        places[message.number] = Place(file: file, place: place, checksum: message.checksum)
      }
      damage += report.damage.map { "\(file.path): \($0)" }
    }
    guard let stream else { return nil }
    self.stream = stream
    self.damage = damage
    self.places = places
  }

  package static func hasFiles(_ recording: Recording, key: String) -> Bool {
    !KeptMaskFile.all(in: recording.folder, key: key).isEmpty
  }

  /// - Returns: false when the frame has no kept mask, or a damaged one, which is then forgotten.
  package func read(_ frameNumber: Int, into mask: UnsafeMutablePointer<UInt8>) throws(RetakeError) -> Bool {
    guard let place = places[frameNumber] else { return false }
    do throws(RetakeError) {
      try read(place, frameNumber, into: mask)
      return true
    } catch {
      guard error.code == .corrupt || error.code == .unsupported || error.code == .notFound else { throw error }
      damage.append("\(place.file.path): \(error.message)")
      places[frameNumber] = nil
      return false
    }
  }

  private func read(_ place: Place, _ number: Int, into mask: UnsafeMutablePointer<UInt8>) throws(RetakeError) {
    let length = place.place.length
    var source = try opened(place.file.path)
    if record.count < length { record = [UInt8](repeating: 0, count: length) }
    let target = UnsafeMutableRawBufferPointer(start: mask, count: stream.width * stream.height)
    try record.withMutableRawBytes { bytes throws(RetakeError) in
      let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<length])
      guard try source.readAll(at: place.place.offset, into: bytes) == length else {
        throw RetakeError(.corrupt, "The file ends before mask \(number).")
      }
      let (message, payload) = try MessageRecord.frame(UnsafeRawBufferPointer(bytes), stream: 0)
      guard message.number == number, message.byteCount == target.count, message.checksum == place.checksum else {
        throw RetakeError(.corrupt, "The mask of frame \(number) was replaced by another.")
      }
      try decoder.decode(payload, of: message, into: target)
    }
  }

  private func opened(_ path: String) throws(RetakeError) -> FileSource {
    if let source = files[path] { return source }
    // Emptied when full: a replay reads the files in order.
    if files.count == 4 { files.removeAll() }
    let source = try FileSource(path: path)
    files[path] = source
    return source
  }
}
