import ChunkFormat
import FrameModel
import Kernels
import Support

/// Writes masks beside a recording. Files appear once finished; concurrent replays write separate
/// ones.
package final class KeptMaskWriter {
  private let folder: RecordingFolder
  private let identity: RecordingIdentity
  private let stream: KeptMaskStream
  private let description: StreamDescription
  private let fileSystem: any FileSystem
  private let encoder: FrameEncoder
  private var open: (file: PartialFile, writer: ChunkFileWriter<PartialFile>)?
  private var lock: KeptMaskLock?
  private var countInFile = 0
  private var fileStart = MonotonicTime.now()
  private let longestFileDuration: Int64

  /// Limits the masks lost when a replay is killed: by count for fast networks, by duration (30 s)
  /// for slow ones.
  private static let masksInAFile = 300
  package static let longestFileDuration: Int64 = 30_000_000_000

  /// - Parameter longestFileDuration: nanoseconds after which a file is finished.
  package init(
    _ recording: Recording, _ stream: KeptMaskStream, of color: StreamDescription,
    fileSystem: any FileSystem = RealFileSystem(), longestFileDuration: Int64 = KeptMaskWriter.longestFileDuration
  ) throws(RetakeError) {
    folder = recording.folder
    identity = recording.identity
    self.stream = stream
    description = try stream.description(of: color)
    self.fileSystem = fileSystem
    self.longestFileDuration = longestFileDuration
    encoder = try FrameEncoder()
  }

  /// - Parameter mask: one byte per pixel, in the size of the mask stream.
  /// - Throws: disk errors. The open file is discarded; finished files stay.
  package func append(_ frame: Frame, _ mask: UnsafeRawBufferPointer) throws(RetakeError) {
    do throws(RetakeError) {
      if open == nil { try begin() }
      let message = FrameMessage(
        number: frame.number, layout: description.layout, byteCount: mask.count, deviceSequence: nil,
        timestamps: frame.timestamps, flags: [], codec: .raw, checksum: Checksum.xxh3(mask))
      try encoder.encode(mask, layout: description.layout) { codec, payload throws(RetakeError) in
        var message = message
        message.codec = codec
        _ = try open?.writer.append(message, payload: payload, stream: 0)
      }
      countInFile += 1
      let duration = MonotonicTime.now().nanoseconds - fileStart.nanoseconds
      if countInFile == Self.masksInAFile || duration >= longestFileDuration { try finish() }
    } catch {
      open?.file.discard()
      open = nil
      throw error
    }
  }

  package func finish() throws(RetakeError) {
    guard let (file, finished) = open else { return }
    open = nil
    var writer = finished
    do throws(RetakeError) {
      try writer.finish()
      try file.publish()
    } catch {
      file.discard()
      throw error
    }
  }

  private func begin() throws(RetakeError) {
    let path = folder.masksPath(key: stream.key)
    try RecordingPermissions.make(path, in: folder.path)
    if lock == nil { lock = try KeptMaskLock(path, on: fileSystem) }
    let (partial, number) = try newFile(in: path)
    let writer = try ChunkFileWriter(to: partial, identity: identity, streams: [description], fileNumber: number)
    open = (partial, writer)
    countInFile = 0
    fileStart = MonotonicTime.now()
  }

  private func newFile(in path: String) throws(RetakeError) -> (PartialFile, number: Int) {
    var attempt = 0
    while true {
      let number = try RecordingFolder.nextFileNumber(in: path)
      do throws(RetakeError) {
        return (try PartialFile(in: path, number: number, on: fileSystem), number)
      } catch {
        // A concurrent replay may have created this file.
        attempt += 1
        guard attempt < 16, Self.isTaken(path, number) else { throw error }
      }
    }
  }

  private static func isTaken(_ path: String, _ number: Int) -> Bool {
    let names = (try? Folder.names(in: path)) ?? []
    return names.contains { $0.hasPrefix(RecordingFolder.chunkFileName(number)) }
  }
}
