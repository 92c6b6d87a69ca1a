import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Reads a whole recording and reports all damage.",
    discussion: """
      retake verify session.retake

      Checks the CRCs of chunk files, the checksums of frames, the index against the chunk files, and the order of times. \
      Changes nothing. Exits 0 when the recording is whole and 1 when it is not.
      """)

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @OptionGroup var output: JSONFlag
  @OptionGroup var messages: QuietFlag

  func run() throws {
    let source = try Recording(path: recording)
    let bar = ProgressBar("verify", unit: "files", isQuiet: messages.quiet)
    let report = try Verification.run(source, progress: bar.update)
    bar.end()
    if output.json {
      try print(Self.json(report).versioned.text)
    } else {
      for problem in report.problems {
        let stream = problem.stream.isEmpty ? "" : " \(problem.stream)"
        let frame = problem.frame.map { " frame \($0)" } ?? ""
        try print("\(problem.chunkFile)\(stream)\(frame): \(problem.what)".printable)
      }
      if report.unlistedCount > 0 { try print("and \(report.unlistedCount) more") }
      for name in report.damagedChunkFiles {
        messages.say("chunks/\(name) holds data that a repair could not read; 'retake recover' retries it.")
      }
      let verdict = report.isWhole ? "whole" : "\(report.problems.count + report.unlistedCount) problems"
      messages.say(
        "\(report.frameCount) frames in \(report.chunkFileCount) chunk files, \(Format.bytes(report.byteCount)): \(verdict)"
      )
    }
    if !report.isWhole { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private static func json(_ report: Verification.Report) -> JSONObject {
    JSONObject([
      "is_whole": report.isWhole,
      "frames": report.frameCount,
      "chunk_files": report.chunkFileCount,
      "bytes": report.byteCount,
      "unlisted_problems": report.unlistedCount,
      "damaged_files": report.damagedChunkFiles,
      "problems": report.problems.map { problem in
        JSONObject([
          "chunk_file": problem.chunkFile,
          "stream": problem.stream,
          "frame": problem.frame,
          "what": problem.what,
        ])
      },
    ])
  }
}
