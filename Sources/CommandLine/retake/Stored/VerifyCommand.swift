import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Reads whole recordings and reports all damage.",
    discussion: """
      retake verify session.retake
      retake verify $(retake find ~/recordings 'started>2026-05-31')

      Checks the CRCs of chunk files, the checksums of frames, the index against the chunk files, and the order of times. \
      Changes nothing. Exits 0 when every recording is whole and 1 when one is not. Where - stands for a recording, standard \
      input names recordings, one a line.
      """)

  @Argument(help: ArgumentHelp("The recordings' folders.", valueName: "recording"), completion: .recording)
  var recordings: [String]
  @OptionGroup var output: JSONFlag
  @OptionGroup var messages: QuietFlag

  func run() throws {
    let paths = try RecordingPaths.expanded(recordings)
    var isWhole = true
    var reports: [JSONObject] = []
    for path in paths {
      let isOneOfMany = paths.count > 1
      do throws(RetakeError) {
        let report = try verified(path)
        if output.json {
          reports.append(Self.json(report, path: isOneOfMany ? path : nil))
        } else {
          try show(report, name: isOneOfMany ? "\(path): " : "")
        }
        isWhole = isWhole && report.isWhole
      } catch {
        // The others are verified too.
        guard isOneOfMany else { throw error }
        Terminal.report(error)
        reports.append(JSONObject(["path": path, "is_whole": false, "problem": error.message]))
        isWhole = false
      }
    }
    if output.json { try print(paths.count > 1 ? reports.map(\.versioned).jsonText : reports[0].versioned.text) }
    if !isWhole { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func verified(_ path: String) throws(RetakeError) -> Verification.Report {
    let source = try Recording(path: path)
    let bar = ProgressBar("verify", unit: "files", isQuiet: messages.quiet)
    defer { bar.end() }
    return try Verification.run(source, progress: bar.update)
  }

  private func show(_ report: Verification.Report, name: String) throws(RetakeError) {
    for problem in report.problems {
      let stream = problem.stream.isEmpty ? "" : " \(problem.stream)"
      let frame = problem.frame.map { " frame \($0)" } ?? ""
      try print("\(name)\(problem.chunkFile)\(stream)\(frame): \(problem.what)".printable)
    }
    if report.unlistedCount > 0 { try print("\(name)and \(report.unlistedCount) more") }
    for file in report.damagedChunkFiles {
      messages.say("\(name)chunks/\(file) holds data that a repair could not read; 'retake recover' retries it.")
    }
    let verdict = report.isWhole ? "whole" : "\(report.problems.count + report.unlistedCount) problems"
    let next = report.isWhole ? "" : "; 'retake recover' keeps all that is whole and counts the rest as lost"
    messages.say(
      "\(name)\(report.frameCount) frames in \(report.chunkFileCount) chunk files, \(Format.bytes(report.byteCount)): \(verdict)\(next)"
    )
  }

  private static func json(_ report: Verification.Report, path: String?) -> JSONObject {
    JSONObject([
      "path": path,
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
