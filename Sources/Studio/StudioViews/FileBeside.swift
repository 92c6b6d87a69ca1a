import Glibc
import RecordingStore
import Support

/// Files of Studio's beside a recording, which it never changes.
package enum FileBeside {
  /// Whether files can be written beside a recording.
  package static func isPossible(_ recording: Recording) -> Bool { access(folder(recording), W_OK) == 0 }

  package static func folder(_ recording: Recording) -> String {
    Folder.withoutTrailingSlash(Folder.parent(of: recording.pathBeside))
  }

  /// Writes a file that appears complete or not at all.
  package static func write(_ bytes: [UInt8], to path: String) throws(RetakeError) {
    guard let file = try FileReplacement.begin(path) else {
      throw RetakeError(
        .inputOutput, "\(path) cannot be written.", hint: "make it and its folder writable, or move the recording")
    }
    try bytes.withRawBytes { bytes throws(RetakeError) in
      try FileBytes.writeAll(bytes, to: file.descriptor, path: path)
    }
    try file.publish()
  }
}

extension Recording {
  /// The recording's path without its ending.
  package var pathBeside: String {
    var base = folder.path
    while base.count > 1, base.hasSuffix("/") { base.removeLast() }
    if base.hasSuffix(".retake") { base.removeLast(".retake".count) }
    return base
  }
}
