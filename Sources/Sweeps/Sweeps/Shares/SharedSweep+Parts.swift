import FrameModel
import Glibc
import Support

extension SharedSweep {
  /// How far a part is, as of its last copy.
  package struct PartProgress: Hashable, Sendable {
    package var runCount: Int
    package var doneCount: Int
    package var isWhole: Bool { doneCount >= runCount }

    package init(runCount: Int, doneCount: Int) { (self.runCount, self.doneCount) = (runCount, doneCount) }
  }

  private static let progressByteLimit = 1000

  private func progressPath(_ number: Int) -> String { "\(partsFolder)/part-\(number).progress" }

  /// Notes how far a part is, so that nobody has to open its results to know.
  package func writeProgress(_ progress: PartProgress, of number: Int) throws(RetakeError) {
    try FileBytes.write(Array("\(progress.doneCount) of \(progress.runCount)\n".utf8), to: progressPath(number))
  }

  /// Nil for a part without results yet.
  package func progress(of number: Int) -> PartProgress? {
    guard access(partPath(number), F_OK) == 0,
      let bytes = try? FileBytes.read(progressPath(number), limit: Self.progressByteLimit)
    else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let done = Int(words[0]), let all = Int(words[2]), done >= 0, all >= done else {
      return nil
    }
    return PartProgress(runCount: all, doneCount: done)
  }

  /// Notes whether a start of the part finished any run.
  /// - Returns: whether this one and the one before it finished none.
  package func isVainAgain(_ isVain: Bool, part number: Int) throws(RetakeError) -> Bool {
    let note = "\(partsFolder)/part-\(number).vain"
    guard isVain else {
      unlink(note)
      return false
    }
    if access(note, F_OK) == 0 { return true }
    try FileBytes.write(Array("The last start finished no run.\n".utf8), to: note)
    return false
  }

  /// Whether somebody has begun the part and not ended it; perhaps it was killed.
  package func isMarked(_ number: Int) -> Bool { access(ScratchMark.path(of: partPath(number)), F_OK) == 0 }

  /// Merges the parts that there are into a file that appears by a rename.
  ///
  /// SQLite works on copies in `scratch`, since a share's locks may not work.
  /// - Parameters:
  ///   - expected: of the parts, if it is not what was submitted.
  ///   - ledger: a file of a search that the parts are added to a copy of.
  /// - Throws: `.usage` for a part of another sweep or version; `.corrupt` for one that is damaged.
  package func merge(
    into path: String, replacing: Bool, scratch: String, expected: SweepIdentity? = nil, onto ledger: String? = nil
  ) throws(RetakeError) -> MergeReport {
    guard replacing || !FileReplacement.replaces(path) else { throw ResultsLock.exists(path) }
    let folder = "\(scratch)/retake-merge-\(getpid())"
    try Folder.makeEmpty(folder, permissions: 0o700)
    defer {
      for name in (try? Folder.names(in: folder)) ?? [] { unlink(folder + "/" + name) }
      rmdir(folder)
    }
    var copies: [String] = []
    for number in 1...partCount where access(partPath(number), F_OK) == 0 {
      let copy = "\(folder)/part-\(number).sqlite"
      try SweepResultsFile.copyFile(partPath(number), to: copy)
      do throws(RetakeError) {
        let part = try SweepResultsFile.open(copy)
        try check(part.identity, of: partPath(number), maker: partPath(number), expected: expected)
        try part.close()
      } catch {
        throw RetakeError(
          error.code, error.message.replacing(copy, with: partPath(number)),
          hint: "remove that file; 'retake sweep submit -o \(ShellWord.quoted(self.path))' then submits the part again")
      }
      copies.append(copy)
    }
    guard !copies.isEmpty else {
      throw RetakeError(
        .notFound, "\(self.path) has no results of a part yet.", hint: "'retake sweep status' shows what its parts do")
    }
    let merged = folder + "/result.sqlite"
    if let ledger { try SweepResultsFile.copyFile(ledger, to: merged) }
    let report = try SweepResultsFile.merge(copies, into: merged)
    try SweepResultsFile.copyFile(merged, to: path)
    return report
  }
}
