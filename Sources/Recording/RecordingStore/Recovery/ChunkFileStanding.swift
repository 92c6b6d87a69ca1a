import ChunkFormat
import FrameModel
import Support

/// The chunk files of a recording as a repair finds them: which are finished, which are to be finished, and of which
/// recording they say they are.
struct ChunkFileStanding {
  /// Numbers, in order.
  private(set) var finished: [Int] = []
  /// Numbers of files that are to be finished, and where what can be copied of each lies.
  private(set) var unfinished: [Int: String] = [:]
  private(set) var identity: RecordingIdentity?
  private(set) var streams: [StreamDescription] = []
  /// Files that say that a later version wrote them: a repair leaves them as they are.
  private(set) var newer: [String: RetakeError] = [:]
  /// What a repair could not read and kept.
  private(set) var damaged: [Int: String] = [:]

  /// What a partial file is renamed to when not all of it could be copied: it may hold more than this version can read.
  static let damagedSuffix = PartialFile.suffix + ".damaged"

  /// - Throws: `.unsupported` when a later version made the recording; when a file cannot be read.
  init(_ folder: RecordingFolder) throws(RetakeError) {
    let names = try folder.chunkFileNames()
    finished = Self.numbers(names, suffix: "")
    let known = Set(finished)
    for number in Self.numbers(names, suffix: Self.damagedSuffix) {
      damaged[number] = folder.chunkFilePath(number) + Self.damagedSuffix
    }
    for number in Self.numbers(names, suffix: PartialFile.suffix) where !known.contains(number) {
      unfinished[number] = folder.chunkFilePath(number) + PartialFile.suffix
    }
    // Interrupted between keeping it and finishing its copy, or nothing of it could be read.
    for (number, path) in damaged where !known.contains(number) && unfinished[number] == nil {
      unfinished[number] = path
    }
    try readHeaders(folder)
  }

  /// Numbers of the files `NNNNNN.mcap` with a suffix, in order.
  static func numbers(_ names: [String], suffix: String) -> [Int] {
    names.compactMap { name in
      guard name.hasSuffix(".mcap" + suffix), let number = Int(name.dropLast(5 + suffix.count)),
        (0...RecordingFolder.largestFileNumber).contains(number), RecordingFolder.chunkFileName(number) + suffix == name
      else { return nil }
      return number
    }.sorted()
  }

  /// All numbers, in order.
  var numbers: [Int] { (finished + unfinished.keys).sorted() }

  /// Makes a file that was finished one that is to be copied from what was kept of it.
  mutating func copyAgain(_ number: Int, from path: String) {
    finished.removeAll { $0 == number }
    unfinished[number] = path
  }

  /// What most of the files say of the recording they belong to; of equally many, the first.
  private mutating func readHeaders(_ folder: RecordingFolder) throws(RetakeError) {
    var candidates: [(identity: RecordingIdentity, streams: [StreamDescription], count: Int)] = []
    for number in numbers {
      let path = unfinished[number] ?? folder.chunkFilePath(number)
      let header = try ChunkFileScan.run(path: path, isHeaderOnly: true) { _, _ in }
      if let error = header.newerFormat { newer[path] = error }
      guard let identity = header.identity, !header.streams.isEmpty else { continue }
      if let known = candidates.firstIndex(where: { $0.identity == identity && $0.streams == header.streams }) {
        candidates[known].count += 1
      } else {
        candidates.append((identity, header.streams, 1))
      }
    }
    let most = candidates.map(\.count).max() ?? 0
    // Newer files that are at least as many as those of any one recording: the recording is newer. Fewer are damage.
    if newer.count >= max(1, most), let error = newer.min(by: { $0.key < $1.key })?.value { throw error }
    guard let found = candidates.first(where: { $0.count == most }) else { return }
    (identity, streams) = (found.identity, found.streams)
  }
}
