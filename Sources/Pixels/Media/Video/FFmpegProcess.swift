import Foundation
import Support

/// Encodes pictures to a video file by ffmpeg as a child process.
package final class FFmpegProcess {
  private let process: ChildProgram
  private let input: ChildPipe
  private let messages: ChildMessages
  private let path: String
  private let name: String
  private let patience: WritePatience

  /// Where ffmpeg is; nil if it is not installed.
  package static var location: String? { ChildProgram.path(of: "ffmpeg") }

  /// Overwrites the file at `path`, which errors call `name`.
  /// - Parameter trackTags: "NAME=VALUE" each.
  /// - Throws: `.childProcess` if ffmpeg is not installed.
  package init(
    _ video: RawVideo, _ encoding: VideoEncoding, to path: String, name: String, trackTags: [String] = [],
    patience: WritePatience = WritePatience()
  ) throws(RetakeError) {
    self.path = path
    self.name = name
    self.patience = patience
    messages = try ChildMessages()
    input = try ChildPipe("ffmpeg")
    process = try ChildProgram(
      "ffmpeg", missing: ChildProgram.ffmpegIsMissing,
      // Without -xerror, ffmpeg takes a file for written whose end found a full disk.
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-xerror", "-y"] + video.arguments + encoding.arguments(video)
        + trackTags.flatMap { ["-metadata:s:v:0", $0] } + ["file:\(path)"], input: input.reading, output: nil,
      errors: messages.descriptor)
    input.closeReading()  // the child's end: while it is open here, a dead child goes unnoticed
  }

  deinit {
    if process.isRunning {
      // The file was abandoned, so ffmpeg must stop writing to it. It ignores signals while it
      // waits for input.
      input.closeWriting()
      process.signal(SIGTERM)
      // If it read nothing until patience ended, it may ignore SIGTERM too.
      if patience.isOver { process.signal(SIGKILL) }
      process.wait()
    }
  }

  /// Writes one whole picture.
  package func write(_ picture: UnsafeRawBufferPointer) throws(RetakeError) {
    do throws(RetakeError) {
      try patience.writeAll(picture, to: input.writing, path: name)
    } catch {
      if process.isRunning && patience.isOver { throw error }
      throw ended()
    }
  }

  /// Ends the input and waits until the file is complete.
  package func finish() throws(RetakeError) {
    input.closeWriting()
    guard process.wait().isGood else { throw ended() }
  }

  /// ffmpeg's own words depend on the format, and name the disk in none.
  private var isDiskFull: Bool {
    var space = statvfs()
    return statvfs(Folder.parent(of: path), &space) == 0 && space.f_bavail * space.f_frsize < 1 << 16
  }

  private func ended() -> RetakeError {
    input.closeWriting()
    process.wait()
    if isDiskFull { return FileBytes.failure("write", name, errno: ENOSPC) }
    let reason = messages.lastLine?.replacingOccurrences(of: path, with: name) ?? "it gave no reason"
    return RetakeError(
      .childProcess, "ffmpeg could not write \(name): \(reason)",
      hint: "check the path, the file name extension and the free disk space")
  }
}
