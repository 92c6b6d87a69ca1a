import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Repairs recordings whose recorder was killed, and rebuilds their indexes.",
    discussion: """
      retake recover session.retake
      retake find . is:unfinished | retake recover -

      Finishes the unfinished chunk file with every complete frame in it, checks every frame of every chunk file against its \
      checksum, and replaces the index. Retries data that an earlier repair could not read and kept. Exits 0 when everything \
      that had reached the disk is there, or nothing had been recorded yet; 3 when chunk files are damaged, even where every \
      frame is whole; 1 when nothing could be recovered, or when a read or write failed: run it again then, nothing is lost.
      """)

  @Argument(
    help: ArgumentHelp("The recordings' folders; - reads them from standard input.", valueName: "recording"),
    completion: .recording)
  var recordings: [String]
  @OptionGroup var summary: SummaryFlag

  func run() throws {
    let ending = EndingSignal("nothing is lost, and 'retake recover' starts again.")
    defer { withExtendedLifetime(ending) {} }
    let paths = try RecordingPaths.expanded(recordings)
    var reports: [JSONObject] = []
    var worst = ExitStatus.done
    for path in paths {
      do throws(RetakeError) {
        let (report, json) = try recovered(path, isOneOfMany: paths.count > 1)
        reports.append(json)
        if !report.isLossless && worst == .done { worst = .doneWithLoss }
      } catch {
        // The others are repaired too.
        guard paths.count > 1 else { throw error }
        Terminal.report(error)
        reports.append(Self.json(Repair.Report(), path: path, damage: [error.message]))
        worst = .failed
      }
    }
    if summary.json { try print(paths.count > 1 ? reports.map(\.versioned).jsonText : reports[0].versioned.text) }
    if worst != .done { throw ExitCode(worst.rawValue) }
  }

  private func recovered(_ path: String, isOneOfMany: Bool) throws(RetakeError) -> (Repair.Report, JSONObject) {
    let bar = ProgressBar.repair(isQuiet: false)
    let report = try Repair.run(path: path, progress: bar.update)
    bar.end()
    let source = report.chunkFileCount > 0 ? try Recording(path: path) : nil
    let streams = source?.streams ?? []
    if source == nil && !summary.json {
      Terminal.say("\(path): nothing had been recorded yet; 'retake record' can record into it.")
    } else if !summary.json {
      let counts = Format.counts(streams, report.frameCounts)
      try print("\(path): \(Format.counted(report.chunkFileCount, "chunk file")), \(counts) frames")
      for sentence in report.damage { Terminal.say(sentence) }
    }
    let damagedFiles = try source?.damagedChunkFiles() ?? []
    return (
      report,
      Self.json(
        report, path: isOneOfMany ? path : nil, streams, damage: report.damage, damagedFiles: damagedFiles)
    )
  }

  private static func json(
    _ report: Repair.Report, path: String?, _ streams: [StreamDescription] = [], damage: [String],
    damagedFiles: [String] = []
  ) -> JSONObject {
    JSONObject([
      "path": path,
      "is_lossless": damage.isEmpty,
      "chunk_files": report.chunkFileCount,
      "streams": zip(streams, report.frameCounts).map { JSONObject(["name": $0.name, "frames": $1]) },
      "damage": damage,
      "damaged_files": damagedFiles,
    ])
  }
}
