import ArgumentParser
import Interchange
import RecordingStore
import Support

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Reads whole recordings and reports all damage.",
    discussion: """
      retake verify session.retake
      retake find ~/recordings 'started>2026-05-31' | retake verify -
      retake verify session.retake --write-manifest session.sha256
      retake verify /mnt/archive/session.retake --manifest session.sha256

      Checks the CRCs of chunk files, the checksums of frames, the index against the chunk files, and the order of times. \
      Changes nothing. Exits 0 when every recording is whole and 1 when one is not. Where - stands for a recording, standard \
      input names recordings, one a line.

      A manifest has SHA-256 sums of all files in the recording's folder, in the format of sha256sum: 'sha256sum -c' in that \
      folder and 'rclone checksum sha256' take it too. --manifest also finds what the recording's own checksums cannot: a file \
      that was replaced, added or removed as a whole.
      """)

  @Argument(help: ArgumentHelp("The recordings' folders.", valueName: "recording"), completion: .recording)
  var recordings: [String]
  @Option(help: ArgumentHelp("Compare the files with the checksums in a file.", valueName: "file"), completion: .file())
  var manifest: String?
  @Option(help: ArgumentHelp("Write the checksums of a whole recording.", valueName: "file"), completion: .file())
  var writeManifest: String?
  @OptionGroup var existing: ExistingFiles
  @OptionGroup var output: JSONFlag
  @OptionGroup var messages: QuietFlag

  func run() throws {
    let ending = EndingSignal("the rest was not verified.")
    defer { withExtendedLifetime(ending) {} }
    let paths = try RecordingPaths.expanded(recordings)
    guard paths.count == 1 || manifest == nil && writeManifest == nil else {
      throw RetakeError(.usage, "A manifest is of one recording.", hint: "verify the recordings one after the other")
    }
    if let writeManifest { try existing.check(writeManifest) }
    let stated = try manifest.map { path throws(RetakeError) in try ChecksumManifest(reading: path) }
    var isWhole = true
    var reports: [JSONObject] = []
    for path in paths {
      let isOneOfMany = paths.count > 1
      do throws(RetakeError) {
        let report = try verified(path, against: stated)
        if output.json {
          reports.append(Self.json(report, path: isOneOfMany ? path : nil))
        } else {
          try show(report, path, name: isOneOfMany ? "\(path): " : "")
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

  private func verified(_ path: String, against stated: ChecksumManifest?) throws(RetakeError) -> Verification.Report {
    // Before the recording is opened, which may repair it.
    let differences = try stated?.differences(from: sums(path, except: manifest ?? "")) ?? []
    let source = try Recording(path: path)
    let bar = ProgressBar("verify", unit: "files", isQuiet: messages.quiet)
    defer { bar.end() }
    var report = try Verification.run(source, progress: bar.update)
    for difference in differences.reversed() { report.addFirst(difference.path, difference.what) }
    guard let writeManifest else { return report }
    guard report.isWhole else {
      messages.say("\(writeManifest) was not written: \(path) is not whole.")
      return report
    }
    try Folder.makeParent(of: writeManifest)
    try FileBytes.write(Array(try sums(path, except: writeManifest).text.utf8), to: writeManifest)
    return report
  }

  private func sums(_ path: String, except manifest: String) throws(RetakeError) -> ChecksumManifest {
    let bar = ProgressBar("checksums", unit: "files", isQuiet: messages.quiet)
    defer { bar.end() }
    return try ChecksumManifest(of: path, except: manifest, progress: bar.update)
  }

  private func show(_ report: Verification.Report, _ path: String, name: String) throws(RetakeError) {
    for run in Self.runs(report.problems) {
      let (problem, last) = (run.first, run.last)
      let frame = problem.frame.map { $0 == last ? "frame \($0)" : "frames \($0) to \(last ?? $0)" } ?? ""
      let place = [problem.chunkFile, problem.stream, frame].filter { !$0.isEmpty }.joined(separator: " ")
      try print("\(name)\(place)\(place.isEmpty ? "" : ": ")\(problem.what)".printable)
    }
    if report.unlistedCount > 0 { try print("\(name)and \(report.unlistedCount) more") }
    for file in report.damagedChunkFiles {
      messages.say("\(name)chunks/\(file) holds data that a repair could not read; 'retake recover' retries it.")
    }
    let verdict = report.isWhole ? "whole" : Format.counted(report.problems.count + report.unlistedCount, "problem")
    messages.say(
      "\(name)\(Format.counted(report.frameCount, "frame")) in \(Format.counted(report.chunkFileCount, "chunk file")), \(Format.bytes(report.byteCount)): \(verdict)\(Self.next(report, ShellWord.quoted(path)))"
    )
  }

  /// The next step, after a semicolon; empty for a whole recording.
  private static func next(_ report: Verification.Report, _ path: String) -> String {
    if report.isWhole { return "" }
    if report.fileDifferenceCount == report.problems.count + report.unlistedCount {
      return "; by its own checksums the recording is whole: only its files are not those of the manifest"
    }
    if report.missingChunkFileCount > report.renamedCount {
      let copy = "; restore the chunks folder from a copy"
      return report.frameCount == 0 ? copy : copy + ", or 'retake recover \(path)' counts the missing frames as lost"
    }
    if report.strayCount + report.missingChunkFileCount == report.problems.count + report.unlistedCount {
      return report.renamedCount > 0
        ? "; with the names that they had, all chunk files are there" : "; every frame that it lists is whole"
    }
    if report.renamedCount > 0 { return "; give the renamed chunk files their own names first" }
    // A repair has been there: what it could not read stays in the file, and is in no replay.
    let isKnown = report.problems.allSatisfy { $0.isLeftOut || ($0.frame == nil && !$0.chunkFile.isEmpty) }
    return isKnown
      ? "; every frame that it lists is whole, and 'retake trim \(path) --from 0 -o NEW.retake' copies them without the rest"
      : "; 'retake recover \(path)' keeps all that is whole and counts the rest as lost"
  }

  /// Problems of frames that follow each other, as one.
  private static func runs(_ problems: [Verification.Problem]) -> [(first: Verification.Problem, last: Int?)] {
    var runs: [(first: Verification.Problem, last: Int?)] = []
    // By problem without its frame, since the streams' frames alternate.
    var latest: [Verification.Problem: Int] = [:]
    for problem in problems {
      var kind = problem
      kind.frame = nil
      if let place = latest[kind], let frame = problem.frame, runs[place].last == frame - 1 {
        runs[place].last = frame
      } else {
        latest[kind] = runs.count
        runs.append((problem, problem.frame))
      }
    }
    return runs
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
