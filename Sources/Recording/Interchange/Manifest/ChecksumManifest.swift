import Glibc
import Media
import RecordingStore
import Support

/// SHA-256 sums of the files in a recording's folder, as `sha256sum` writes and checks them. Paths are relative to the
/// folder and ordered by their bytes.
package struct ChecksumManifest: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var path: String
    /// 64 hexadecimal digits.
    package var sum: String
  }

  package private(set) var entries: [Entry] = []

  private static let entryLimit = 1_000_000
  private static let largestByteCount = 256 << 20
  private static let batchCount = 64
  /// Files that SQLite makes and removes beside a database.
  private static let passing = ["-wal", "-shm", "-journal"]

  package var text: String { entries.map { "\($0.sum)  \($0.path)\n" }.joined() }

  /// Reads a manifest.
  /// - Throws: `.corrupt` with the line for anything but sums and relative paths.
  package init(reading path: String) throws(RetakeError) {
    let bytes = try FileBytes.read(path, limit: Self.largestByteCount)
    var seen: Set<String> = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where !line.isEmpty {
      guard let entry = Self.entry(line), seen.insert(entry.path).inserted, entries.count < Self.entryLimit else {
        throw RetakeError(
          .corrupt, "\(path) is not a list of SHA-256 sums with relative paths: line \(number + 1).",
          hint: "write one with 'retake verify REC --write-manifest FILE', or with sha256sum in the recording's folder")
      }
      entries.append(entry)
    }
    guard !entries.isEmpty else {
      throw RetakeError(.corrupt, "\(path) has no checksums.", hint: "check that it is the right file")
    }
  }

  /// A line such as "e3b0…  chunks/000000.mcap"; an asterisk may stand for the second space.
  private static func entry(_ line: ArraySlice<UInt8>) -> Entry? {
    let (sum, rest) = (line.prefix(64), line.dropFirst(64))
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard sum.count == 64,
      sum.allSatisfy({ digits.contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }),
      rest.starts(with: [0x20, 0x20]) || rest.starts(with: [0x20, 0x2A]),
      var path = String(validating: rest.dropFirst(2), as: UTF8.self)
    else { return nil }
    if path.hasPrefix("./") { path.removeFirst(2) }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    return Entry(path: path, sum: String(decoding: sum, as: UTF8.self))
  }

  /// Reads every file of a recording.
  /// - Parameters:
  ///   - other: the manifest's own path, which is left out if it is in the folder.
  ///   - progress: files done and in total.
  package init(
    of folder: String, except other: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(RetakeError) {
    var paths: [String] = []
    try Self.list(folder, "", depth: 4, &paths)
    var (own, status) = (stat(), stat())
    if stat(other, &own) == 0 {
      paths.removeAll {
        stat("\(folder)/\($0)", &status) == 0 && status.st_ino == own.st_ino && status.st_dev == own.st_dev
      }
    }
    paths.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for start in stride(from: 0, to: paths.count, by: Self.batchCount) {
      let batch = paths[start..<min(paths.count, start + Self.batchCount)]
      let child = try ChildReader(
        "sha256sum", ["-z", "--"] + batch.map { "\(folder)/\($0)" },
        missing: "Checksums need sha256sum, which is not installed.")
      let sums = try child.readAll(limit: Self.largestByteCount).split(separator: 0).map { $0.prefix(64) }
      _ = try child.finish()
      guard sums.count == batch.count, sums.allSatisfy({ $0.count == 64 }) else {
        throw RetakeError(.childProcess, "sha256sum returned an unexpected list for \(folder).")
      }
      for (path, sum) in zip(batch, sums) {
        entries.append(Entry(path: path, sum: String(decoding: sum, as: UTF8.self)))
      }
      progress(entries.count, paths.count)
    }
  }

  private static func list(_ folder: String, _ prefix: String, depth: Int, _ paths: inout [String]) throws(RetakeError)
  {
    for name in try Folder.names(in: prefix.isEmpty ? folder : "\(folder)/\(prefix)") {
      let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
      var status = stat()
      guard lstat("\(folder)/\(path)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR, depth > 0 { try list(folder, path, depth: depth - 1, &paths) }
      guard status.st_mode & S_IFMT == S_IFREG, !passing.contains(where: name.hasSuffix), !name.contains("\n") else {
        continue
      }
      paths.append(path)
      guard paths.count <= entryLimit else {
        throw RetakeError(.unsupported, "\(folder) has more than \(entryLimit) files.", hint: "check the folder")
      }
    }
  }

  /// What differs from the files as they are now, a path and a sentence each.
  package func differences(from now: ChecksumManifest) -> [(path: String, what: String)] {
    let found = Dictionary(uniqueKeysWithValues: now.entries.map { ($0.path, $0.sum) })
    let known = Set(entries.map(\.path))
    return entries.compactMap { entry in
      guard let sum = found[entry.path] else { return (entry.path, "The file is in the manifest, but not there.") }
      return sum == entry.sum ? nil : (entry.path, "The file differs from the manifest.")
    } + now.entries.filter { !known.contains($0.path) }.map { ($0.path, "The file is not in the manifest.") }
  }
}
