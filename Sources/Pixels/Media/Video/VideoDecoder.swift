import FrameModel
import Support

/// Decodes a video file by ffmpeg as a child process, at a constant rate.
///
/// Equal files give equal pictures: decoders and swscale run bit-exact, and pictures are counted,
/// not timed. A decoding error ends it, since how a decoder conceals errors is not defined.
package final class VideoDecoder {
  package let facts: VideoFacts
  private let path: String
  private let child: ChildReader

  /// - Throws: `.childProcess` if ffmpeg is not installed.
  package init(_ path: String, _ facts: VideoFacts) throws(RetakeError) {
    self.path = path
    self.facts = facts
    let scale = "scale=\(facts.width):\(facts.height):flags=bicubic+accurate_rnd+full_chroma_int+bitexact"
    let arguments =
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-xerror"] + VideoFacts.containerArguments
      + ["-flags:v", "+bitexact", "-idct", "simple", "-i", "file:\(path)", "-map", "0:v:0", "-an", "-sn"]
      + ["-fps_mode", "cfr", "-r", facts.rate.description, "-vf", scale]
      + ["-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1"]
    child = try ChildReader("ffmpeg", arguments, missing: ChildProgram.ffmpegIsMissing)
  }

  private static let versionByteLimit = 1 << 16

  /// The installed ffmpeg's version, such as "5.1.6-0+deb12u1".
  package static func version() throws(RetakeError) -> String {
    let child = try ChildReader("ffmpeg", ["-version"], missing: ChildProgram.ffmpegIsMissing)
    let said = String(decoding: try child.readAll(limit: versionByteLimit), as: UTF8.self)
    _ = child.end()
    let words = said.prefix { !$0.isNewline }.split(separator: " ")
    return words.count > 2 && words[1] == "version" ? String(words[2].prefix(100)) : "of unknown version"
  }

  /// - Parameter picture: packed RGB of the size in `facts`.
  /// - Returns: false at the end of the video; the picture is then unchanged.
  /// - Throws: `.childProcess` if ffmpeg did not decode the whole video.
  package func read(into picture: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Bool {
    let count = try child.read(into: picture)
    guard count < picture.count else { return true }
    try checkEnd(isWhole: count == 0)
    return false
  }

  /// Tells the end of the video from a child that was killed or failed.
  private func checkEnd(isWhole: Bool) throws(RetakeError) {
    let end = child.end()
    if let signal = end.signal {
      throw RetakeError(
        .childProcess, "ffmpeg was killed by signal \(signal) while decoding \(path).",
        hint: "run the command again; if memory is short, use a smaller video")
    }
    guard end.isGood, isWhole else {
      throw RetakeError(
        .childProcess,
        "ffmpeg could not decode \(path): \(child.complaint ?? "it exited with status \(end.status)").",
        hint: "try to repair it with 'ffmpeg -i \(path) NEW.mkv' and use NEW.mkv")
    }
  }
}
