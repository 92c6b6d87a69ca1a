import Foundation
import FrameModel
import Support

/// ffmpeg as a child process that is fed pictures and makes a video file of them.
package final class FFmpegProcess {
  private let process: ChildProgram
  private let input: ChildPipe
  private let messages: ChildMessages
  private let path: String
  private let name: String
  private let patience: WritePatience

  /// - Parameters:
  ///   - path: the file to make; one that is there is written over.
  ///   - name: of the file, for errors: what the user called it.
  ///   - patience: with an ffmpeg that takes nothing.
  /// - Throws: `.childProcess` when there is no ffmpeg.
  package init(
    _ video: RawVideo, _ encoding: VideoEncoding, to path: String, name: String,
    patience: WritePatience = WritePatience()
  ) throws(RetakeError) {
    let program = try ChildProgram.path("ffmpeg", missing: "Video files need ffmpeg, which is not installed.")
    self.path = path
    self.name = name
    self.patience = patience
    messages = try ChildMessages()
    input = try ChildPipe("ffmpeg")
    process = try ChildProgram(
      program,
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + video.arguments + encoding.arguments(video)
        + ["file:\(path)"], input: input.reading, output: nil, errors: messages.descriptor)
    input.closeReading()  // the child's end: without it a dead child is noticed
  }

  deinit {
    if process.isRunning {
      // Somebody gave up on the file: nothing may write to it any more. While it waits for input it hears no signal.
      input.closeWriting()
      process.signal(SIGTERM)
      // What took nothing until patience was over may hear nothing else either.
      if patience.isOver { process.signal(SIGKILL) }
      process.wait()
    }
  }

  /// - Parameter picture: all bytes of the next picture.
  package func write(_ picture: UnsafeRawBufferPointer) throws(RetakeError) {
    do throws(RetakeError) {
      try patience.writeAll(picture, to: input.writing, path: name)
    } catch {
      if process.isRunning && patience.isOver { throw error }
      throw ended()
    }
  }

  /// After the last picture: waits until the file is whole.
  package func finish() throws(RetakeError) {
    input.closeWriting()
    guard case .status(0) = process.wait() else { throw ended() }
  }

  private func ended() -> RetakeError {
    input.closeWriting()
    process.wait()
    let reason = messages.lastLine?.replacingOccurrences(of: path, with: name) ?? "it said nothing"
    return RetakeError(
      .childProcess, "ffmpeg could not write \(name): \(reason)",
      hint: "check the path, its ending and the disk")
  }
}
