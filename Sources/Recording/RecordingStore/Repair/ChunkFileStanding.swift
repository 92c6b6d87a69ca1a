import ChunkFormat
import FrameModel
import Support

/// The chunk files of a recording as a repair finds them.
package struct ChunkFileStanding {
  /// Names of the regular files in the chunks folder.
  private(set) var names: [String] = []
  private(set) var finished: [Int] = []
  /// Paths to copy from, by number, for files that the repair must finish.
  private(set) var unfinished: [Int: String] = [:]
  private(set) var identity: RecordingIdentity?
  private(set) var streams: [StreamDescription] = []
  /// Files that state a later version, by path. A repair leaves them as they are.
  private(set) var newer: [String: RetakeError] = [:]
  /// Paths, by number, of files that an earlier repair could not read completely and kept.
  private(set) var damaged: [Int: String] = [:]
  /// Other files in the folder; finished ones among them are not in `finished`. At most `strayLimit`.
  private(set) var strays: [StrayFile] = []
  private static let strayLimit = 100

  /// For a partial file that could not be copied completely: a later version may read more of it.
  static let damagedSuffix = PartialFile.suffix + ".damaged"

  /// - Throws: `.unsupported` when a later version made the recording.
  package init(_ folder: RecordingFolder) throws(RetakeError) {
    let allNames = try folder.chunkFileNames()
    names = allNames.filter { !RecordingFolder.isNoFile(folder.chunksPath + "/" + $0) }
    finished = Self.numbers(names, suffix: "")
    let known = Set(finished)
    for number in Self.numbers(names, suffix: Self.damagedSuffix) {
      damaged[number] = folder.chunkFilePath(number) + Self.damagedSuffix
    }
    for number in Self.numbers(names, suffix: PartialFile.suffix) where !known.contains(number) {
      unfinished[number] = folder.chunkFilePath(number) + PartialFile.suffix
    }
    // An earlier repair was interrupted before it finished the copy, or could read nothing.
    for (number, path) in damaged where !known.contains(number) && unfinished[number] == nil {
      unfinished[number] = path
    }
    try readHeaders(folder, allNames)
  }

  static func numbers(_ names: [String], suffix: String) -> [Int] {
    names.compactMap { number($0, suffix: suffix) }.sorted()
  }

  /// The number in a chunk file's name; nil for another file's.
  static func number(_ name: String, suffix: String = "") -> Int? {
    guard name.hasSuffix(".mcap" + suffix), let number = Int(name.dropLast(5 + suffix.count)),
      (0...RecordingFolder.largestFileNumber).contains(number), RecordingFolder.chunkFileName(number) + suffix == name
    else { return nil }
    return number
  }

  var numbers: [Int] { (finished + unfinished.keys).sorted() }

  /// Makes a finished file unfinished, to be copied again from its damaged source, which may be the file itself.
  mutating func copyAgain(_ number: Int, from path: String) {
    finished.removeAll { $0 == number }
    strays.removeAll { $0.name == RecordingFolder.chunkFileName(number) }
    unfinished[number] = path
  }

  /// Where no file describes itself, the index does, if it is of a file that has frames.
  private func describedByIndex(
    _ folder: RecordingFolder
  ) throws(RetakeError) -> (RecordingIdentity, [StreamDescription])? {
    guard let (identity, streams) = try IndexDatabase.description(at: folder.indexPath) else { return nil }
    for number in numbers {
      let recording = ChunkFileScan.Header(identity: identity, streams: streams, fileNumber: number)
      let path = unfinished[number] ?? folder.chunkFilePath(number)
      if try ChunkFileScan.hasFrames(path, of: recording) { return (identity, streams) }
    }
    return nil
  }

  /// Takes identity and streams from the description that most files have; on a tie, the first.
  private mutating func readHeaders(_ folder: RecordingFolder, _ allNames: [String]) throws(RetakeError) {
    var candidates: [(identity: RecordingIdentity, streams: [StreamDescription], count: Int)] = []
    /// Of each file in its place, the candidate that it describes.
    var described: [Int: Int] = [:]
    for number in numbers {
      let path = unfinished[number] ?? folder.chunkFilePath(number)
      let header: ChunkFileScan.Report
      do throws(RetakeError) { header = try ChunkFileScan.header(path) } catch {
        // A folder, say.
        guard error.code == .corrupt else { throw error }
        continue
      }
      if let error = header.newerFormat { newer[path] = error }
      guard let identity = header.identity, !header.streams.isEmpty else { continue }
      let known = candidates.firstIndex { $0.identity == identity && $0.streams == header.streams }
      if known == nil { candidates.append((identity, header.streams, 0)) }
      let place = known ?? candidates.count - 1
      candidates[place].count += 1
      if header.fileNumber == number { described[number] = place }
    }
    let most = candidates.map(\.count).max() ?? 0
    // As many newer files as of any one recording mean a newer recording. Fewer are damage.
    if newer.count >= max(1, most), let error = newer.min(by: { $0.key < $1.key })?.value { throw error }
    let chosen = candidates.firstIndex { $0.count == most }
    var found = chosen.map { (candidates[$0].identity, candidates[$0].streams) }
    if found == nil { found = try describedByIndex(folder) }
    guard let (identity, streams) = found else { return }
    (self.identity, self.streams) = (identity, streams)
    finished.removeAll { described[$0] == nil || described[$0] != chosen }
    let ours = Set(finished)
    let suffixes = [PartialFile.suffix, PartialFile.recoveringSuffix, Self.damagedSuffix]
    let files = Set(names)
    for name in allNames.sorted() where strays.count < Self.strayLimit {
      if let number = Self.number(name), ours.contains(number) { continue }
      let isUnfinished = suffixes.contains { Self.number(name, suffix: $0) != nil }
      guard !isUnfinished || !files.contains(name) else { continue }
      if let stray = try StrayFile(name, in: folder, of: identity, streams) { strays.append(stray) }
    }
  }
}
