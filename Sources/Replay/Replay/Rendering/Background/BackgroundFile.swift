import FrameModel
import Glibc
import Kernels
import MattePipeline
import Media
import RecordingStore
import Support

/// What `composite.background` names: a picture, a video or a recording, told apart by what lies there and not by its name.
package struct BackgroundFile {
  package let source: any BackgroundSource
  /// What digests depend on: XXH3-128 of a picture's pixels or of a video file's bytes, or a recording's id.
  package let identity: String
  /// See `DecoderIdentity`. A picture's pixels are in its identity already.
  package let decoders: [String]

  /// - Throws: `.notFound` and others for what cannot be read, `.corrupt` and `.unsupported` for what shows nothing,
  ///   `.childProcess` for a video when there is no ffmpeg.
  package init(path: String) throws(RetakeError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileBytes.failure("open", path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      let recording = try Recording(path: path)
      source = try RecordingBackground(recording)
      identity = recording.identity.id
      let isJPEG = recording.firstStream(.color).map { recording.streams[$0].layout.format == .jpeg } ?? false
      decoders = isJPEG ? [try DecoderIdentity.jpeg()] : []
      return
    }
    let file = try ReadFile(path)
    if file.isPicture {
      let picture = try PictureFile.readColor(path: path)
      source = StillBackground(picture)
      identity = picture.pixels.withRawBytes { Checksum.xxh3Hex128($0) }
      decoders = []
    } else {
      source = try VideoBackground(path: path)
      identity = try file.checksum()
      decoders = [try DecoderIdentity.ffmpeg()]
    }
  }
}

/// A file's bytes, a block at a time: it may be large, and may be cut while it is read.
private final class ReadFile {
  private let descriptor: Int32
  private let path: String
  private var block = [UInt8](repeating: 0, count: 1 << 20)
  private var count = 0

  init(_ path: String) throws(RetakeError) {
    self.path = path
    descriptor = SystemCall.retried { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw FileBytes.failure("open", path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileBytes.failure("read", path) }
    let hint = "give a PNG or JPEG picture, a video, or a recording"
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RetakeError(.unsupported, "\(path) is not a file.", hint: hint)
    }
    guard try readBlock() else { throw RetakeError(.corrupt, "\(path) is empty.", hint: hint) }
  }

  deinit { close(descriptor) }

  /// By its first bytes.
  var isPicture: Bool { block.withRawBytes { PictureFile.isPicture(UnsafeRawBufferPointer(rebasing: $0[..<count])) } }

  /// Of the whole file; once.
  func checksum() throws(RetakeError) -> String {
    let checksum = RunningChecksum()
    repeat { block.withRawBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) } } while try readBlock()
    return checksum.hex
  }

  /// - Returns: false at the end.
  private func readBlock() throws(RetakeError) -> Bool {
    while true {
      count = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileBytes.failure("read", path) }
      return count > 0
    }
  }
}
