import Support

/// Reads frame sets of the index in pages. A few pages are kept, so memory use is constant. Serves one thread.
package final class FrameSetPages {
  private static let pageLength = 256
  private static let pageLimit = 8

  private struct Page {
    let number: Int
    /// Nil for numbers that the index lacks.
    let entries: [FrameSetEntry?]
  }

  private let recording: Recording
  private var knownCount: Int?
  /// Least recently used first.
  private var pages: [Page] = []

  package init(_ recording: Recording) { self.recording = recording }

  /// Frame sets of the recording.
  package func count() throws(RetakeError) -> Int {
    if let knownCount { return knownCount }
    let count = try recording.frameSetCount()
    knownCount = count
    return count
  }

  /// - Parameter number: counted from 0 at the recording's first frame set.
  package func entry(_ number: Int) throws(RetakeError) -> FrameSetEntry? {
    let wanted = number / Self.pageLength
    if let last = pages.last, last.number == wanted { return last.entries[number % Self.pageLength] }
    let page: Page
    if let position = pages.firstIndex(where: { $0.number == wanted }) {
      page = pages.remove(at: position)
    } else {
      page = try read(wanted)
      if pages.count == Self.pageLimit { pages.removeFirst() }
    }
    pages.append(page)
    return page.entries[number % Self.pageLength]
  }

  private func read(_ number: Int) throws(RetakeError) -> Page {
    let first = number * Self.pageLength
    var entries = [FrameSetEntry?](repeating: nil, count: Self.pageLength)
    for entry in try recording.frameSets(first..<first + Self.pageLength) { entries[entry.number - first] = entry }
    return Page(number: number, entries: entries)
  }
}
