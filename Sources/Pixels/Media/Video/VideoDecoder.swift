import FrameModel
import Support

/// ffmpeg as a child process that decodes a video file, picture after picture, at a constant rate.
///
/// Equal files give equal pictures: decoders and swscale are asked to be exact, pictures are numbered and not timed, and what
/// cannot be decoded ends it, for how a decoder hides a fault is its own affair.
package final class VideoDecoder {
  package let facts: VideoFacts
  private let path: String
  private let child: ChildReader

  /// - Throws: `.childProcess` when there is no ffmpeg.
  package init(_ path: String, _ facts: VideoFacts) throws(RetakeError) {
    self.path = path
    self.facts = facts
    let scale = "scale=\(facts.width):\(facts.height):flags=bicubic+accurate_rnd+full_chroma_int+bitexact"
    let arguments =
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-xerror"] + VideoFacts.containerArguments
      + ["-flags:v", "+bitexact", "-idct", "simple", "-i", "file:\(path)", "-map", "0:v:0", "-an", "-sn"]
      + ["-fps_mode", "cfr", "-r", facts.rate.description, "-vf", scale]
      + ["-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1"]
    child = try ChildReader("ffmpeg", arguments, missing: "Video files need ffmpeg, which is not installed.")
  }

  private static let versionByteLimit = 1 << 16

  /// Of the ffmpeg that is installed, as it says: "5.1.6-0+deb12u1".
  /// - Throws: `.childProcess` when there is none.
  package static func version() throws(RetakeError) -> String {
    let child = try ChildReader("ffmpeg", ["-version"], missing: "Video files need ffmpeg, which is not installed.")
    let said = String(decoding: try child.readAll(limit: versionByteLimit), as: UTF8.self)
    _ = child.end()
    let words = said.prefix { !$0.isNewline }.split(separator: " ")
    return words.count > 2 && words[1] == "version" ? String(words[2].prefix(100)) : "of unknown version"
  }

  /// - Parameter picture: room for packed RGB of the facts' size.
  /// - Returns: false at the video's end; the picture is then as it was.
  /// - Throws: `.childProcess` when ffmpeg ended otherwise than by having decoded all of it.
  package func read(into picture: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Bool {
    let count = try child.read(into: picture)
    guard count < picture.count else { return true }
    try checkEnd(isWhole: count == 0)
    return false
  }

  /// A child that was killed or gave up looks like the video's end, and is not.
  private func checkEnd(isWhole: Bool) throws(RetakeError) {
    let end = child.end()
    if let signal = end.signal {
      throw RetakeError(
        .childProcess, "ffmpeg was ended by signal \(signal) while it decoded \(path).",
        hint: "run it again; where memory is short, make the video's pictures smaller")
    }
    guard end.isGood, isWhole else {
      throw RetakeError(
        .childProcess,
        "ffmpeg could not decode \(path): \(end.complaint ?? "it ended with status \(end.status)").",
        hint: "make it whole with 'ffmpeg -i \(path) NEW.mkv', and use that")
    }
  }
}
