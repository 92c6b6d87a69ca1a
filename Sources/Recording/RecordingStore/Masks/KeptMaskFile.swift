import ChunkFormat
import Support

/// A chunk file of kept masks, `masks/KEY/000000.mcap` in a recording's folder. Masks have the
/// numbers of their colour frames.
struct KeptMaskFile {
  let key: String
  let number: Int
  let path: String

  /// Finished files, sorted by name.
  static func all(in folder: RecordingFolder, key: String) -> [KeptMaskFile] {
    let path = folder.masksPath(key: key)
    let names = (try? Folder.names(in: path)) ?? []
    return names.compactMap { name in
      guard name.hasSuffix(".mcap"), let number = Int(name.dropLast(".mcap".count)),
        (0..<RecordingFolder.largestFileNumber).contains(number), RecordingFolder.chunkFileName(number) == name
      else { return nil }
      return KeptMaskFile(key: key, number: number, path: path + "/" + name)
    }
  }

  /// - Returns: nil unless the file holds masks of this recording under its own file number.
  func stream(of identity: RecordingIdentity) -> KeptMaskStream? {
    let report = try? ChunkFileScan.run(path: path, isHeaderOnly: true) { _, _ in }
    return report.flatMap { stream($0, of: identity) }
  }

  func stream(_ report: ChunkFileScan.Report, of identity: RecordingIdentity) -> KeptMaskStream? {
    guard report.identity?.id == identity.id, report.fileNumber == number, report.streams.count == 1 else { return nil }
    return KeptMaskStream(key: key, report.streams[0])
  }

  /// The stated message count, limited to what the file's size can hold; 0 when unreadable.
  var messageCount: Int {
    guard var source = try? FileSource(path: path), let summary = try? MCAPSummary(of: &source) else { return 0 }
    return min(Int(clamping: summary.statistics?.messageCount ?? 0), byteCount / Self.leastByteCountOfAMask)
  }

  /// Smallest size of a mask: opcode, length and fixed fields of an MCAP message. Each mask is
  /// compressed on its own.
  private static let leastByteCountOfAMask = 31

  var byteCount: Int { (try? FileSource(path: path).byteCount ?? 0) ?? 0 }
}
