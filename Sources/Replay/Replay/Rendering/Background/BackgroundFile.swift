import FrameModel
import Glibc
import Kernels
import MattePipeline
import Media
import RecordingStore
import Support

/// The background that `composite.background` names: a picture, a video or a recording. Content
/// decides which, not the name.
package struct BackgroundFile {
  package let source: any BackgroundSource
  /// For digests: XXH3-128 of a picture's pixels or of a video file's bytes, or a recording's id.
  package let identity: String
  /// See `DecoderIdentity`. Empty for a picture, whose identity depends on its pixels.
  package let decoders: [String]

  /// - Throws: `.notFound` and others for an unreadable file, `.corrupt` and `.unsupported` for one
  ///   without pictures, `.childProcess` for a video without ffmpeg.
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

/// Reads a file in blocks: it may be large, or be truncated while it is read.
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
      throw RetakeError(.unsupported, "\(path) is not a regular file.", hint: hint)
    }
    guard try readBlock() else { throw RetakeError(.corrupt, "\(path) is empty.", hint: hint) }
  }

  deinit { close(descriptor) }

  var isPicture: Bool { block.withRawBytes { PictureFile.isPicture(UnsafeRawBufferPointer(rebasing: $0[..<count])) } }

  /// Can be called once.
  func checksum() throws(RetakeError) -> String {
    let checksum = RunningChecksum()
    repeat { block.withRawBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) } } while try readBlock()
    return checksum.hex
  }

  private func readBlock() throws(RetakeError) -> Bool {
    while true {
      count = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileBytes.failure("read", path) }
      return count > 0
    }
  }
}
