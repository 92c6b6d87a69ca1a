/// Suggests the name that was probably meant.
package enum Spelling {
  /// The only candidate that begins with `word` (of four letters or more), else the one that is fewest slips away; the
  /// first of equals. A slip is a letter too many, too few or wrong, or two swapped. A word without a dot is also compared
  /// with what follows a candidate's dot. A beginning counts as one slip, and parts of a name (`fault.drop` for
  /// `fault.color-drop`) as two.
  /// - Returns: nil if the nearest is more than a third of the longer word's letters away, and more than one slip.
  package static func nearest(to word: String, in candidates: [String]) -> String? {
    let longer = word.count < 4 ? [] : candidates.filter { $0.hasPrefix(word) }
    if longer.count == 1 { return longer[0] }
    let near = candidates.compactMap { candidate in
      slips(word, candidate).map { (candidate: candidate, slips: $0) }
    }
    return near.min { $0.slips < $1.slips }?.candidate
  }

  /// "did you mean NAME? ", to begin a hint; empty if no name is near.
  package static func guess(_ word: String, in candidates: [String], _ shown: (String) -> String = { $0 }) -> String {
    nearest(to: word, in: candidates).map { "did you mean \(shown($0))? " } ?? ""
  }

  /// Nil if they are too far apart.
  private static func slips(_ word: String, _ candidate: String) -> Int? {
    if word.count >= 2 && candidate.hasPrefix(word) { return min(1, distance(word, candidate)) }
    let parts = word.split(separator: ".")
    let tail = candidate.split(separator: ".").last.map(String.init) ?? candidate
    let near = (word.contains(".") ? [candidate] : [candidate, tail]).compactMap { name -> Int? in
      let most = max(1, max(word.count, name.count) / 3)
      // A stranger's word may be as long as a file.
      guard abs(word.unicodeScalars.count - name.unicodeScalars.count) <= most else { return nil }
      let slips = distance(word, name)
      return slips <= most ? slips : nil
    }.min()
    let isPart = !parts.isEmpty && parts.allSatisfy { $0.count >= 4 && candidate.contains($0) }
    return near ?? (isPart ? 2 : nil)
  }

  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, rows[i][j + 1] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
