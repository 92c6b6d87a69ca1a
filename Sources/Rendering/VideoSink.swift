import Foundation
import FrameModel
import MattePipeline

/// A video file, encoded by ffmpeg as a child process that is fed raw RGB. The file's ending picks its container.
package final class VideoSink: RenderSink {
  private let process = Process()
  private let input = Pipe()
  private let messages: URL
  private let path: String
  private let tap: Tap
  private var rgb: [UInt8]

  /// - Throws: `.childProcess` when there is no ffmpeg.
  package init(path: String, tap: Tap, format: PipelineFormat, rate: FrameRate) throws(RetakeError) {
    guard let program = Self.findProgram("ffmpeg") else {
      throw RetakeError(
        .childProcess, "Video files need ffmpeg, which is not installed.", hint: "apt-get install ffmpeg")
    }
    let (width, height) = tap.size(format)
    self.path = path
    self.tap = tap
    rgb = [UInt8](repeating: 0, count: width * height * 3)
    messages = FileManager.default.temporaryDirectory.appendingPathComponent(
      "retake-ffmpeg-\(UUID().uuidString).log")
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pixel_format", "rgb24",
      "-video_size", "\(width)x\(height)", "-framerate", rate.description, "-i", "pipe:0",
      // Players want even sides and 4:2:0.
      "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-preset",
      "veryfast", "file:\(path)",
    ]
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

  deinit { try? FileManager.default.removeItem(at: messages) }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    rgb.withUnsafeMutableBufferPointer { tap.draw(output, into: $0.baseAddress!) }
    let descriptor = input.fileHandleForWriting.fileDescriptor
    do throws(RetakeError) {
      try rgb.withRawBytes { bytes throws(RetakeError) in
        try FileBytes.writeAll(bytes, to: descriptor, path: path)
      }
    } catch {
      throw ended()
    }
  }

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
      .childProcess, "ffmpeg could not write \(path): \(last)", hint: "check the path, its ending and the disk")
  }

  private static func findProgram(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
