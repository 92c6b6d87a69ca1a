import Glibc
import Support

/// What somebody took away from a recording while it was being recorded. A process goes on writing to such files, so
/// nothing fails where they were, or errors follow that name other files.
struct RemovedFiles {
  /// By stream, the frames of chunk files that are gone.
  private(set) var frameCounts: [Int]
  private var names: [String] = []
  private let folder: RecordingFolder

  /// - Parameter unfinished: what the index lacks.
  init(
    from folder: RecordingFolder, _ index: IndexDatabase, unfinished: [IndexBatch], streamCount: Int,
    on fileSystem: any FileSystem
  ) throws(RetakeError) {
    self.folder = folder
    frameCounts = Array(repeating: 0, count: streamCount)
    let present = Set(try fileSystem.names(in: folder.chunksPath).map { $0.prefix { $0 != "." } })
    func isGone(_ file: Int) -> Bool { !present.contains(RecordingFolder.chunkFileName(file).prefix { $0 != "." }) }
    var gone: Set<Int> = []
    for sum in try index.frameCountsOfFiles() where isGone(sum.file) {
      gone.insert(sum.file)
      frameCounts[sum.stream] += sum.count
    }
    for batch in unfinished {
      guard let file = batch.chunkFile?.number, isGone(file) else { continue }
      gone.insert(file)
      for frame in batch.frames { frameCounts[frame.stream] += 1 }
    }
    names = gone.sorted().map(RecordingFolder.chunkFileName)
    if access(folder.indexPath, F_OK) != 0, errno == ENOENT { names.append("index.sqlite") }
  }

  /// Nil if nothing is gone.
  var error: RetakeError? {
    guard let first = names.first else { return nil }
    let others = names.count > 1 ? " and \(names.count - 1) more" : ""
    return RetakeError(
      .notFound,
      "\(first)\(others) of \(folder.path) \(names.count > 1 ? "were" : "was") removed while it was being recorded.",
      hint: "'retake recover' makes the rest readable")
  }
}
