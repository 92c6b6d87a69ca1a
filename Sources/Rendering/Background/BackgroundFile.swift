import ChunkFormat
import FrameModel
import Glibc
import MattePipeline
import Pictures
import RecordingStore
import VideoFiles

/// What `composite.background` names: a picture, a video or a recording, told apart by what lies there and not by its name.
package struct BackgroundFile {
  package let source: any BackgroundSource
  /// What digests depend on: XXH3-128 of a picture's pixels or of a video file's bytes, or a recording's id.
  package let identity: String

  /// - Throws: `.notFound` and others for what cannot be read, `.corrupt` and `.unsupported` for what shows nothing,
  ///   `.childProcess` for a video when there is no ffmpeg.
  package init(path: String) throws(RetakeError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileBytes.failure("open", path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      let recording = try Recording(path: path)
      source = try RecordingBackground(recording)
      identity = recording.identity.id
      return
    }
    let file = try MappedFile(path)
    if PictureFile.isPicture(file.bytes) {
      let picture = try PictureFile.readColor(path: path)
      source = StillBackground(picture)
      identity = picture.pixels.withRawBytes { Checksum.xxh3Hex128($0) }
    } else {
      source = try VideoBackground(path: path)
      identity = withExtendedLifetime(file) { Checksum.xxh3Hex128(file.bytes) }
    }
  }
}

/// A file's bytes without their being read into memory at once.
private final class MappedFile {
  let bytes: UnsafeRawBufferPointer

  init(_ path: String) throws(RetakeError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileBytes.failure("open", path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileBytes.failure("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw RetakeError(.unsupported, "\(path) is not a file.") }
    guard status.st_size > 0 else {
      throw RetakeError(.corrupt, "\(path) is empty.", hint: "give a PNG or JPEG picture, a video, or a recording")
    }
    guard let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      throw FileBytes.failure("read", path)
    }
    bytes = UnsafeRawBufferPointer(start: start, count: Int(status.st_size))
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count) }
}
