import FrameModel
import RecordingStore
import Support

package enum ExportStreams {
  package static func hasPictures(_ format: PixelFormat) -> Bool { format != .motion }

  /// - Throws: `.unsupported` if there are none.
  package static func withPictures(_ recording: Recording) throws(RetakeError) -> [Int] {
    let streams = recording.streams.indices.filter { hasPictures(recording.streams[$0].layout.format) }
    guard !streams.isEmpty else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no pictures to export.", hint: "'retake info' lists its streams")
    }
    return streams
  }

  /// - Throws: `.unsupported` for a stream without pictures, or whose samples do not fit 16 bits.
  static func check(_ stream: Int, of recording: Recording, depth: DepthSamples) throws(RetakeError) {
    let name = recording.streams[stream].name
    let format = recording.streams[stream].layout.format
    guard hasPictures(format) else {
      throw RetakeError(
        .unsupported, "Stream '\(name)' of \(recording.folder.path) has no pictures.",
        hint: "name another with --stream")
    }
    guard depth == .millimeters || format != .disparityFloat32 else {
      throw RetakeError(
        .unsupported,
        "Stream '\(name)' of \(recording.folder.path) has samples of 32 bits, but an exported picture has only 16.",
        hint: "leave out --depth: depth in millimetres fits")
    }
  }

  /// Stream names from an untrusted recording become folder names: they must not lead elsewhere.
  static func checkIsFileName(_ name: String) throws(RetakeError) {
    let isPlain =
      !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 200
      && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    guard isPlain else {
      throw RetakeError(
        .corrupt, "A stream's name cannot be used as a folder name.", hint: "choose other streams with --stream")
    }
  }
}
