/// Suggests the name that was probably meant.
package enum Spelling {
  /// The only candidate that begins with `word` (of four letters or more), else the one with the
  /// smallest Levenshtein distance; the first of equals. Nil without candidates.
  package static func nearest(to word: String, in candidates: [String]) -> String? {
    let longer = word.count < 4 ? [] : candidates.filter { $0.hasPrefix(word) }
    if longer.count == 1 { return longer[0] }
    return candidates.min { distance(word, $0) < distance(word, $1) }
  }

  static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b.unicodeScalars)
    var row = Array(0...b.count)
    for (i, x) in a.unicodeScalars.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let replaced = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
