import Foundation
import FrameModel

/// ffmpeg as a child process that is fed pictures and makes a video file of them.
package final class FFmpegProcess {
  private let process = Process()
  private let input = Pipe()
  private let messages: ChildMessages
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
    self.name = name
    self.patience = patience
    messages = try ChildMessages()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments =
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + video.arguments + encoding.arguments(video)
      + ["file:\(path)"]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = messages.handle
    do { try process.run() } catch {
      throw RetakeError(.childProcess, "ffmpeg could not be started: \(error.localizedDescription).")
    }
    try? input.fileHandleForReading.close()  // the child's end: without it a dead child is noticed
  }

  deinit {
    if process.isRunning {
      // Somebody gave up on the file: nothing may write to it any more. While it waits for input it hears no signal.
      try? input.fileHandleForWriting.close()
      process.terminate()
      // What took nothing until patience was over may hear nothing else either.
      if patience.isOver { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }
  }

  /// - Parameter picture: all bytes of the next picture.
  package func write(_ picture: UnsafeRawBufferPointer) throws(RetakeError) {
    do throws(RetakeError) {
      try patience.writeAll(picture, to: input.fileHandleForWriting.fileDescriptor, path: name)
    } catch {
      if process.isRunning && patience.isOver { throw error }
      throw ended()
    }
  }

  /// After the last picture: waits until the file is whole.
  package func finish() throws(RetakeError) {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ended() }
  }

  private func ended() -> RetakeError {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    return RetakeError(
      .childProcess, "ffmpeg could not write \(name): \(messages.lastLine ?? "it said nothing")",
      hint: "check the path, its ending and the disk")
  }
}
