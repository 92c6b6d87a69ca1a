import Foundation
import FrameModel

/// ffmpeg as a child process that is fed pictures and makes a video file of them.
package final class FFmpegProcess {
  private let process = Process()
  private let input = Pipe()
  private let messages: URL
  private let name: String

  /// - Parameters:
  ///   - path: the file to make; one that is there is written over.
  ///   - name: of the file, for errors: what the user called it.
  /// - Throws: `.childProcess` when there is no ffmpeg.
  package init(_ video: RawVideo, _ encoding: VideoEncoding, to path: String, name: String) throws(RetakeError) {
    guard let program = Self.findProgram("ffmpeg") else {
      throw RetakeError(
        .childProcess, "Video files need ffmpeg, which is not installed.", hint: "apt-get install ffmpeg")
    }
    self.name = name
    messages = FileManager.default.temporaryDirectory.appendingPathComponent(
      "retake-ffmpeg-\(UUID().uuidString).log")
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments =
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + video.arguments + encoding.arguments(video)
      + ["file:\(path)"]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    do {
      try Data().write(to: messages)
      process.standardError = try FileHandle(forWritingTo: messages)
      try process.run()
    } catch {
      throw RetakeError(.childProcess, "ffmpeg could not be started: \(error.localizedDescription).")
    }
    try? input.fileHandleForReading.close()  // the child's end: without it a dead child is noticed
  }

  deinit {
    if process.isRunning {
      // Somebody gave up on the file: nothing may write to it any more. While it waits for input it hears no signal.
      try? input.fileHandleForWriting.close()
      process.terminate()
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: messages)
  }

  /// - Parameter picture: all bytes of the next picture.
  package func write(_ picture: UnsafeRawBufferPointer) throws(RetakeError) {
    do throws(RetakeError) {
      try FileBytes.writeAll(picture, to: input.fileHandleForWriting.fileDescriptor, path: name)
    } catch {
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
    let said = (try? String(contentsOf: messages, encoding: .utf8)) ?? ""
    let last = said.split(separator: "\n").last.map(String.init) ?? "it said nothing"
    return RetakeError(
      .childProcess, "ffmpeg could not write \(name): \(last)", hint: "check the path, its ending and the disk")
  }

  static func findProgram(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
