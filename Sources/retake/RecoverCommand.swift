import ArgumentParser
import FrameModel
import RecordingStore

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Repairs a recording whose recorder was killed, and makes its index again.",
    discussion: """
      Finishes the chunk file that was being written with every whole frame in it, reads every frame of every chunk file \
      against its checksum, and replaces the index. Exits 0 when everything that had reached the disk is there, 3 when \
      something could not be brought back, 1 when nothing could.
      """)

  @Argument(help: "The recording's folder.") var recording: String
  @Flag(help: "Print what was done as JSON.") var json = false

  func run() throws {
    let report = try Recovery.run(path: recording)
    let streams = try Recording(path: recording).streams
    if json {
      var object = JSONObject()
      object.add("is_lossless", report.isLossless)
      object.add("chunk_files", report.chunkFileCount)
      object.add(
        "streams",
        zip(streams, report.frameCounts).map { stream, count in
          var entry = JSONObject()
          entry.add("name", stream.name)
          entry.add("frames", count)
          return entry
        })
      object.add("damage", report.damage)
      print(object.text)
    } else {
      let counts = Format.counts(streams, report.frameCounts)
      print("\(recording): \(report.chunkFileCount) chunk files, \(counts) frames")
      for sentence in report.damage { Terminal.say(sentence) }
    }
    if !report.isLossless { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }
}
