import Foundation
import FrameModel
import Glibc

/// ffmpeg as a child process that decodes a video file, picture after picture, at a constant rate.
///
/// Equal files give equal pictures: decoders and swscale are asked to be exact, pictures are numbered and not timed, and what
/// cannot be decoded ends it, for how a decoder hides a fault is its own affair.
package final class VideoDecoder {
  package let facts: VideoFacts
  private let path: String
  private let process = Process()
  private let output = Pipe()
  private let messages = ProcessMessages()

  /// - Throws: `.childProcess` when there is no ffmpeg.
  package init(_ path: String, _ facts: VideoFacts) throws(RetakeError) {
    guard let program = FFmpegProcess.findProgram("ffmpeg") else {
      throw RetakeError(
        .childProcess, "Video files need ffmpeg, which is not installed.", hint: "apt-get install ffmpeg")
    }
    self.path = path
    self.facts = facts
    process.executableURL = URL(fileURLWithPath: program)
    let scale = "scale=\(facts.width):\(facts.height):flags=bicubic+accurate_rnd+full_chroma_int+bitexact"
    process.arguments =
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-xerror"] + VideoFacts.containerArguments
      + ["-flags:v", "+bitexact", "-idct", "simple", "-i", "file:\(path)", "-map", "0:v:0", "-an", "-sn"]
      + ["-fps_mode", "cfr", "-r", facts.rate.description, "-vf", scale]
      + ["-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = messages.handle
    do { try process.run() } catch {
      throw RetakeError(.childProcess, "ffmpeg could not be started: \(error.localizedDescription).")
    }
    // The child's end: without it closed, the end of the video would not be seen.
    try? output.fileHandleForWriting.close()
  }

  deinit {
    try? output.fileHandleForReading.close()
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  /// - Parameter picture: room for packed RGB of the facts' size.
  /// - Returns: false at the video's end; the picture is then as it was.
  /// - Throws: `.childProcess` when ffmpeg ended otherwise than by having decoded all of it.
  package func read(into picture: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Bool {
    var done = 0
    while done < picture.count {
      let n = Glibc.read(
        output.fileHandleForReading.fileDescriptor, picture.baseAddress! + done, picture.count - done)
      if n < 0 && errno == EINTR { continue }
      guard n >= 0 else { throw FileBytes.failure("read", path) }
      if n == 0 {
        try checkEnd(isWhole: done == 0)
        return false
      }
      done += n
    }
    return true
  }

  /// A child that was killed or gave up looks like the video's end, and is not.
  private func checkEnd(isWhole: Bool) throws(RetakeError) {
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal {
      throw RetakeError(
        .childProcess, "ffmpeg was ended by signal \(process.terminationStatus) while it decoded \(path).",
        hint: "run it again; where memory is short, make the video's pictures smaller")
    }
    guard process.terminationStatus == 0, isWhole else {
      throw RetakeError(
        .childProcess,
        "ffmpeg could not decode \(path): \(messages.lastLine ?? "it ended with status \(process.terminationStatus)").",
        hint: "make it whole with 'ffmpeg -i \(path) NEW.mkv', and use that")
    }
  }
}
