import FrameModel
import Glibc
import Kernels
import MattePipeline
import Media
import Parameters
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
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RetakeError(.unsupported, "\(path) is not a file.", hint: ReadFile.hint)
    }
    var file = try ReadFile(path)
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

extension BackgroundFile {
  /// The file that `composite.background` names; nil for none.
  /// - Throws: as `init(path:)`.
  package static func named(in parameters: ParameterSet) throws(RetakeError) -> BackgroundFile? {
    let background = PipelineParameters.composite.background
    let path = parameters[background]
    return try path.isEmpty
      ? nil : background.declaration.named { () throws(RetakeError) in try BackgroundFile(path: path) }
  }
}

/// Reads a file in blocks: it may be large, or be truncated while it is read.
private struct ReadFile {
  static let hint = "give a PNG or JPEG picture, a video, or a recording"

  private let source: FileSource
  private var block = [UInt8](repeating: 0, count: 1 << 20)
  private var count = 0
  private var offset = 0

  init(_ path: String) throws(RetakeError) {
    source = try FileSource(path: path)
    guard try readBlock() else { throw RetakeError(.corrupt, "\(path) is empty.", hint: Self.hint) }
  }

  var isPicture: Bool { block.withRawBytes { PictureFile.isPicture(UnsafeRawBufferPointer(rebasing: $0[..<count])) } }

  /// Can be called once.
  mutating func checksum() throws(RetakeError) -> String {
    let checksum = RunningChecksum()
    repeat { block.withRawBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) } } while try readBlock()
    return checksum.hex
  }

  private mutating func readBlock() throws(RetakeError) -> Bool {
    let (source, offset) = (source, offset)
    count = try block.withMutableRawBytes { bytes throws(RetakeError) in try source.read(at: offset, into: bytes) }
    self.offset += count
    return count > 0
  }
}
