import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Repairs a recording whose recorder was killed, and rebuilds its index.",
    discussion: """
      retake recover session.retake

      Finishes the unfinished chunk file with every complete frame in it, checks every frame of every chunk file against its \
      checksum, and replaces the index. Retries data that an earlier repair could not read and kept. Exits 0 when everything \
      that had reached the disk is there, or nothing had been recorded yet; 3 when some of it could not be recovered; 1 when \
      nothing could, or when a read or write failed: run it again then, nothing is lost.
      """)

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @OptionGroup var summary: SummaryFlag

  func run() throws {
    let bar = ProgressBar.repair(isQuiet: false)
    let report = try Repair.run(path: recording, progress: bar.update)
    bar.end()
    let source = report.chunkFileCount > 0 ? try Recording(path: recording) : nil
    let streams = source?.streams ?? []
    let damagedFiles = try source?.damagedChunkFiles() ?? []
    if summary.json {
      try print(
        JSONObject([
          "is_lossless": report.isLossless,
          "chunk_files": report.chunkFileCount,
          "streams": zip(streams, report.frameCounts).map { JSONObject(["name": $0.name, "frames": $1]) },
          "damage": report.damage,
          "damaged_files": damagedFiles,
        ]).versioned.text)
    } else {
      guard source != nil else {
        return Terminal.say("\(recording): nothing had been recorded yet; 'retake record' can record into it.")
      }
      let counts = Format.counts(streams, report.frameCounts)
      try print("\(recording): \(report.chunkFileCount) chunk files, \(counts) frames")
      for sentence in report.damage { Terminal.say(sentence) }
    }
    if !report.isLossless { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }
}
